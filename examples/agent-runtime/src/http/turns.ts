import type { NumberedEvent, Turn } from '../types/index.js';
import type { Followed } from './event-stream.js';

interface RunningTurn {
  readonly turn: Turn;
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
 * Numbers the events of each session over its turns, so that the last one that a client has seen in an earlier turn is not
 * taken for one of this turn. Events that are kept have their numbers already.
 */
export class Turns {
  readonly #last = new Map<string, RunningTurn>();

  /** Follows a turn to its end, whether or not a client does. Never rejects. */
  async follow(sessionId: string, turn: Turn): Promise<void> {
    if (turn.after !== undefined) return;
    const earlier = this.#last.get(sessionId);
    const running: RunningTurn = {
      turn,
      before: earlier === undefined ? firstNumber() : earlier.before + earlier.events,
      events: 0,
    };
    this.#last.set(sessionId, running);
    try {
      for await (const _event of turn) running.events += 1;
    } catch {
      // Who sent the message is answered with it. Where another turn is running, that is still the one to be followed.
      if (this.#last.get(sessionId) === running && earlier !== undefined) this.#last.set(sessionId, earlier);
    }
  }

  /** The events of a turn after the one that was seen last. */
  after(sessionId: string, turn: Turn, seen: number): Followed {
    const leaving = new AbortController();
    return { events: turn.after?.(seen, leaving.signal) ?? this.#numbered(sessionId, turn, seen), leaving };
  }

  async *#numbered(sessionId: string, turn: Turn, seen: number): AsyncGenerator<NumberedEvent, void> {
    const running = this.#last.get(sessionId);
    const [before, events] = running?.turn === turn ? [running.before, running.events] : [0, 0];
    // More than there are: seen in a process before this one, whose clock was ahead.
    const from = seen > before + events ? 0 : seen;
    let id = before;
    for await (const event of turn) {
      id += 1;
      if (id > from) yield { id, event };
    }
  }

  forget(sessionId: string): void {
    this.#last.delete(sessionId);
  }
}
