import { createAdapter } from './adapters/default-adapter.js';
import { responsesSessionFactory } from './adapters/responses.js';
import { createAgent } from './core/create-agent.js';
import type { MonoDriverOptions } from './driver/models.js';
import type { DriverChoice } from './driver/select.js';
import { createMemoryPersister } from './persistence/memory-persister.js';
import type { Agent, CoreConfig } from './types/agent.js';
import type { DriverConfig } from './types/driver.js';
import type { AgentPersister } from './types/persister.js';

export interface AgentXConfig extends Omit<CoreConfig, 'workspace' | 'model'> {
  readonly driver?: DriverChoice | undefined;
  readonly driverConfig: DriverConfig<MonoDriverOptions>;
  /** Default: sessions live as long as the process. */
  readonly persister?: AgentPersister | undefined;
}

/** An agent around a driver. It needs no disk, so it runs in a Worker, too. */
export function createAgentX({ driver, driverConfig, persister, ...config }: AgentXConfig): Agent {
  return createAgent(
    { ...config, workspace: driverConfig.cwd ?? '.', model: driverConfig.options?.model ?? driverConfig.model },
    {
      adapter: createAdapter({ driver, config: driverConfig }),
      persister: persister ?? createMemoryPersister(),
      sessionFactory: responsesSessionFactory,
    },
  );
}
