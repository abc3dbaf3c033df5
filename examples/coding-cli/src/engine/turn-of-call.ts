/** In which turn a call of a tool began: one that was stopped may still change a file while the next turn runs. */
export class TurnOfCall {
  readonly #turns = new Map<string, number>();
  #last = 1;

  start(callId: string, turn: number): void {
    this.#last = Math.max(turn, 1);
    this.#turns.set(callId, this.#last);
  }

  get(callId: string): number {
    return this.#turns.get(callId) ?? this.#last;
  }
}
