import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DBOS, DBOSWorkflowConflictError } from '@dbos-inc/dbos-sdk';
import { Client, type Pool } from 'pg';
import { poolOf } from '../postgres.js';
import { SettingsError } from '../settings-error.js';
import { Attempt, never } from './attempt.js';
import { makeTables, oneAtATime } from './database.js';
import { followTurn, type FollowOptions, turnEnded } from './follow-turn.js';
import { InstanceTables } from './instance-tables.js';
import { journalOfTurn } from './journal-of-turn.js';
import { DEAD_AFTER_MS, Membership } from './membership.js';
import { stopsOf, TurnTables } from './turn-tables.js';
import {
  EngineUnavailable,
  type EngineOptions,
  type KeptTurn,
  type LatestTurn,
  type NewTurn,
  type TurnEngine,
} from './types.js';
import { WakeUps } from './wake-ups.js';

/** The order and the names of the steps; turns of another order are not taken up. */
const STEPS = 'turns-1';
const LEAST_NODE = 20;
const GRACE_MS = 5_000;
const RETRY_MS = 500;
const CONNECT_MS = 3_000;
const QUERY_MS = 15_000;
const CONNECTIONS = 20;

/** Turns as workflows of DBOS. There is one such engine in a process. */
export async function openDbosEngine(options: EngineOptions): Promise<TurnEngine> {
  checkNode();
  const { database, application } = options;
  const connection = { connectionString: checkUrl(database), connectionTimeoutMillis: CONNECT_MS, keepAlive: true };
  const pool = poolOf({ ...connection, max: CONNECTIONS, query_timeout: QUERY_MS });
  // Signs of life do not wait behind anything else.
  const ownPool = poolOf({ ...connection, max: 2, query_timeout: DEAD_AFTER_MS / 2 });
  const connect = async (): Promise<Client> => {
    const client = new Client(connection);
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  // An instance that freezes in the middle of a record must not keep the others from taking its turns.
  const stepPool = poolOf({ ...connection, max: CONNECTIONS, idle_in_transaction_session_timeout: DEAD_AFTER_MS });
  const pools = [pool, ownPool, stepPool];
  const wakeUps = new WakeUps(connect, application);
  try {
    await makeTables(pool);
    await wakeUps.open();
  } catch (error) {
    await Promise.allSettled([wakeUps.close(), ...pools.map((one) => one.end())]);
    throw new SettingsError(`The database of turns cannot be used: ${(error as Error).message}.`, { cause: error });
  }
  const engine = new DbosEngine({ options, pool, ownPool, stepPool, wakeUps });
  await engine.open();
  return engine;
}

interface EngineParts {
  readonly options: EngineOptions;
  readonly pool: Pool;
  readonly ownPool: Pool;
  readonly stepPool: Pool;
  readonly wakeUps: WakeUps;
}

class DbosEngine implements TurnEngine {
  readonly #parts: EngineParts;
  readonly #tables: TurnTables;
  readonly #membership: Membership;
  readonly #attempts = new Map<string, Attempt>();
  readonly #workflow: (id: string) => Promise<void>;
  #isClosed = false;
  /** The last stream that was looked at: whether it is gone. */
  #cleanedTo = '';
  /** Ends what is read here for clients, once this instance is cut off. */
  #gone = controllerOfMany();

  constructor(parts: EngineParts) {
    const { options, pool, ownPool } = parts;
    this.#parts = parts;
    this.#tables = new TurnTables(pool, options.application);
    this.#membership = new Membership({
      tables: new InstanceTables(ownPool, options.application),
      running: () => [...this.#attempts.keys()],
      onCut: () => this.#cutAll(),
      onStops: (stops) => stops.forEach((how, id) => this.#attempts.get(id)?.stop(how)),
      onClaimed: (turns) => this.#goOn(turns),
      onPruned: (turns) => this.#clean(turns),
    });
    this.#workflow = DBOS.registerWorkflow((id: string) => this.#run(id), {
      name: `${options.application}-turn`,
      // How often a turn was taken over is no fault of the turn.
      maxRecoveryAttempts: 1_000_000,
    });
  }

  get isReady(): boolean {
    return !this.#isClosed && this.#membership.isSure;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async open(): Promise<void> {
    const { options, stepPool, wakeUps } = this.#parts;
    DBOS.setConfig({
      name: options.application,
      systemDatabaseUrl: options.database,
      systemDatabasePool: stepPool,
      executorID: this.#membership.name,
      applicationVersion: STEPS,
      logLevel: 'error',
    });
    // Instances that start at once would make its tables twice.
    await oneAtATime(stepPool, () => DBOS.launch());
    await this.#membership.open();
    wakeUps.on('', () => void this.#membership.claim().catch(() => {}));
  }

  async start(turn: NewTurn): Promise<KeptTurn | 'busy'> {
    if (!this.isReady) throw new EngineUnavailable();
    const kept = await this.#tables.start(turn, this.#membership.name);
    if (kept === undefined) return 'busy';
    // It is kept: what cannot begin now begins a little later.
    await this.#begin(kept.id).catch(() => {});
    return kept;
  }

  latest(stream: string): Promise<LatestTurn | undefined> {
    return this.#tables.latest(stream);
  }

  async stop(stream: string, how: string): Promise<boolean> {
    const turn = await this.#tables.latest(stream);
    if (turn === undefined || turn.hasEnded) return false;
    await this.#tables.stop(turn.id, how);
    await turnEnded(this.#following(turn));
    return true;
  }

  follow(turn: KeptTurn, after: number, signal?: AbortSignal): ReturnType<TurnEngine['follow']> {
    return followTurn(this.#following(turn), after, signal);
  }

  async forget(stream: string): Promise<void> {
    const turns = await this.#tables.forget(stream);
    if (turns.length > 0) await DBOS.deleteWorkflows(turns);
  }

  async close(graceMs = GRACE_MS): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#gone.abort();
    const { pool, ownPool, stepPool, wakeUps } = this.#parts;
    const parked = Promise.all([...this.#attempts.values()].map((attempt) => attempt.park()));
    await Promise.race([parked, sleep(graceMs)]);
    this.#cutAll();
    await this.#membership.close().catch(() => {});
    await DBOS.shutdown().catch(() => {});
    await Promise.allSettled([wakeUps.close(), pool.end(), ownPool.end(), stepPool.end()]);
  }

  /** Runs one attempt inside a workflow of DBOS. Does not return if the turn is another attempt's. */
  async #run(id: string): Promise<void> {
    const attempt = await this.#take(id);
    if (attempt === undefined) return;
    const off = this.#parts.wakeUps.on(stopsOf(id), () => void this.#readStop(attempt));
    try {
      await journalOfTurn.run(attempt.journal, () => this.#answer(attempt));
      await attempt.end();
    } finally {
      off();
      if (this.#attempts.get(id) === attempt) this.#attempts.delete(id);
    }
  }

  async #answer(attempt: Attempt): Promise<void> {
    const { run, onWarning } = this.#parts.options;
    try {
      await run(attempt);
    } catch (error) {
      if (attempt.isCut) return never();
      onWarning?.(`Turn ${attempt.id} failed: ${error instanceof Error ? error.message : String(error)}`);
      await this.#fail(attempt, error);
    }
  }

  /** `undefined`: the turn has ended. */
  async #take(id: string): Promise<Attempt | undefined> {
    const { options } = this.#parts;
    this.#attempts.get(id)?.cut();
    // It is found later that no attempt has begun.
    if (this.#isClosed) return never();
    for (;;) {
      try {
        const turn = await this.#tables.take(id, this.#membership.name);
        if (turn === undefined) return undefined;
        const kept = await this.#tables.allEvents(turn);
        const attempt = new Attempt(
          {
            ...{ turn, tables: this.#tables, compare: options.compare, rewound: options.rewound },
            keep: (name, step) => keepStep(id, name, step),
            isSure: () => this.#membership.isSure,
            isLoss: (error) => error instanceof DBOSWorkflowConflictError,
            onCut: (cut) => {
              if (this.#attempts.get(id) === cut) this.#attempts.delete(id);
            },
          },
          kept,
        );
        this.#attempts.set(id, attempt);
        return attempt;
      } catch {
        if (this.#isClosed) return never();
        await sleep(RETRY_MS);
      }
    }
  }

  #following(turn: KeptTurn): FollowOptions {
    return { turn, tables: this.#tables, wakeUps: this.#parts.wakeUps, gone: this.#gone.signal };
  }

  async #readStop(attempt: Attempt): Promise<void> {
    const turn = await this.#tables.latest(attempt.stream).catch(() => undefined);
    if (turn?.id === attempt.id && turn.stop !== undefined) attempt.stop(turn.stop);
  }

  #cutAll(): void {
    for (const attempt of this.#attempts.values()) attempt.cut();
    this.#gone.abort();
    if (!this.#isClosed) this.#gone = controllerOfMany();
  }

  async #begin(id: string): Promise<void> {
    await DBOS.startWorkflow(this.#workflow, { workflowID: id })(id);
  }

  /** Has turns go on that were taken over: whichever instance asks DBOS first runs them. */
  async #goOn(turns: readonly string[]): Promise<void> {
    for (const id of turns) {
      const status = await DBOS.getWorkflowStatus(id);
      // Its instance died before DBOS knew of it, or after the workflow was over.
      if (status === null) await this.#begin(id);
      else if (status.status === 'SUCCESS' || status.status === 'ERROR') await this.#giveUp(id);
      else await DBOS.resumeWorkflow(id);
    }
  }

  /** Deletes the journals of turns that are deleted, and what is left of some streams that the application has deleted. */
  async #clean(turns: readonly string[]): Promise<void> {
    if (turns.length > 0) await DBOS.deleteWorkflows([...turns]);
    const streams = await this.#tables.streams(this.#cleanedTo);
    // After the last one it begins anew.
    this.#cleanedTo = streams.at(-1) ?? '';
    for (const stream of await this.#parts.options.gone(streams)) await this.forget(stream);
  }

  async #giveUp(id: string): Promise<void> {
    const attempt = await this.#take(id);
    if (attempt === undefined) return;
    await this.#fail(attempt, new Error('The turn cannot go on.'));
    await attempt.end();
  }

  async #fail(attempt: Attempt, error: unknown): Promise<void> {
    for (const event of await this.#parts.options.failed(error, attempt)) attempt.emit(event);
  }
}

/** As many as there are clients wait for it. */
function controllerOfMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Outside of its workflow DBOS would run a step and record nothing. */
function keepStep<T>(id: string, name: string, run: () => Promise<T>): Promise<T> {
  if (DBOS.workflowID === id) return DBOS.runStep(run, { name });
  return Promise.reject(new Error(`The step ${name} was begun outside of its turn.`));
}

function checkNode(): void {
  if (Number(process.versions.node.split('.')[0]) >= LEAST_NODE) return;
  throw new SettingsError(`DBOS needs Node ${LEAST_NODE} or later; this is ${process.version}.`);
}

function checkUrl(database: string): string {
  if (/^postgres(?:ql)?:\/\/[^/]+\/./.test(database)) return database;
  throw new SettingsError('The database of turns must be `postgres://user@host:port/name`.');
}
