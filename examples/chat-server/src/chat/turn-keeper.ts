import type { Orchestrator, TurnDraft, TurnResult } from './orchestrator.js';
import type { RunningTurn } from './running-turn.js';
import type { RunningTurns } from './running-turns.js';

/** What a client is sent of a turn: fields of events, many at once. Without an end, what came before does not count any more. */
export type TurnFrames = AsyncIterator<readonly string[], 'replaced' | undefined>;

/** Where turns run and where what they say is kept. */
export interface TurnKeeper {
  /** Takes turns now: it is neither cut off from the other servers nor closing. */
  readonly isReady: boolean;
  /** Before a turn runs. @throws HttpError `turn_running`, if the chat has a turn that this server does not know of. */
  checkFree(turn: RunningTurn): Promise<void>;
  /** Resolves when what the turn brings is stored. @throws StoreError */
  run(turn: RunningTurn, draft: TurnDraft): Promise<{ readonly result: Promise<TurnResult> }>;
  /** What a turn of this server says, from its first word on. */
  framesOf(turn: RunningTurn, signal: AbortSignal): TurnFrames;
  /** The turn of a chat, from its first word on or behind `lastEventId`; `undefined`, if there is nothing to hear. */
  join(sessionId: string, signal: AbortSignal, lastEventId?: string): Promise<TurnFrames | undefined>;
  /** The chats with a turn. */
  running(): Promise<ReadonlySet<string>>;
  /** Whether a chat has a turn that has survived its server. */
  goesOn(sessionId: string): Promise<boolean>;
  /**
   * Ends the turn of a chat wherever it runs, and keeps that it was stopped: who takes it over stops it, too. If `turn` is given,
   * that one only. Returns whether there was one.
   */
  stop(sessionId: string, turn?: RunningTurn): Promise<boolean>;
  /** Nothing of a chat that was deleted stays. */
  forget(sessionId: string): Promise<void>;
  /** Takes no more turns, and leaves those that run to others, if these can go on with them. */
  close(): Promise<void>;
}

/** Turns run in this server, and what they say is in its memory. */
export class KeptInMemory implements TurnKeeper {
  readonly isReady = true;
  readonly #turns: RunningTurns;
  readonly #orchestrator: Orchestrator;

  constructor(turns: RunningTurns, orchestrator: Orchestrator) {
    this.#turns = turns;
    this.#orchestrator = orchestrator;
  }

  async checkFree(): Promise<void> {}

  async run(turn: RunningTurn, draft: TurnDraft): Promise<{ readonly result: Promise<TurnResult> }> {
    const session = await draft.store();
    return { result: this.#orchestrator.run(turn, { ...draft, session }) };
  }

  framesOf(turn: RunningTurn): TurnFrames {
    return turn.listen();
  }

  async join(sessionId: string): Promise<TurnFrames | undefined> {
    return this.#turns.get(sessionId)?.listen();
  }

  async running(): Promise<ReadonlySet<string>> {
    return this.#turns.ids;
  }

  async goesOn(): Promise<boolean> {
    return false;
  }

  async stop(): Promise<boolean> {
    return false;
  }

  async forget(): Promise<void> {}

  async close(): Promise<void> {}
}
