import { createRequire } from 'node:module';

import { createScriptedServer, errorReply, type ScriptedServer } from 'responses-loop/testing';
import { createResponsesProvider } from 'responses-loop/v3';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  createMonoDriver,
  type Driver,
  type DriverConfig,
  type MonoDriverOptions,
  type StoredMessage,
} from '../../src/index.js';
import { collect, textOf, typesOf } from '../support/collect.js';

type Steps = NonNullable<Parameters<typeof createScriptedServer>[0]>['steps'];

async function start(steps: NonNullable<Steps>, config: Partial<DriverConfig<MonoDriverOptions>> = {}) {
  const server = await createScriptedServer({ steps });
  onTestFinished(() => server.close());
  const driver = createMonoDriver({ apiKey: 'test', baseUrl: server.baseURL, model: 'any', ...config });
  onTestFinished(() => driver.dispose().catch(() => {}));
  return { server, driver };
}

async function started(steps: NonNullable<Steps>, config?: Partial<DriverConfig<MonoDriverOptions>>) {
  const { server, driver } = await start(steps, config);
  await driver.initialize();
  return { server, driver };
}

/** A provider whose tools run here. */
function withTools(server: ScriptedServer) {
  const provider = createResponsesProvider({
    baseURL: server.baseURL,
    apiKey: 'test',
    tools: {
      add: { execute: () => ({ sum: 3 }) },
      fail: {
        execute: () => {
          throw new Error('The pond is closed.');
        },
      },
    },
  });
  onTestFinished(() => provider.close());
  return provider;
}

const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

const hanging = (): { none: 'stall' } => ({ none: 'stall' });

describe('what a driver may do when', () => {
  test('nothing but reading its state comes before initialize()', async () => {
    const { driver } = await start([]);
    expect(driver.state).toBe('idle');
    expect(driver.sessionId).toBeNull();
    for (const call of [() => driver.receive({ content: 'Hello' }), () => driver.interrupt()]) {
      expect(call).toThrowError(expect.objectContaining({ code: 'not_initialized' }));
    }
    await expect(driver.dispose()).rejects.toMatchObject({ code: 'not_initialized' });
  });

  test('initialize() twice is an error', async () => {
    const { driver } = await started([]);
    await expect(driver.initialize()).rejects.toMatchObject({ code: 'already_initialized' });
  });

  test('a second receive() throws while the first runs, and works once it has ended', async () => {
    const { driver } = await started(['One.', 'Two.']);
    const first = driver.receive({ content: 'Hello' });
    expect(driver.state).toBe('active');
    expect(() => driver.receive({ content: 'Again' })).toThrowError(expect.objectContaining({ code: 'driver_busy' }));
    expect(textOf(await collect(first))).toBe('One.');
    expect(driver.state).toBe('idle');
    expect(textOf(await collect(driver.receive({ content: 'Again' })))).toBe('Two.');
  });

  test('an answer that is never read is over when it is interrupted', async () => {
    const { driver } = await started(['Two.']);
    const unread = driver.receive({ content: 'Hello' });
    driver.interrupt();
    expect(driver.state).toBe('idle');
    expect(textOf(await collect(driver.receive({ content: 'Again' })))).toBe('Two.');
    expect(typesOf(await collect(unread))).toEqual(['message_start', 'interrupted']);
  });

  test('after dispose() nothing is received, and a second dispose() does nothing', async () => {
    const { driver } = await started([]);
    await driver.dispose();
    await driver.dispose();
    expect(driver.state).toBe('disposed');
    expect(() => driver.receive({ content: 'Hello' })).toThrowError(expect.objectContaining({ code: 'disposed' }));
    await expect(driver.initialize()).rejects.toMatchObject({ code: 'disposed' });
  });

  test('a reader that leaves early frees the driver', async () => {
    const { driver } = await started(['One two three.', 'Two.']);
    for await (const event of driver.receive({ content: 'Hello' })) if (event.type === 'text_delta') break;
    expect(driver.state).toBe('idle');
    expect(textOf(await collect(driver.receive({ content: 'Again' })))).toBe('Two.');
  });

  test('the id of its session is said when it is known', async () => {
    const ids: string[] = [];
    const { driver } = await started([], {
      session: { id: 's1', getMessages: () => [] },
      onSessionIdCaptured: (id) => ids.push(id),
    });
    expect([driver.sessionId, ...ids]).toEqual(['s1', 's1']);
  });
});

describe('events', () => {
  test('a plain answer', async () => {
    const { driver } = await started(['Quack quack.']);
    const events = await collect(driver.receive({ content: 'Hello' }));
    expect(typesOf(events)).toEqual(['message_start', 'text_delta', 'text_delta', 'message_delta', 'message_stop']);
    expect(events[0]?.data).toEqual({ messageId: 'resp_1', model: 'any' });
    expect(events.at(-1)?.data).toEqual({ stopReason: 'end_turn', rounds: 1 });
    for (const { timestamp } of events) expect(Math.abs(Date.now() - timestamp)).toBeLessThan(60_000);
  });

  test('a call, its arguments, its result and the answer, in this order', async () => {
    const server = await createScriptedServer({
      steps: [
        {
          output: [
            { type: 'reasoning', summary: ['Hm.'] },
            { type: 'call', name: 'add', arguments: { a: 1 }, callId: 'c1' },
          ],
          usage: {
            input_tokens: 10,
            output_tokens: 4,
            total_tokens: 14,
            output_tokens_details: { reasoning_tokens: 2 },
          },
        },
        { output: [{ type: 'text', text: 'Three.' }], usage: { input_tokens: 20, output_tokens: 1, total_tokens: 21 } },
      ],
    });
    onTestFinished(() => server.close());
    const { driver } = await started([], { baseUrl: undefined, options: { provider: withTools(server) } });
    const events = await collect(driver.receive({ content: 'Add.' }));
    expect(new Set(typesOf(events))).toEqual(
      new Set([
        'message_start',
        'thinking_delta',
        'tool_use_start',
        'input_json_delta',
        'tool_use_stop',
        'tool_result',
        'text_delta',
        'message_delta',
        'message_stop',
      ]),
    );
    const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    expect(of('tool_use_start')).toEqual([{ toolCallId: 'c1', toolName: 'add' }]);
    expect(
      of('input_json_delta')
        .map((data) => (data as { partialJson: string }).partialJson)
        .join(''),
    ).toBe('{"a":1}');
    expect(of('tool_use_stop')).toEqual([{ toolCallId: 'c1', toolName: 'add', input: { a: 1 } }]);
    expect(of('tool_result')).toEqual([{ toolCallId: 'c1', result: { sum: 3 } }]);
    expect(of('message_start')).toEqual([{ messageId: 'resp_1', model: 'any' }]);
    expect(of('message_delta')).toEqual([
      { usage: { inputTokens: 30, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 2, contextTokens: 21 } },
    ]);
    expect(of('message_stop')).toEqual([{ stopReason: 'end_turn', rounds: 2 }]);
  });

  test('a tool that fails gives a result that is an error', async () => {
    const server = await createScriptedServer({
      steps: [{ output: [{ type: 'call', name: 'fail', arguments: {}, callId: 'c1' }] }, 'It is closed.'],
    });
    onTestFinished(() => server.close());
    const { driver } = await started([], { baseUrl: undefined, options: { provider: withTools(server) } });
    const events = await collect(driver.receive({ content: 'Try.' }));
    expect(events.find(({ type }) => type === 'tool_result')?.data).toEqual({
      toolCallId: 'c1',
      result: 'The pond is closed.',
      isError: true,
    });
  });

  test.each([
    ['max_output_tokens', 'max_tokens'],
    ['content_filter', 'content_filter'],
    ['something new', 'other'],
  ])('an answer that is incomplete for %s stops with %s', async (incompleteReason, reason) => {
    const { driver } = await started([
      { output: [{ type: 'text', text: 'Qua' }], status: 'incomplete', incompleteReason },
    ]);
    const events = await collect(driver.receive({ content: 'Hello' }));
    expect(events.at(-1)?.data).toMatchObject({ stopReason: reason });
  });

  test('an error of the server is an event, right before the end, and the driver can go on', async () => {
    const { driver } = await started([errorReply({ status: 400, message: 'No.' }), 'Yes.']);
    const events = await collect(driver.receive({ content: 'Hello' }));
    expect(typesOf(events)).toEqual(['message_start', 'error', 'message_stop']);
    expect(events[1]?.data).toMatchObject({ errorCode: 'api-error', isRetryable: false });
    expect(events[2]?.data).toMatchObject({ stopReason: 'error' });
    expect(textOf(await collect(driver.receive({ content: 'Again' })))).toBe('Yes.');
  });

  test('a driver without a model says so as an error', async () => {
    const { driver } = await started([], { model: undefined });
    const events = await collect(driver.receive({ content: 'Hello' }));
    expect(typesOf(events)).toEqual(['message_start', 'error', 'message_stop']);
    expect(events[1]?.data).toMatchObject({ errorCode: 'bad_settings' });
  });
});

describe('interrupting', () => {
  async function firstText(driver: Driver, events: AsyncIterable<unknown>): Promise<unknown[]> {
    const seen: unknown[] = [];
    for await (const event of events) {
      seen.push(event);
      if ((event as { type: string }).type === 'text_delta') driver.interrupt();
    }
    return seen;
  }

  test('interrupt() ends the answer with `interrupted`, and the next one works', async () => {
    const { driver } = await started([
      { events: [...(await eventsOf('Quack')).slice(0, -3)], ending: 'stall' },
      'Yes.',
    ]);
    const events = (await firstText(driver, driver.receive({ content: 'Hello' }))) as { type: string; data: unknown }[];
    expect(events.at(-1)).toMatchObject({ type: 'interrupted', data: { reason: 'user' } });
    expect(events.filter(({ type }) => type === 'message_stop')).toEqual([]);
    expect(textOf(await collect(driver.receive({ content: 'Again' })))).toBe('Yes.');
  });

  test('interrupt() while nothing runs does nothing', async () => {
    const { driver } = await started(['Yes.']);
    driver.interrupt();
    expect(textOf(await collect(driver.receive({ content: 'Hello' })))).toBe('Yes.');
  });

  test('the time that a turn may take ends it', async () => {
    const { driver } = await started([hanging()], { timeout: 50 });
    const events = await collect(driver.receive({ content: 'Hello' }));
    expect(events.at(-1)).toMatchObject({ type: 'interrupted', data: { reason: 'timeout' } });
  });

  test.each([
    ['user', () => AbortSignal.abort()],
    ['timeout', () => AbortSignal.timeout(30)],
    ['error', () => AbortSignal.abort(new Error('The house is on fire.'))],
  ] as const)('a signal says why: %s', async (reason, signal) => {
    const { driver } = await started([hanging()]);
    const events = await collect(driver.receive({ content: 'Hello' }, { signal: signal() }));
    expect(typesOf(events)).toEqual(['message_start', 'interrupted']);
    expect(events.at(-1)?.data).toEqual({ reason });
  });

  test('dispose() ends the answer that runs', async () => {
    const { driver } = await started([hanging()]);
    const events = collect(driver.receive({ content: 'Hello' }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await driver.dispose();
    expect((await events).at(-1)).toMatchObject({ type: 'interrupted' });
  });
});

describe('what is sent', () => {
  const rows: StoredMessage[] = [
    { id: '1', seq: 1, turn: 1, type: 'user', content: 'My name is Ada.', timestamp: '2026-01-01T00:00:00.000Z' },
    { id: '2', seq: 2, turn: 1, type: 'agent', content: 'Hello Ada.', timestamp: '2026-01-01T00:00:01.000Z' },
  ];

  test('a frozen session is sent before the message, which is sent once', async () => {
    const view = { id: 's1', getMessages: () => deepFreeze(structuredClone(rows)) };
    const { server, driver } = await started(['Ada.'], { session: Object.freeze(view) });
    await collect(driver.receive({ id: '3', content: 'Who am I?' }));
    expect(textsOf(server.requests[0])).toEqual(['My name is Ada.', 'Hello Ada.', 'Who am I?']);
  });

  test('a message that is in the session already is sent once all the same', async () => {
    const { server, driver } = await started(['Ada.'], { session: { id: 's1', getMessages: () => rows } });
    await collect(driver.receive({ id: '1', content: 'My name is Ada.' }));
    expect(textsOf(server.requests[0])).toEqual(['Hello Ada.', 'My name is Ada.']);
  });

  test('the system prompt, the model and how much to think', async () => {
    const { server, driver } = await started(['Yes.'], { systemPrompt: 'You are a duck.' });
    await collect(driver.receive({ content: 'Hello' }, { model: 'other', thinking: 'low' }));
    expect(server.requests[0]?.body).toMatchObject({ model: 'other', reasoning: { effort: 'low' } });
    expect(JSON.stringify(server.requests[0]?.body)).toContain('You are a duck.');
  });

  test('options of the provider go through, and win over `thinking`', async () => {
    const { server, driver } = await started(['Yes.']);
    const providerOptions = { openai: { reasoningEffort: 'high', user: 'ada' } };
    await collect(driver.receive({ content: 'Hello' }, { thinking: 'low', providerOptions }));
    expect(server.requests[0]?.body).toMatchObject({ user: 'ada', reasoning: { effort: 'high' } });
  });

  test('the stock provider answers through the same events', async () => {
    const { server, driver } = await started(['Quack.'], { options: { provider: 'openai' } });
    const events = await collect(driver.receive({ content: 'Hello' }));
    expect(textOf(events)).toBe('Quack.');
    expect(server.requests[0]?.url).toBe('/v1/responses');
  });

  test.each([
    ['model', 'responses'],
    ['sdk', 'responses'],
    ['sdk', 'openai'],
  ] as const)(
    'tools of servers are run by the %s at %s, and after so many rounds the model answers without them',
    async (runTools, provider) => {
      const call = (message: string) => ({
        output: [{ type: 'call' as const, name: 'echo', arguments: { message }, callId: message }],
      });
      const { server, driver } = await started([call('a'), call('b'), 'Enough.'], {
        options: { maxSteps: 2, runTools, provider, approve: 'all' },
        mcpServers: { everything: { command: process.execPath, args: [EVERYTHING] } },
      });
      const events = await collect(driver.receive({ content: 'Go on.' }));
      expect(textOf(events)).toBe('Enough.');
      expect(events.filter(({ type }) => type === 'tool_result').map(({ data }) => data)).toEqual([
        { toolCallId: 'a', result: 'Echo: a' },
        { toolCallId: 'b', result: 'Echo: b' },
      ]);
      expect(server.requests).toHaveLength(3);
    },
  );

  test('servers of tools are not taken beside a provider that was handed in', async () => {
    const { driver } = await start([], {
      options: { provider: createResponsesProvider({ apiKey: 'test' }) },
      mcpServers: { files: { command: 'npx' } },
    });
    await expect(driver.initialize()).rejects.toMatchObject({ code: 'bad_settings' });
  });
});

async function eventsOf(text: string) {
  const { responseEvents } = await import('responses-loop/testing');
  return responseEvents({ output: [{ type: 'text', text }] });
}

function textsOf(request: { readonly input: readonly Readonly<Record<string, unknown>>[] } | undefined): unknown[] {
  return (request?.input ?? []).map(({ content }) => (content as { text: string }[])[0]?.text ?? content);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
