import { createAdapter } from './adapters/default-adapter.js';
import { responsesSessionFactory } from './adapters/responses.js';
import { createAgent } from './core/create-agent.js';
import { type MonoDriverOptions, windowsOf } from './driver/models.js';
import type { DriverChoice } from './driver/select.js';
import { createMemoryPersister } from './persistence/memory-persister.js';
import { createPostgresPersister } from './persistence/postgres-persister.js';
import { PROGRAM_DRIVERS } from './programs/program-drivers.js';
import type { Agent, CoreConfig } from './types/agent.js';
import type { DriverConfig } from './types/driver.js';
import type { AgentPersister } from './types/persister.js';

export interface AgentXConfig extends Omit<CoreConfig, 'workspace' | 'model' | 'resumeSessionId'> {
  readonly driver?: DriverChoice | undefined;
  readonly driverConfig: DriverConfig<MonoDriverOptions>;
  /** Default: that of `database`; without one, sessions live as long as the process. */
  readonly persister?: AgentPersister | undefined;
  /** `postgres://…` */
  readonly database?: string | undefined;
}

/** An agent around a driver. It needs no disk. */
export function createAgentX({ driver, driverConfig, persister, database, ...config }: AgentXConfig): Agent {
  // It names a session of ours; what the driver's own program calls it is found in its rows.
  const { resumeSessionId, ...ofDriver } = driverConfig;
  return createAgent(
    {
      isLong: windowsOf(driverConfig).isLong,
      ...config,
      resumeSessionId,
      workspace: driverConfig.cwd ?? '.',
      model: driverConfig.options?.model ?? driverConfig.model,
    },
    {
      adapter: createAdapter({ driver, moreDrivers: PROGRAM_DRIVERS, config: ofDriver }),
      persister: persister ?? keeperOf(database),
      sessionFactory: responsesSessionFactory,
    },
  );
}

function keeperOf(database: string | undefined): AgentPersister {
  return database === undefined ? createMemoryPersister() : createPostgresPersister({ url: database });
}
