// A program that talks for ten turns and says which of them are done. It is killed while it does.
import { createAgent } from '../../src/index.js';
import { talkingProvider } from '../support/talking-model.js';

const [workspace = '', baseURL = '', log = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const provider = talkingProvider(baseURL, log);
const agent = createAgent({ workspace, model: 'any', provider });
say('starting');
await agent.initialize();
const open = (await agent.getSessions()).find(({ state }) => state !== 'completed');
const session = open === undefined ? await agent.createSession() : await agent.getSession(open.id);
if (session === null) throw new Error('The session is gone.');
say(`session ${session.id}`);
for (;;) {
  const text = `message ${crypto.randomUUID()}`;
  await session.send(text);
  say(`done ${session.id} ${text}`);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
}
