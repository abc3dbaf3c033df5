import { HttpError } from '../errors.js';
import { RunningTurn } from './running-turn.js';

/** One turn per session at a time. */
export class RunningTurns {
  readonly #turns = new Map<string, RunningTurn>();
  readonly #graceMs: number;
  readonly #onEnd: (turn: RunningTurn) => void;
  #isClosed = false;

  /** `onEnd` hears of each turn that is over, commands included, before another one of its session can begin. */
  constructor(graceMs: number, onEnd: (turn: RunningTurn) => void = () => {}) {
    this.#graceMs = graceMs;
    this.#onEnd = onEnd;
  }

  /** Claims the session before anything is awaited. @throws HttpError `turn_running` or `server_ends`. */
  begin(sessionId: string): RunningTurn {
    if (this.#isClosed) throw new HttpError(503, 'server_ends', 'The server is shutting down and starts no new turns.');
    if (this.#turns.has(sessionId)) throw turnRunning();
    const onEnd = (): void => {
      this.#turns.delete(sessionId);
      this.#onEnd(turn);
    };
    const turn = new RunningTurn({ sessionId, graceMs: this.#graceMs, onEnd });
    this.#turns.set(sessionId, turn);
    return turn;
  }

  get(sessionId: string): RunningTurn | undefined {
    return this.#turns.get(sessionId);
  }

  /** The chats with a turn. */
  get ids(): ReadonlySet<string> {
    return new Set(this.#turns.keys());
  }

  get size(): number {
    return this.#turns.size;
  }

  /** Aborts all turns, takes no new ones, and waits until what they said is stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const turns = [...this.#turns.values()];
    for (const turn of turns) turn.abort('the server ends');
    await Promise.all(turns.map(({ ended }) => ended));
  }
}

export function turnRunning(): HttpError {
  const message = 'The model is still working in this chat. Wait until it has finished, or stop it.';
  return new HttpError(409, 'turn_running', message);
}
