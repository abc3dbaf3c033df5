import type { TurnTables } from './turn-tables.js';
import { EngineUnavailable, type KeptEvent, type KeptTurn } from './types.js';
import type { WakeUps } from './wake-ups.js';

/** Notifications may be lost with a connection: then the next look is so much later. */
const LOOK_MS = 1_000;

export interface FollowOptions {
  readonly turn: KeptTurn;
  readonly tables: TurnTables;
  readonly wakeUps: WakeUps;
  /** Aborts if this instance is cut off from the database, or closes: clients go on at another one. */
  readonly gone: AbortSignal;
}

/** The events of a turn that runs anywhere, until it has ended. An outage of the database is waited out. */
export async function* followTurn(
  { turn, tables, wakeUps, gone }: FollowOptions,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<KeptEvent, void> {
  const bell = new Bell();
  const off = wakeUps.on(turn.stream, bell.ring);
  signal?.addEventListener('abort', bell.ring, { once: true });
  try {
    // More than there are: a number of another database.
    let seen = after > turn.before && after <= (await tables.lastSeq(turn.stream)) ? after : turn.before;
    for (;;) {
      if (signal?.aborted === true) return;
      const found = await unless(gone, look(tables, turn, seen));
      for (const event of found?.events ?? []) {
        seen = event.seq;
        yield event;
      }
      if (found?.hasEnded === true && found.events.length === 0) return;
      if (found === undefined || found.events.length === 0) await bell.wait(LOOK_MS);
    }
  } finally {
    off();
    signal?.removeEventListener('abort', bell.ring);
  }
}

/** Waits until a turn has ended. */
export async function turnEnded({ turn, tables, wakeUps, gone }: FollowOptions): Promise<void> {
  const bell = new Bell();
  const off = wakeUps.on(turn.stream, bell.ring);
  try {
    while (
      !(await unless(
        gone,
        tables.hasEnded(turn.id).catch(() => false),
      ))
    )
      await bell.wait(LOOK_MS);
  } finally {
    off();
  }
}

/** A database that cannot be reached may take long to say so. */
async function unless<T>(gone: AbortSignal, work: Promise<T>): Promise<T> {
  let leave: () => void = () => {};
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(new EngineUnavailable());
  });
  if (gone.aborted) leave();
  gone.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, left]);
  } finally {
    gone.removeEventListener('abort', leave);
  }
}

/** `undefined`: the database does not answer. */
async function look(
  tables: TurnTables,
  turn: KeptTurn,
  seen: number,
): Promise<{ readonly hasEnded: boolean; readonly events: readonly KeptEvent[] } | undefined> {
  try {
    // In this order: after its end nothing is added.
    const hasEnded = await tables.hasEnded(turn.id);
    return { hasEnded, events: await tables.events(turn, seen) };
  } catch {
    return undefined;
  }
}

/** Rings for one that waits; a ring that comes before is not missed. */
class Bell {
  #hasRung = false;
  #wake: () => void = () => {};

  readonly ring = (): void => {
    this.#hasRung = true;
    this.#wake();
  };

  async wait(withinMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, withinMs);
      });
    }
    clearTimeout(timer);
    this.#hasRung = false;
  }
}
