import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from 'responses-loop/v3';
import { EventWriter } from './event-writer.js';
import { journalOfTurn } from './journal-of-turn.js';
import type { StepKeeper } from './turn-runner.js';
import type { HeldTurn, TurnTables } from './turn-tables.js';
import type { EngineOptions, KeptEvent, TurnAttempt } from './types.js';

const RETRY_MS = 200;

export interface AttemptOptions extends Pick<EngineOptions, 'compare' | 'rewound'> {
  readonly turn: HeldTurn;
  readonly tables: TurnTables;
  readonly steps: StepKeeper;
  /** Whether this instance is sure that nobody else has its turns. */
  readonly isSure: () => boolean;
  readonly onCut: (attempt: Attempt) => void;
}

/**
 * One attempt at a turn in this instance. Once it is cut, nothing of it goes on: its steps never settle, so that nothing is
 * recorded of what they came to, and what it would write is not written.
 */
export class Attempt implements TurnAttempt {
  readonly journal: Journal = { step: ({ key }, run) => this.step(key, run) };
  readonly #options: AttemptOptions;
  readonly #controller = new AbortController();
  readonly #writer: EventWriter;
  #isCut = false;
  #isParking = false;
  #stop: string | undefined;
  /** Steps that run now, and whether one has run in this very attempt. */
  #running = 0;
  #hasRun = false;
  #isWaiting = false;
  readonly #rested: Promise<void>;
  #rest!: () => void;
  readonly over: Promise<'ended' | 'lost'>;
  #isOver!: (how: 'ended' | 'lost') => void;

  /** With the events that earlier attempts have kept. */
  constructor(options: AttemptOptions, kept: readonly KeptEvent[]) {
    this.#options = options;
    this.#stop = options.turn.stop;
    this.#writer = new EventWriter({ ...options, isCut: () => this.isCut, onLost: () => this.cut() }, kept);
    this.#rested = new Promise((resolve) => (this.#rest = resolve));
    this.over = new Promise((resolve) => (this.#isOver = resolve));
  }

  get id(): string {
    return this.#options.turn.id;
  }

  get stream(): string {
    return this.#options.turn.stream;
  }

  get input(): unknown {
    return this.#options.turn.input;
  }

  get before(): number {
    return this.#options.turn.before;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A process that was frozen finds out here, before it does anything. */
  get isCut(): boolean {
    if (!this.#isCut && !this.#options.isSure()) this.cut();
    return this.#isCut;
  }

  readonly stopped = (): string | undefined => this.#stop;

  /** Steps are begun here in the order in which they are asked for. */
  async step<T>(name: string, run: () => Promise<T>): Promise<T> {
    try {
      return await this.#options.steps.keep(name, () => this.#act(run));
    } catch (error) {
      if (this.#options.steps.isLoss(error)) this.cut();
      if (this.isCut) return never();
      throw error;
    }
  }

  async held(): Promise<void> {
    this.#hasRun = true;
    if (this.#stop !== undefined) this.#controller.abort(stopError());
    await this.#check();
    if (this.isCut) await never();
  }

  async giveBack(): Promise<void> {
    const { turn, tables } = this.#options;
    this.cut();
    await tables.giveBack(turn);
  }

  emit(event: unknown): void {
    this.#writer.add(event);
  }

  async guarded<T>(write: () => Promise<T>): Promise<T> {
    const { turn, tables } = this.#options;
    const failures: unknown[] = [];
    const attempt = (): Promise<T | undefined> =>
      write().catch((error: unknown) => {
        failures.push(error);
        return undefined;
      });
    while (!this.isCut) {
      try {
        const held = await tables.whileHeld(turn, attempt);
        if (held === undefined) this.cut();
        else if (failures.length === 0) return held.value as T;
      } catch {
        // The database is away.
      }
      if (failures.length > 0) throw failures[0];
      if (!this.isCut) await sleep(RETRY_MS);
    }
    return never();
  }

  /** Nothing of it goes on. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#controller.abort(new Error('This instance has lost the turn.'));
    this.#options.onCut(this);
    this.#isOver('lost');
    this.#options.steps.lost?.();
    this.#rest();
  }

  stop(how: string): void {
    this.#stop ??= how;
    // While it repeats what is recorded, it goes on to where that ends.
    if (this.#hasRun) this.#controller.abort(stopError());
  }

  /** No new step begins; resolves when none runs any more. */
  park(): Promise<void> {
    this.#isParking = true;
    return this.#rested;
  }

  /** Keeps the last events, and ends the turn for everybody. Never returns if it was cut. */
  async end(): Promise<void> {
    if ((await this.#writer.end()) && !this.isCut) return this.#ended();
    const { turn, tables } = this.#options;
    while (!this.isCut) {
      try {
        // After a lost answer it has ended already.
        if ((await tables.end(turn)) || (await tables.hasEnded(turn.id))) return this.#ended();
        this.cut();
      } catch {
        await sleep(RETRY_MS);
      }
    }
    return never();
  }

  /** Runs a step that is not recorded yet. */
  async #act<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isParking) {
      this.#isWaiting = true;
      this.#restIfIdle();
      return never();
    }
    if (this.#stop !== undefined) this.#controller.abort(stopError());
    this.#hasRun = true;
    this.#running += 1;
    try {
      // What acts is asked for once more: an instance that was cut off may have been taken over.
      await this.#check();
      // The answer may be from before the process was frozen.
      if (this.isCut) return await never();
      this.signal.throwIfAborted();
      return await journalOfTurn.exit(run);
    } finally {
      this.#running -= 1;
      this.#restIfIdle();
      if (this.isCut) await never();
    }
  }

  async #check(): Promise<void> {
    const { turn, tables } = this.#options;
    while (!this.isCut) {
      try {
        if (await tables.isHeld(turn)) return;
        this.cut();
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }

  #ended(): void {
    this.#isOver('ended');
    this.#rest();
  }

  #restIfIdle(): void {
    if (this.#isWaiting && this.#running === 0) this.#rest();
  }
}

function stopError(): DOMException {
  return new DOMException('The turn was stopped.', 'AbortError');
}

/** A promise of its own each time, so that what waits for it can be collected. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
