import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { orUnavailable } from './database.js';
import { OwnerTables, type FoundOwner } from './owner-tables.js';
import { EngineUnavailable, type Member } from './types.js';

/** How long a chat that was lost may take until all of it has ended here. */
const LEAVE_MS = 10_000;

export type Place = 'here' | OwnerElsewhere;

export interface OwnerElsewhere {
  readonly instance: string;
  /** Where other instances reach it, as it has written itself. */
  readonly address: string;
}

/** Each chat belongs to one instance at most: what is in memory of a chat is in one memory. */
export interface Owners {
  /**
   * Where requests of a chat belong. Claims it if no living instance has it.
   *
   * @throws EngineUnavailable, if this instance is cut off, or the owner has told no address yet.
   */
  placeOf(chat: string): Promise<Place>;
  /** The same, but a chat that nobody has stays free: `undefined`. */
  find(chat: string): Promise<Place | undefined>;
  /** Claims it for a turn that was taken over; false: another living instance has it. @throws EngineUnavailable. */
  claim(chat: string): Promise<boolean>;
  isHere(chat: string): boolean;
  /** Gives it back. `leave` runs first; meanwhile it is nobody's, and whoever asks for it here waits. */
  release(chat: string, leave?: () => Promise<void>): Promise<void>;
  /** Called for each chat that was lost without a release. It is claimed here again only after the listeners are done. */
  onLost(listener: (chat: string) => void | Promise<void>): () => void;
  /**
   * Holds a chat until the end of the client's transaction, so that a take-over waits for it; false if it is not here any
   * more: then nothing may be written.
   */
  hold(client: ClientBase, chat: string): Promise<boolean>;
  /** Chats of this instance that nobody has asked for since. */
  idleFor(ms: number): readonly string[];
  living(instances: readonly string[]): Promise<ReadonlySet<string>>;
  /** Where other instances reach this one: it claims nothing before. */
  listenAt(address: string): void;
  /** Gives all of them back, and takes no more. */
  close(): Promise<void>;
}

export interface OwnersOptions {
  /** Of the database of the engine; closed by whoever opened it. */
  readonly pool: Pool;
  readonly application: string;
  readonly member: Member;
}

interface Held {
  /** The name of this instance when it claimed the chat. */
  readonly as: string;
  usedAt: number;
}

export function openOwners(options: OwnersOptions): Owners {
  return new TabledOwners(options);
}

class TabledOwners implements Owners {
  readonly #member: Member;
  readonly #tables: OwnerTables;
  readonly #held = new Map<string, Held>();
  readonly #asking = new Map<string, Promise<Place>>();
  readonly #leaving = new Map<string, Promise<unknown>>();
  readonly #listeners = new Set<(chat: string) => void | Promise<void>>();
  readonly #off: () => void;
  #address: string | undefined;
  #isClosed = false;

  constructor({ pool, application, member }: OwnersOptions) {
    this.#member = member;
    this.#tables = new OwnerTables(pool, application);
    this.#off = member.onCut(() => this.#loseAll());
  }

  async placeOf(chat: string): Promise<Place> {
    if (this.#use(chat)) return 'here';
    const known = this.#asking.get(chat);
    if (known !== undefined) return known;
    const asking = this.#ask(chat).finally(() => this.#asking.delete(chat));
    this.#asking.set(chat, asking);
    return asking;
  }

  async find(chat: string): Promise<Place | undefined> {
    if (this.#use(chat)) return 'here';
    const found = await orUnavailable(this.#tables.find(chat));
    return found?.address === undefined ? undefined : elsewhere(found);
  }

  async claim(chat: string): Promise<boolean> {
    return (await this.placeOf(chat)) === 'here';
  }

  isHere(chat: string): boolean {
    return this.#member.isSure && this.#held.get(chat)?.as === this.#member.name;
  }

  async release(chat: string, leave?: () => Promise<void>): Promise<void> {
    const held = this.#held.get(chat);
    if (held === undefined) return;
    this.#held.delete(chat);
    await this.#leave(chat, async () => {
      await leave?.();
      await this.#tables.release([chat], held.as);
    });
  }

  onLost(listener: (chat: string) => void | Promise<void>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async hold(client: ClientBase, chat: string): Promise<boolean> {
    const held = this.#held.get(chat);
    return held !== undefined && this.isHere(chat) && (await this.#tables.hold(client, chat, held.as));
  }

  idleFor(ms: number): readonly string[] {
    const before = performance.now() - ms;
    return [...this.#held].filter(([, { usedAt }]) => usedAt < before).map(([chat]) => chat);
  }

  living(instances: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#tables.living(instances);
  }

  listenAt(address: string): void {
    this.#address = address;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#off();
    const chats = [...this.#held.keys()];
    this.#held.clear();
    await this.#tables.release(chats, this.#member.name);
  }

  #use(chat: string): boolean {
    const held = this.#held.get(chat);
    if (held === undefined || !this.isHere(chat)) return false;
    held.usedAt = performance.now();
    return true;
  }

  async #ask(chat: string): Promise<Place> {
    await this.#left(chat);
    const instance = this.#member.name;
    const address = this.#address;
    if (!this.#isReady(instance)) throw new EngineUnavailable();
    const found = await orUnavailable(this.#tables.claim(chat, { instance, address }));
    // The answer may be from before this instance was cut off.
    if (found === undefined || !this.#isReady(instance)) throw new EngineUnavailable();
    if (found.instance !== instance) return elsewhere(found);
    this.#held.set(chat, { as: instance, usedAt: performance.now() });
    return 'here';
  }

  #isReady(instance: string): boolean {
    return !this.#isClosed && this.#address !== undefined && this.#member.isSure && this.#member.name === instance;
  }

  #loseAll(): void {
    const chats = [...this.#held.keys()];
    this.#held.clear();
    for (const chat of chats) {
      // What fails has ended, too.
      void this.#leave(chat, () => Promise.allSettled([...this.#listeners].map(async (listener) => listener(chat))));
    }
  }

  #leave(chat: string, work: () => Promise<unknown>): Promise<unknown> {
    const leaving = work().finally(() => {
      if (this.#leaving.get(chat) === leaving) this.#leaving.delete(chat);
    });
    this.#leaving.set(chat, leaving);
    return leaving;
  }

  /** What of the chat is ending here must not write into what begins anew. */
  async #left(chat: string): Promise<void> {
    const leaving = this.#leaving.get(chat);
    if (leaving === undefined) return;
    const late = new AbortController();
    await Promise.race([
      leaving.catch(() => {}),
      sleep(LEAVE_MS, undefined, { signal: late.signal, ref: false }).catch(() => {}),
    ]);
    late.abort();
    if (this.#leaving.has(chat)) throw new EngineUnavailable();
  }
}

function elsewhere({ instance, address }: FoundOwner): OwnerElsewhere {
  if (address === undefined) throw new EngineUnavailable();
  return { instance, address };
}
