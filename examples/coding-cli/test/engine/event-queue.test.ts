import { expect, test } from 'vitest';

import { EventQueue } from '../../src/engine/event-queue.js';

async function read(queue: EventQueue) {
  const events = [];
  for await (const event of queue) events.push(event);
  return events;
}

test('what waits is joined where it says no more than that, and numbered without a gap', async () => {
  const queue = new EventQueue();
  queue.emit('1', 'agent_message_delta', { text: 'a' });
  queue.emit('1', 'agent_message_delta', { text: 'b' });
  queue.emit('1', 'agent_reasoning_delta', { text: 'c' });
  queue.emit('2', 'agent_reasoning_delta', { text: 'd' });
  queue.emit('2', 'tool_execution_progress', { call_id: 'x', output: 'e' });
  queue.emit('2', 'tool_execution_progress', { call_id: 'x', output: 'f' });
  queue.emit('2', 'tool_execution_progress', { call_id: 'y', progress: 1 });
  queue.emit('2', 'tool_execution_progress', { call_id: 'y', progress: 2, total: 3 });
  queue.end();
  queue.emit('3', 'task_started', {});
  const events = await read(queue);
  expect(events.map(({ id, seq, msg }) => [id, seq, msg.data])).toEqual([
    ['1', 1, { text: 'ab' }],
    ['1', 2, { text: 'c' }],
    ['2', 3, { text: 'd' }],
    ['2', 4, { call_id: 'x', output: 'ef' }],
    ['2', 5, { call_id: 'y', progress: 2, total: 3 }],
  ]);
});

test('what a tool prints faster than it is read is cut from the front', async () => {
  const queue = new EventQueue();
  for (let index = 0; index < 100; index += 1) {
    queue.emit('1', 'tool_execution_progress', { call_id: 'x', output: String(index % 10).repeat(10_000) });
  }
  queue.end();
  const [event] = await read(queue);
  const { output = '' } = (event?.msg.data ?? {}) as { output?: string };
  expect(output.length).toBeLessThanOrEqual(64_000);
  expect(output.endsWith('9'.repeat(10_000))).toBe(true);
});

test('a reader that waits gets an event at once', async () => {
  const queue = new EventQueue();
  const first = queue[Symbol.asyncIterator]().next();
  queue.emit('1', 'task_started', {});
  expect((await first).value).toMatchObject({ seq: 1, msg: { type: 'task_started' } });
});
