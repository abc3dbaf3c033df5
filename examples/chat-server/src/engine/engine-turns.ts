import { setTimeout as sleep } from 'node:timers/promises';
import {
  EngineUnavailable,
  type KeptTurn,
  type TurnAttempt,
  type TurnEngine,
} from 'responses-loop-example-shared/engine/types.js';
import type { Orchestrator, TurnDraft, TurnPlan, TurnResult } from '../chat/orchestrator.js';
import { ENDINGS, type RunningTurn } from '../chat/running-turn.js';
import { type RunningTurns, turnRunning } from '../chat/running-turns.js';
import { TIME_TO_JOIN_MS } from '../chat/service.js';
import type { TurnFrames, TurnKeeper } from '../chat/turn-keeper.js';
import { newId } from '../store/ids.js';
import type { ChatChunk } from '../types.js';
import { planTakeOver, type TakeOverParts } from './plan-take-over.js';
import { afterOf } from './rewound.js';
import { inputOf, type TurnInput } from './turn-input.js';

export interface EngineTurnsOptions extends TakeOverParts {
  readonly engine: TurnEngine;
  readonly turns: RunningTurns;
  readonly orchestrator: Orchestrator;
  /** Takes a chat whose turn goes on here; false: another living instance has it. */
  readonly claim: (sessionId: string) => Promise<boolean>;
}

interface Begun {
  readonly turn: RunningTurn;
  readonly draft: TurnDraft;
  readonly resolve: (running: { readonly result: Promise<TurnResult> }) => void;
  readonly reject: (error: unknown) => void;
}

interface Keeping {
  readonly isSettled: Promise<void>;
  readonly settle: () => void;
  kept?: KeptTurn;
}

const RETRY_MS = 200;
const EVENT_ID = /^\d{1,15}$/;

/** Turns as workflows of an engine: what they say is in its database, and another instance goes on with them. */
export class EngineTurns implements TurnKeeper {
  readonly #options: EngineTurnsOptions;
  /** By the id of the turn, until the engine runs it. */
  readonly #begun = new Map<string, Begun>();
  /** All turns that run here, but for commands: only those are heard from memory, which ends with this process. */
  readonly #kept = new WeakMap<RunningTurn, Keeping>();

  constructor(options: EngineTurnsOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#options.engine.isReady;
  }

  async checkFree(turn: RunningTurn): Promise<void> {
    let settle: () => void = () => {};
    const isKept = new Promise<void>((resolve) => (settle = resolve));
    this.#kept.set(turn, { isSettled: Promise.race([isKept, turn.ended]), settle });
    if (await this.goesOn(turn.sessionId)) throw turnRunning();
  }

  /** The engine has it before anything is stored: what is stored is answered, whoever dies. */
  async run(turn: RunningTurn, draft: TurnDraft): Promise<{ readonly result: Promise<TurnResult> }> {
    const messageId = draft.resumed?.id ?? newId('msg');
    const id = newId('turn');
    const running = new Promise<{ readonly result: Promise<TurnResult> }>((resolve, reject) => {
      this.#begun.set(id, { turn, draft: { ...draft, messageId }, resolve, reject });
    });
    running.catch(() => {});
    // One that is lost before an attempt has begun is taken over, even here.
    void turn.ended.then(() => this.#leave(id));
    try {
      const stream = turn.sessionId;
      const kept = await this.#options.engine.start({ id, stream, input: inputOf(draft, messageId) });
      if (kept === 'busy') throw turnRunning();
      const keeping = this.#kept.get(turn);
      if (keeping !== undefined) keeping.kept = kept;
      keeping?.settle();
    } catch (error) {
      this.#begun.delete(id);
      throw error;
    }
    return running;
  }

  framesOf(turn: RunningTurn, signal: AbortSignal): TurnFrames {
    const kept = this.#kept.get(turn)?.kept;
    return kept === undefined ? turn.listen() : this.#follow(kept, kept.before, signal);
  }

  async join(sessionId: string, signal: AbortSignal, lastEventId?: string): Promise<TurnFrames | undefined> {
    const turn = this.#options.turns.get(sessionId);
    const keeping = turn && this.#kept.get(turn);
    await keeping?.isSettled;
    // A command, whose answer is kept by nobody.
    if (turn !== undefined && keeping === undefined) return turn.listen();
    const latest = await this.#options.engine.latest(sessionId);
    const after = lastEventId !== undefined && EVENT_ID.test(lastEventId) ? Number(lastEventId) : undefined;
    if (latest === undefined || (latest.hasEnded && after === undefined)) return undefined;
    return this.#follow(latest, Math.max(after ?? 0, latest.before), signal);
  }

  async running(): Promise<ReadonlySet<string>> {
    return new Set([...(await this.#options.engine.running()), ...this.#options.turns.ids]);
  }

  async goesOn(sessionId: string): Promise<boolean> {
    return (await this.#options.engine.latest(sessionId))?.hasEnded === false;
  }

  async stop(sessionId: string, turn?: RunningTurn): Promise<boolean> {
    const keeping = turn && this.#kept.get(turn);
    await keeping?.isSettled;
    const id = keeping?.kept?.id;
    // A command, or a turn that was refused.
    if (turn !== undefined && id === undefined) return false;
    return this.#options.engine.stop(sessionId, 'stopped', id);
  }

  forget(sessionId: string): Promise<void> {
    return this.#options.engine.forget(sessionId);
  }

  /** Others go on at once with the turns that run here. */
  close(): Promise<void> {
    return this.#options.engine.close(0);
  }

  /** For the engine: one attempt at a turn. */
  async attempt(attempt: TurnAttempt): Promise<void> {
    await attempt.held();
    const begun = this.#begun.get(attempt.id);
    this.#begun.delete(attempt.id);
    if (begun === undefined) return this.#takeOver(attempt);
    const { turn, draft, resolve, reject } = begun;
    try {
      const session = await draft.store();
      const result = this.#runIn(attempt, turn, { ...draft, session });
      resolve({ result });
      await result;
    } catch (error) {
      reject(error);
      throw error;
    }
    return neverIfLost(turn);
  }

  /** Of a turn that nothing runs: whoever began it may do so again. */
  #leave(id: string): void {
    this.#begun.get(id)?.reject(new EngineUnavailable());
    this.#begun.delete(id);
  }

  async #takeOver(attempt: TurnAttempt): Promise<void> {
    const { stream: sessionId } = attempt;
    const { turns } = this.#options;
    if (!(await this.#isClaimed(sessionId))) {
      await attempt.giveBack();
      return;
    }
    // The claim may have waited for so long that another attempt has the turn.
    await attempt.held();
    // A command of the same chat.
    for (let other = turns.get(sessionId); other !== undefined; other = turns.get(sessionId)) await other.ended;
    const turn = turns.begin(sessionId);
    this.#kept.set(turn, { isSettled: Promise.resolve(), settle: () => {}, kept: attempt });
    try {
      const plan = await planTakeOver(this.#options, sessionId, attempt.input as TurnInput);
      if (plan === undefined) return turn.end('unbegun');
      turn.expectListeners(TIME_TO_JOIN_MS);
      await this.#runIn(attempt, turn, plan);
    } catch (error) {
      turn.end('unbegun');
      throw error;
    }
    return neverIfLost(turn);
  }

  async #isClaimed(sessionId: string): Promise<boolean> {
    for (;;) {
      try {
        return await this.#options.claim(sessionId);
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        // This instance does not listen yet, or it is cut off.
        await sleep(RETRY_MS);
      }
    }
  }

  #runIn(attempt: TurnAttempt, turn: RunningTurn, plan: TurnPlan): Promise<TurnResult> {
    turn.keepIn(attempt);
    const stop = (): void => turn.abort('stopped');
    if (attempt.stopped() !== undefined) stop();
    // One that was lost ends by its record.
    attempt.signal.addEventListener('abort', () => attempt.stopped() !== undefined && stop(), { once: true });
    return this.#options.orchestrator.run(turn, plan);
  }

  /** Whoever follows a turn of this server listens to it. */
  #follow(kept: KeptTurn, after: number, signal: AbortSignal): TurnFrames {
    const { turns } = this.#options;
    const left = new AbortController();
    const place = { turn: turns.get(kept.stream), leave: turns.get(kept.stream)?.attend() };
    const leave = (): void => {
      left.abort();
      place.leave?.();
    };
    const attend = (): void => {
      const turn = turns.get(kept.stream);
      if (turn === undefined || turn === place.turn || left.signal.aborted) return;
      place.leave?.();
      Object.assign(place, { turn, leave: turn.attend() });
    };
    const frames = this.#frames(kept, after, { signal: AbortSignal.any([signal, left.signal]), attend });
    return {
      next: async () => {
        const next = await frames.next().catch((error: unknown) => {
          leave();
          throw error;
        });
        if (next.done === true) leave();
        return next;
      },
      return: async () => {
        leave();
        return { done: true, value: undefined };
      },
    };
  }

  async *#frames(
    kept: KeptTurn,
    after: number,
    { signal, attend }: { readonly signal: AbortSignal; readonly attend: () => void },
  ): AsyncGenerator<readonly string[], 'replaced' | undefined> {
    let seen = after;
    for await (const { seq, event } of this.#options.engine.follow(kept, after, signal)) {
      attend();
      const replacedAfter = afterOf(event);
      // What it was sent does not count any more: it reads the chat, and begins anew.
      if (replacedAfter !== undefined && seen > replacedAfter) return 'replaced';
      if (replacedAfter !== undefined) continue;
      const own = this.#options.turns.get(kept.stream);
      // Whoever reads the end may send the next message.
      if (own?.recordId === kept.id && ENDINGS.has((event as ChatChunk).type)) await own.ended;
      seen = seq;
      yield [`${JSON.stringify(event)}\nid: ${seq}`];
    }
    return undefined;
  }
}

/** What an attempt returns from is over for everybody. */
function neverIfLost(turn: RunningTurn): Promise<void> {
  return turn.isLost ? new Promise(() => {}) : Promise.resolve();
}
