/** Which chats calls of MCP tools belong to: the protocol names no call in a question, so several may have asked it. */
export class CallsOfChats {
  readonly #chats = new Map<string, Set<string>>();

  add(sessionId: string, callId: string): void {
    this.#chats.set(callId, (this.#chats.get(callId) ?? new Set()).add(sessionId));
  }

  /**
   * The one chat that all of these calls are of, or the one of several that does not wait for an answer already; `undefined`,
   * if that leaves more than one, or none is known.
   */
  chatOf(callIds: readonly string[], isWaiting: (sessionId: string) => boolean): string | undefined {
    const chats = [...new Set(callIds.flatMap((callId) => [...(this.#chats.get(callId) ?? [])]))];
    const free = chats.length === 1 ? chats : chats.filter((sessionId) => !isWaiting(sessionId));
    return free.length === 1 ? free[0] : undefined;
  }

  endTurn(sessionId: string): void {
    for (const [callId, chats] of this.#chats) {
      chats.delete(sessionId);
      if (chats.size === 0) this.#chats.delete(callId);
    }
  }
}
