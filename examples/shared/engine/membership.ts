import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { InstanceTables } from './instance-tables.js';
import type { Member } from './types.js';

/** How often an instance gives a sign of life. */
const BEAT_MS = 1_000;
/** After this long without one it counts as dead, by the clock of the database. */
export const DEAD_AFTER_MS = 5_000;
/** How often an instance looks at its own clock. */
const WATCH_MS = 250;
/** Turns that ended long ago are deleted this often. */
const PRUNE_MS = 60_000;
/** How long a turn that was taken over may wait for an attempt to begin. */
const PATIENCE_MS = 5_000;

export interface MembershipOptions {
  readonly tables: InstanceTables;
  /** The turns that run here. */
  readonly running: () => readonly string[];
  readonly onStops: (stops: ReadonlyMap<string, string>) => void;
  /** These turns have to go on. */
  readonly onClaimed: (turns: readonly string[]) => Promise<void>;
  /** From time to time, with the turns that were deleted since they ended long ago. */
  readonly onPruned: (turns: readonly string[]) => Promise<void>;
}

/**
 * One instance among others: gives signs of life, takes over the turns of those that give none, and notices when it is cut
 * off itself. By its own clock it stops sooner than others count it as dead by the clock of the database; a process that was
 * frozen looks at its clock before it does anything.
 */
export class Membership implements Member {
  readonly #options: MembershipOptions;
  /** New after each time that it was cut off: what is kept for the old name is lost. */
  #name = newName();
  #leaseUntil = 0;
  #isCut = false;
  /** Since when every sign of life was taken. */
  #steadySince: number | undefined;
  #prunedAt = -Infinity;
  #beatTimer: ReturnType<typeof setTimeout> | undefined;
  #watchTimer: ReturnType<typeof setInterval> | undefined;
  #isOver = false;
  #claiming: Promise<void> | undefined;
  readonly #cutListeners = new Set<() => void>();

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#name;
  }

  /** Whether nobody else can have its turns. */
  get isSure(): boolean {
    return !this.#isCut && performance.now() < this.#leaseUntil;
  }

  /** This instance may do nothing more for what it holds: others may have it. */
  onCut(listener: () => void): () => void {
    this.#cutListeners.add(listener);
    return () => void this.#cutListeners.delete(listener);
  }

  async open(): Promise<void> {
    await this.#join();
    this.#watchTimer = setInterval(() => this.#watch(), WATCH_MS);
    this.#later();
  }

  /** Takes over what nobody has. */
  claim(): Promise<void> {
    this.#claiming ??= this.#claim().finally(() => (this.#claiming = undefined));
    return this.#claiming;
  }

  /** Its turns are free for others. */
  async close(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#beatTimer);
    clearInterval(this.#watchTimer);
    await this.#claiming?.catch(() => {});
    await this.#options.tables.leave(this.#name);
    await this.#options.tables.call();
  }

  async #join(): Promise<void> {
    const sentAt = performance.now();
    await this.#options.tables.join(this.#name);
    this.#isCut = false;
    this.#extend(sentAt);
  }

  #extend(sentAt: number): void {
    this.#leaseUntil = sentAt + DEAD_AFTER_MS * 0.8;
  }

  #watch(): void {
    if (this.#isCut || performance.now() < this.#leaseUntil) return;
    this.#cut();
  }

  #cut(): void {
    this.#isCut = true;
    for (const listener of this.#cutListeners) listener();
  }

  #later(): void {
    if (!this.#isOver) this.#beatTimer = setTimeout(() => void this.#beat().then(() => this.#later()), BEAT_MS);
  }

  /** Never rejects: without an answer the time of this instance runs out by itself. */
  async #beat(): Promise<void> {
    try {
      const sentAt = performance.now();
      this.#watch();
      if (this.#isCut || !(await this.#options.tables.beat(this.#name))) return await this.#rejoin();
      // The answer may have come too late.
      this.#watch();
      if (this.#isCut) return;
      this.#extend(sentAt);
      this.#steadySince ??= sentAt;
      this.#options.onStops(await this.#options.tables.stops(this.#name));
      // Others count it as dead if its next sign of life waits for what it takes over.
      void this.claim()
        .then(() => this.#prune())
        .catch(() => (this.#steadySince = undefined));
    } catch {
      this.#steadySince = undefined;
    }
  }

  async #rejoin(): Promise<void> {
    this.#steadySince = undefined;
    if (!this.#isCut) this.#cut();
    await this.#options.tables.leave(this.#name);
    this.#name = newName();
    await this.#join();
  }

  async #claim(): Promise<void> {
    const { tables, running, onClaimed } = this.#options;
    if (this.#isOver || !this.isSure) return;
    // After an outage of the database everybody looks dead to the first one that is back.
    if (performance.now() - (this.#steadySince ?? Infinity) >= DEAD_AFTER_MS) await tables.bury(DEAD_AFTER_MS);
    const claimed = await tables.claim(this.#name, running(), PATIENCE_MS);
    if (claimed.length > 0) await onClaimed(claimed);
  }

  async #prune(): Promise<void> {
    if (performance.now() - this.#prunedAt < PRUNE_MS) return;
    this.#prunedAt = performance.now();
    await this.#options.onPruned(await this.#options.tables.prune());
  }
}

function newName(): string {
  return `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
}
