// A program that creates a session, says so, and calls a tool that never ends.
import { appendFileSync } from 'node:fs';

import { createResponsesProvider } from 'responses-loop/v3';

import { createAgent } from '../../src/index.js';

const [workspace = '', baseURL = '', log = ''] = process.argv.slice(2);

const provider = createResponsesProvider({
  baseURL,
  apiKey: 'test',
  tools: {
    wait: {
      execute: async () => {
        appendFileSync(log, 'ran\n');
        process.stdout.write('in the tool\n');
        await new Promise((resolve) => setTimeout(resolve, 600_000));
      },
    },
  },
});
const agent = createAgent({ workspace, model: 'any', provider });
await agent.initialize();
const session = await agent.createSession();
process.stdout.write(`session ${session.id}\n`);
await session.send('Wait for me');
