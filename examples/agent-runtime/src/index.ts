import { createAdapter } from './adapters/default-adapter.js';
import { responsesSessionFactory } from './adapters/responses.js';
import { createAgent as createAgentOf } from './core/create-agent.js';
import { type MonoDriverOptions, windowsOf } from './driver/models.js';
import type { DriverChoice } from './driver/select.js';
import { persisterOf } from './persistence/persister-of.js';
import { PROGRAM_DRIVERS } from './programs/program-drivers.js';
import type { Agent, AgentDependencies, CoreConfig } from './types/agent.js';
import type { AgentAdapter } from './types/adapter.js';
import type { DriverConfig } from './types/driver.js';

export { approvalPolicy, type ApprovalSettings } from './driver/approval-policy.js';
export { BaseSession } from './core/base-session.js';
export type { SessionParts } from './core/session-parts.js';
export { contentOf } from './core/content.js';
export { AgentError } from './core/agent-error.js';
export { TRANSITIONS } from './core/states.js';
export { createAgentX, type AgentXConfig } from './create-agent-x.js';
export { createEchoDriver } from './driver/echo-driver.js';
export { createMonoDriver } from './driver/mono-driver.js';
export type { MonoDriverOptions } from './driver/models.js';
export { type DriverChoice, selectDriver } from './driver/select.js';
export { ResponsesAdapter, ResponsesSession, responsesSessionFactory } from './adapters/responses.js';
export { createMemoryPersister } from './persistence/memory-persister.js';
export { createPostgresPersister } from './persistence/postgres-persister.js';
export { createSqlitePersister } from './persistence/sqlite-persister.js';
export { coderDialect } from './programs/coder-dialect.js';
export type { Dialect, DialectFactory, DialectOptions, Heard, Line, ProgramCall } from './programs/dialect.js';
export { eventsDialect } from './programs/events-dialect.js';
export { createProcessDriver, type ProcessDriverOptions } from './programs/process-driver.js';
export type * from './types/index.js';

export interface AgentConfig
  extends
    CoreConfig,
    Pick<DriverConfig, 'apiKey' | 'baseUrl' | 'systemPrompt' | 'mcpServers' | 'timeout' | 'cwd'>,
    Omit<MonoDriverOptions, 'model'> {
  readonly agentId?: string | undefined;
  /** `postgres://…`, if several machines share the sessions. */
  readonly database?: string | undefined;
  readonly driver?: DriverChoice | undefined;
}

/**
 * An agent whose sessions are kept in `<workspace>/.agentx/data/agent.db`, unless a database or a persister is handed in.
 *
 * @example
 * const agent = createAgent({ workspace: '.', model: 'gpt-5.1' });
 * await agent.initialize();
 * const session = await agent.createSession();
 * for await (const event of session.send('Hello')) console.log(event);
 * await agent.destroy();
 */
export function createAgent(config: AgentConfig, dependencies: AgentDependencies = {}): Agent {
  const { apiKey, baseUrl, contextWindow, compactAt } = config;
  const { isLong = windowsOf({ apiKey, baseUrl, options: { contextWindow, compactAt } }).isLong } = config;
  return createAgentOf(
    { ...config, isLong },
    {
      adapter: dependencies.adapter ?? adapterOf(config),
      persister: dependencies.persister ?? persisterOf(config),
      sessionFactory: dependencies.sessionFactory ?? responsesSessionFactory,
    },
  );
}

/** Who answers by these settings. */
export function adapterOf(config: AgentConfig): AgentAdapter {
  const { apiKey, baseUrl, model, systemPrompt, mcpServers, timeout, agentId = 'agent' } = config;
  const { maxSteps, provider, runTools, approve, trustedServers, tools, onEvent, telemetry } = config;
  const { contextWindow, compactAt, maxLoopChars } = config;
  return createAdapter({
    driver: config.driver,
    moreDrivers: PROGRAM_DRIVERS,
    config: {
      ...{ apiKey, baseUrl, model, systemPrompt, mcpServers, timeout, agentId },
      cwd: config.cwd ?? config.workspace,
      options: {
        ...{ provider, maxSteps, runTools, approve, trustedServers, tools, onEvent, telemetry },
        ...{ contextWindow, compactAt, maxLoopChars },
      },
    },
  });
}
