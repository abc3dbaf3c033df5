import type { AppCallContext } from '../context/request-context.js';

/** Who makes calls: the turn of a chat, by the id of the chat, or an app. */
export type Caller = string | AppCallContext;

/** Who makes the calls of MCP tools that run: the protocol names no call in a question, so several may have asked it. */
export class CallsOfChats {
  readonly #callers = new Map<string, Set<Caller>>();

  add(caller: Caller, callId: string): void {
    this.#callers.set(callId, (this.#callers.get(callId) ?? new Set()).add(caller));
  }

  of(callIds: readonly string[]): readonly Caller[] {
    return [...new Set(callIds.flatMap((callId) => [...(this.#callers.get(callId) ?? [])]))];
  }

  /**
   * The one that makes all of these calls, or the one of several that does not wait for an answer already; `undefined`, if
   * that leaves more than one, or none is known.
   */
  callerOf(callIds: readonly string[], isWaiting: (caller: Caller) => boolean): Caller | undefined {
    const callers = this.of(callIds);
    const free = callers.length === 1 ? callers : callers.filter((caller) => !isWaiting(caller));
    return free.length === 1 ? free[0] : undefined;
  }

  end(caller: Caller): void {
    for (const [callId, callers] of this.#callers) {
      callers.delete(caller);
      if (callers.size === 0) this.#callers.delete(callId);
    }
  }
}
