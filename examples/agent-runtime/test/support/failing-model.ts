import { createScriptedServer } from 'responses-loop/testing';
import { createResponsesProvider } from 'responses-loop/v3';
import { onTestFinished } from 'vitest';

import { createAgent } from '../../src/index.js';
import { makeWorkspace } from './workspace.js';

type Steps = NonNullable<NonNullable<Parameters<typeof createScriptedServer>[0]>['steps']>;

/** An agent on disk whose model server says what the test says, with a tool that counts how often it ran. */
export async function openAgent(steps: Steps) {
  const server = await createScriptedServer({ steps });
  onTestFinished(() => server.close());
  const ran: unknown[] = [];
  const provider = createResponsesProvider({
    baseURL: server.baseURL,
    apiKey: 'test',
    retry: { initialDelayMs: 1 },
    tools: {
      note: {
        inputSchema: { type: 'object', properties: {} },
        execute: (input) => {
          ran.push(input);
          return 'noted';
        },
      },
    },
  });
  onTestFinished(() => provider.close());
  const workspace = makeWorkspace();
  const agent = createAgent({ workspace, model: 'any', provider });
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  return { server, agent, ran, workspace, session: await agent.createSession() };
}
