import { responsesSessionFactory } from '../adapters/responses.js';
import { createAgent } from '../core/create-agent.js';
import { persisterOf } from '../persistence/persister-of.js';
import type { Agent, AgentAdapter } from '../types/index.js';
import { databaseOf } from './database.js';
import type { GlobalOptions } from './options.js';
import { say } from './say.js';
import { workspaceOf } from './workspace.js';

/** No message is ever sent from here. */
const SILENT: AgentAdapter = {
  getName: () => 'silent',
  stream: () => {
    throw new Error('This command sends nothing.');
  },
};

/** For commands that only look at what is kept: no model is loaded, no MCP server started. */
export async function withStoredSessions<T>(options: GlobalOptions, use: (agent: Agent) => Promise<T>): Promise<T> {
  const workspace = workspaceOf(options);
  const persister = persisterOf({ workspace, database: databaseOf(options) });
  const parts = { adapter: SILENT, persister, sessionFactory: responsesSessionFactory };
  const agent = createAgent({ workspace, onWarning: say }, parts);
  await agent.initialize();
  try {
    return await use(agent);
  } finally {
    await agent.destroy();
  }
}
