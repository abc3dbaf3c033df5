import type { NumberedEvent, Turn } from '../types/index.js';
import type { Followed } from './event-stream.js';

interface CountedTurn {
  /** The number of the last event before this turn. */
  readonly before: number;
  events: number;
}

/** More than the events of any millisecond, so that no process before this one has used the numbers that follow. */
const NUMBERS_PER_MS = 1000;

/** Made of the time: after a restart, numbers go on above those that clients have seen before it. */
function firstNumber(): number {
  return Date.now() * NUMBERS_PER_MS;
}

/**
 * Numbers the events of turns, each above those of all turns before it, so that the last one that a client has seen in an
 * earlier turn is not taken for one of this turn. Events that are kept have their numbers already.
 */
export class Turns {
  readonly #counted = new WeakMap<Turn, CountedTurn>();
  /** Of all turns. */
  #last = 0;

  /** Follows a turn to its end, whether or not a client does. Never rejects. */
  async follow(turn: Turn): Promise<void> {
    if (turn.after !== undefined) return;
    const counted: CountedTurn = { before: Math.max(firstNumber(), this.#last), events: 0 };
    this.#counted.set(turn, counted);
    try {
      for await (const _event of turn) {
        counted.events += 1;
        this.#last = Math.max(this.#last, counted.before + counted.events);
      }
    } catch {
      // Who sent the message is answered with it.
    }
  }

  /** The events of a turn after the one that was seen last. */
  after(turn: Turn, seen: number): Followed {
    const leaving = new AbortController();
    return { events: turn.after?.(seen, leaving.signal) ?? this.#numbered(turn, seen), leaving };
  }

  async *#numbered(turn: Turn, seen: number): AsyncGenerator<NumberedEvent, void> {
    const { before, events } = this.#counted.get(turn) ?? { before: 0, events: 0 };
    // More than there are: seen in a process before this one, whose clock was ahead.
    const from = seen > before + events ? 0 : seen;
    let id = before;
    for await (const event of turn) {
      id += 1;
      if (id > from) yield { id, event };
    }
  }
}
