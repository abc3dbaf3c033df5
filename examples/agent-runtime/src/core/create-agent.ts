import type { AgentAdapter } from '../types/adapter.js';
import type { Agent, CoreConfig } from '../types/agent.js';
import type { SessionFactory } from '../types/factory.js';
import type { AgentPersister } from '../types/persister.js';
import { AgentCore } from './agent-core.js';
import { AgentError } from './agent-error.js';

/** What an agent is made of. */
export interface AgentParts {
  readonly adapter: AgentAdapter;
  readonly persister: AgentPersister;
  readonly sessionFactory: SessionFactory;
}

/** Puts an agent together. Nothing is opened, read or asked before `initialize()`. */
export function createAgent(config: CoreConfig, parts: AgentParts): Agent {
  if (typeof config.workspace !== 'string' || config.workspace === '') {
    throw new AgentError('bad_settings', 'createAgent needs a `workspace`: the folder that the sessions belong to.');
  }
  const { adapter, persister, sessionFactory } = parts;
  return new AgentCore({ config, adapter, persister, factory: sessionFactory });
}
