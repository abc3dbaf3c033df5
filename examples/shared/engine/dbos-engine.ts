import { DBOS, DBOSWorkflowConflictError } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';
import { poolOf } from '../postgres.js';
import { SettingsError } from '../settings-error.js';
import { oneAtATime } from './database.js';
import { DEAD_AFTER_MS } from './membership.js';
import { closeIfSilent } from './silence.js';
import { CONNECTIONS, connectionOf, openTurnEngine, QUERY_MS } from './turn-engine.js';
import type { StepKeeper, TurnHost, TurnRunner } from './turn-runner.js';
import type { EngineOptions, TurnEngine } from './types.js';

/** The order and the names of the steps; turns of another order are not taken up. */
const STEPS = 'turns-1';
const LEAST_NODE = 20;
/** A new version of DBOS may make indexes of large tables when it is opened. */
const OPENING_MS = 600_000;

/** Turns as workflows of DBOS. There is one such engine in a process. */
export async function openDbosEngine(options: EngineOptions): Promise<TurnEngine> {
  if (Number(process.versions.node.split('.')[0]) < LEAST_NODE)
    throw new SettingsError(`DBOS needs Node ${LEAST_NODE} or later; this is ${process.version}.`);
  return openTurnEngine(options, new DbosRunner(options));
}

/** Whichever instance asks DBOS first runs a turn that was taken over, unless nothing of it is recorded. */
class DbosRunner implements TurnRunner {
  readonly #options: EngineOptions;
  readonly #pool: Pool;
  #isOpen = false;
  #workflow!: (id: string) => Promise<void>;

  constructor(options: EngineOptions) {
    this.#options = options;
    // An instance that freezes in the middle of a record must not keep the others from taking its turns.
    const ends = { idle_in_transaction_session_timeout: DEAD_AFTER_MS };
    this.#pool = poolOf({ ...connectionOf(options.database), max: CONNECTIONS, ...ends });
    this.#pool.on('connect', (client) => closeIfSilent(client, () => (this.#isOpen ? QUERY_MS : OPENING_MS)));
  }

  async open(host: TurnHost): Promise<void> {
    const { application, database } = this.#options;
    this.#workflow = DBOS.registerWorkflow((id: string) => host.run(id, stepsOf(id)), {
      name: `${application}-turn`,
      // How often a turn was taken over is no fault of the turn.
      maxRecoveryAttempts: 1_000_000,
    });
    DBOS.setConfig({
      name: application,
      systemDatabaseUrl: database,
      systemDatabasePool: this.#pool,
      executorID: host.name,
      applicationVersion: STEPS,
      logLevel: 'error',
    });
    // Instances that start at once would make its tables twice.
    await oneAtATime(this.#pool, () => DBOS.launch());
    this.#isOpen = true;
  }

  async begin(id: string): Promise<void> {
    await DBOS.startWorkflow(this.#workflow, { workflowID: id })(id);
  }

  async goOn(id: string): Promise<boolean> {
    // Nothing is recorded that an attempt would repeat: it begins anew, here.
    if (this.#options.compare === undefined) await DBOS.deleteWorkflows([id]);
    const status = await DBOS.getWorkflowStatus(id);
    if (status?.status === 'SUCCESS' || status?.status === 'ERROR') return false;
    // Without a status its instance died before DBOS knew of it.
    await (status === null ? this.begin(id) : DBOS.resumeWorkflow(id));
    return true;
  }

  async forget(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await DBOS.deleteWorkflows([...ids]);
  }

  async close(): Promise<void> {
    await DBOS.shutdown().catch(() => {});
    await this.#pool.end();
  }
}

function stepsOf(turn: string): StepKeeper {
  return {
    keep: (name, run) => {
      // Outside of its workflow DBOS would run a step and record nothing.
      if (DBOS.workflowID === turn) return DBOS.runStep(run, { name });
      return Promise.reject(new Error(`The step ${name} was begun outside of its turn.`));
    },
    isLoss: (error) => error instanceof DBOSWorkflowConflictError,
  };
}
