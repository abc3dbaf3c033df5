import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig, type Pool } from 'pg';
import { poolOf } from '../postgres.js';
import { SettingsError } from '../settings-error.js';
import { Attempt, never } from './attempt.js';
import { makeTables, orUnavailable } from './database.js';
import { followTurn, type FollowOptions, turnEnded } from './follow-turn.js';
import { InstanceTables } from './instance-tables.js';
import { journalOfTurn } from './journal-of-turn.js';
import { DEAD_AFTER_MS, Membership } from './membership.js';
import type { StepKeeper, TurnRunner } from './turn-runner.js';
import { stopsOf, TurnTables } from './turn-tables.js';
import {
  EngineUnavailable,
  type EngineOptions,
  type KeptTurn,
  type LatestTurn,
  type Member,
  type NewTurn,
  type TurnEngine,
} from './types.js';
import { WakeUps } from './wake-ups.js';

const GRACE_MS = 5_000;
const RETRY_MS = 500;
const CONNECT_MS = 3_000;
export const QUERY_MS = 15_000;
export const CONNECTIONS = 20;

/** Turns whose attempts a runner runs. It is not opened if the database cannot be used. */
export async function openTurnEngine(options: EngineOptions, runner: TurnRunner): Promise<TurnEngine> {
  const { application } = options;
  const connection = connectionOf(options.database);
  const pool = poolOf({ ...connection, max: CONNECTIONS, query_timeout: QUERY_MS });
  // Signs of life do not wait behind anything else.
  const ownPool = poolOf({ ...connection, max: 2, query_timeout: DEAD_AFTER_MS / 2 });
  const connect = async (): Promise<Client> => {
    const client = new Client({ ...connection, query_timeout: QUERY_MS });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const wakeUps = new WakeUps(connect, application);
  try {
    await makeTables(pool);
    await wakeUps.open();
  } catch (error) {
    await Promise.allSettled([wakeUps.close(), pool.end(), ownPool.end()]);
    throw new SettingsError(`The database of turns cannot be used: ${(error as Error).message}.`, { cause: error });
  }
  const engine = new PostgresTurnEngine({ options, runner, pool, ownPool, wakeUps });
  await engine.open();
  return engine;
}

export function connectionOf(database: string): ClientConfig {
  if (!/^postgres(?:ql)?:\/\/[^/]+\/./.test(database))
    throw new SettingsError('The database of turns must be `postgres://user@host:port/name`.');
  return { connectionString: database, connectionTimeoutMillis: CONNECT_MS, keepAlive: true };
}

/** Of a turn that only ends. */
const NO_STEPS: StepKeeper = {
  keep: (name) => Promise.reject(new Error(`The step ${name} was begun outside of its turn.`)),
  isLoss: () => false,
};

interface EngineParts {
  readonly options: EngineOptions;
  readonly runner: TurnRunner;
  readonly pool: Pool;
  readonly ownPool: Pool;
  readonly wakeUps: WakeUps;
}

class PostgresTurnEngine implements TurnEngine {
  readonly #parts: EngineParts;
  readonly #tables: TurnTables;
  readonly #membership: Membership;
  readonly #attempts = new Map<string, Attempt>();
  #isClosed = false;
  /** The last stream that was looked at: whether it is gone. */
  #cleanedTo = '';
  /** Ends what is read here for clients, once this instance is cut off. */
  #gone = controllerOfMany();
  /** Runs what is not to be a part of a workflow, whoever calls it. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(parts: EngineParts) {
    const { options, pool, ownPool } = parts;
    this.#parts = parts;
    this.#tables = new TurnTables(pool, options.application);
    this.#membership = new Membership({
      tables: new InstanceTables(ownPool, options.application),
      running: () => [...this.#attempts.keys()],
      onStops: (stops) => stops.forEach((how, id) => this.#attempts.get(id)?.stop(how)),
      onClaimed: (turns) => this.#goOn(turns),
      onPruned: (turns) => this.#clean(turns),
    });
    this.#membership.onCut(() => this.#cutAll());
  }

  get isReady(): boolean {
    return !this.#isClosed && this.#membership.isSure;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get member(): Member {
    return this.#membership;
  }

  async open(): Promise<void> {
    const { runner, wakeUps } = this.#parts;
    const isReady = (): boolean => this.isReady;
    await runner.open({
      name: this.#membership.name,
      get isReady() {
        return isReady();
      },
      run: (id, steps) => this.#run(id, steps),
    });
    await this.#membership.open();
    wakeUps.on('', () => void this.#membership.claim().catch(() => {}));
  }

  async start(turn: NewTurn): Promise<KeptTurn | 'busy'> {
    if (!this.isReady) throw new EngineUnavailable();
    const kept = await orUnavailable(this.#tables.start(turn, this.#membership.name));
    if (kept === undefined) return 'busy';
    // It is kept: what cannot begin now begins a little later.
    await this.#parts.runner.begin(kept.id).catch(() => {});
    return kept;
  }

  running(): Promise<ReadonlySet<string>> {
    return orUnavailable(this.#tables.running());
  }

  latest(stream: string): Promise<LatestTurn | undefined> {
    return orUnavailable(this.#tables.latest(stream));
  }

  async stop(stream: string, how: string, id?: string): Promise<boolean> {
    const turn = await orUnavailable(this.#tables.latest(stream));
    if (turn === undefined || turn.hasEnded || (id ?? turn.id) !== turn.id) return false;
    await orUnavailable(this.#tables.stop(turn.id, how));
    await turnEnded(this.#following(turn));
    return true;
  }

  follow(turn: KeptTurn, after: number, signal?: AbortSignal): ReturnType<TurnEngine['follow']> {
    return followTurn(this.#following(turn), after, signal);
  }

  async forget(stream: string): Promise<void> {
    const turns = await orUnavailable(this.#tables.forget(stream));
    await this.#parts.runner.forget(turns);
  }

  async close(graceMs = GRACE_MS): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#gone.abort();
    const { runner, pool, ownPool, wakeUps } = this.#parts;
    const parked = Promise.all([...this.#attempts.values()].map((attempt) => attempt.park()));
    await Promise.race([parked, sleep(graceMs)]);
    this.#cutAll();
    await this.#membership.close().catch(() => {});
    await runner.close().catch(() => {});
    await Promise.allSettled([wakeUps.close(), pool.end(), ownPool.end()]);
  }

  /** Runs one attempt. Does not return if the turn is another attempt's. */
  async #run(id: string, steps: StepKeeper): Promise<void> {
    const attempt = await this.#take(id, steps);
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
    const { run, compare, onWarning } = this.#parts.options;
    try {
      // Without steps that are recorded, what a turn begins is no part of its workflow.
      await (compare === undefined ? this.#outside(run, attempt) : run(attempt));
    } catch (error) {
      if (attempt.isCut) return never();
      onWarning?.(`Turn ${attempt.id} failed: ${error instanceof Error ? error.message : String(error)}`);
      await this.#fail(attempt, error);
    }
  }

  /** `undefined`: the turn has ended. */
  async #take(id: string, steps: StepKeeper): Promise<Attempt | undefined> {
    const { options } = this.#parts;
    this.#attempts.get(id)?.cut();
    for (;;) {
      // It is found later that no attempt has begun.
      if (this.#isClosed || steps.givenUp?.aborted === true) return never();
      try {
        const turn = await this.#tables.take(id, this.#membership.name);
        if (turn === undefined) return undefined;
        const kept = await this.#tables.allEvents(turn);
        const attempt = new Attempt(
          {
            ...{ turn, steps, tables: this.#tables, compare: options.compare, rewound: options.rewound },
            isSure: () => this.#membership.isSure,
            onCut: (cut) => {
              if (this.#attempts.get(id) === cut) this.#attempts.delete(id);
            },
          },
          kept,
        );
        this.#attempts.set(id, attempt);
        onAbort(steps.givenUp, () => attempt.cut());
        return attempt;
      } catch {
        if (!this.isReady) steps.lost?.();
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

  /** Has turns go on that were taken over. */
  async #goOn(turns: readonly string[]): Promise<void> {
    const goOn = async (id: string): Promise<void> => {
      if (!(await this.#parts.runner.goOn(id))) await this.#giveUp(id);
    };
    await Promise.all(turns.map(goOn));
  }

  /** Deletes the journals of turns that are deleted, and what is left of some streams that the application has deleted. */
  async #clean(turns: readonly string[]): Promise<void> {
    await this.#parts.runner.forget(turns);
    const streams = await this.#tables.streams(this.#cleanedTo);
    // After the last one it begins anew.
    this.#cleanedTo = streams.at(-1) ?? '';
    for (const stream of await this.#parts.options.gone(streams)) await this.forget(stream);
  }

  async #giveUp(id: string): Promise<void> {
    const attempt = await this.#take(id, NO_STEPS);
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

function onAbort(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted === true) act();
  else signal?.addEventListener('abort', act, { once: true });
}
