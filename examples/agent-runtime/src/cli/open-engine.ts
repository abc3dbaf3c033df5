import type { TurnEngine } from 'responses-loop-example-shared/engine/types.js';
import { engineSessionFactory } from '../engine/engine-session.js';
import { type EngineChoice, openTurnEngine } from '../engine/open-turn-engine.js';
import { adapterOf, type Agent, type AgentConfig, createAgent } from '../index.js';
import { persisterOf } from '../persistence/persister-of.js';
import { CommandError, EXIT } from './exit-codes.js';
import { say } from './say.js';

export interface EngineAgent {
  readonly agent: Agent;
  /** Opens the engine: turns of instances that died may go on here from now on. */
  readonly initialize: () => Promise<void>;
  readonly isReady: () => boolean;
  /** Leaves the turns to the other instances. */
  readonly close: () => Promise<void>;
}

/** An agent whose turns are kept by an engine, so that they survive the instance that runs them. */
export function createEngineAgent(config: AgentConfig, driver: string, choice: EngineChoice): EngineAgent {
  const { database } = config;
  if (driver !== 'mono') {
    throw new CommandError(EXIT.usage, `--engine needs the driver mono: what ${driver} does cannot be recorded.`);
  }
  if (database === undefined) {
    throw new CommandError(EXIT.usage, '--engine needs --database postgres://…, which all instances share.');
  }
  let engine: TurnEngine | undefined;
  const opened = (): TurnEngine => {
    if (engine !== undefined) return engine;
    throw new Error('The engine is not open yet.');
  };
  const [adapter, persister] = [adapterOf(config), persisterOf({ workspace: config.workspace, database })];
  const agent = createAgent(config, { adapter, persister, sessionFactory: engineSessionFactory(opened) });
  return {
    agent,
    initialize: async () => {
      await agent.initialize();
      engine = await openTurnEngine({
        database,
        engine: choice,
        adapter,
        persister,
        options: { onWarning: say, isLong: config.isLong },
      });
    },
    isReady: () => engine?.isReady === true,
    close: async () => {
      await engine?.close();
      await agent.destroy();
    },
  };
}
