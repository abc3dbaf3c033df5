// A program whose turns say something, wait for a line, and say something more. Prints what comes of each turn.
import { createInterface } from 'node:readline';

import { createAgent, createPostgresPersister } from '../../../src/index.js';
import { FakeAdapter } from '../../support/fake-adapter.js';

const [url = '', id = '', words = ''] = process.argv.slice(2);
const print = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const adapter = new FakeAdapter(async function* (_prompt, _options, say) {
  say('message_start', { messageId: 'm', model: 'fake' });
  yield { type: 'tool', content: '', isToolUse: true, toolName: 'look', toolId: words, toolInput: {} };
  yield { type: 'tool', content: 'seen', isToolUse: false, toolName: 'look', toolId: words, toolResult: 'seen' };
  print('waits');
  await lines.next();
  yield { type: 'agent', content: `late ${words}` };
  say('message_stop', { stopReason: 'end_turn' });
});
const unkept: unknown[] = [];
const agent = createAgent(
  { workspace: '.', onPersistError: (_error, row) => unkept.push(row?.content) },
  { adapter, persister: createPostgresPersister({ url }) },
);
await agent.initialize();
const session = await agent.getSession(id);
if (session === null) throw new Error('The session is unknown.');
for (;;) {
  const said: unknown[] = [];
  for await (const event of session.send(words)) {
    if (event.type === 'error' || event.type === 'message_stop') said.push(event.data);
  }
  await session.flush?.().catch(() => {});
  print({ said, unkept, state: session.state, rows: session.getMessages().map(({ content }) => content) });
  await lines.next();
}
