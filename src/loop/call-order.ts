/**
 * Which calls of a round stand behind one that has to run alone: those it may not overtake. Every call is looked at a fixed
 * number of times, however many there are and in whatever order they are completed.
 */
export class CallOrder {
  /** Places in the order calls were begun in, of those whose arguments are not complete yet. */
  readonly #places = new Map<string, number>();
  /** The places of calls that have to run alone; those before `#firstOpen` are complete. */
  readonly #alone: { readonly place: number; readonly callId: string }[] = [];
  #firstOpen = 0;
  #begun = 0;
  #aloneIsComplete = false;

  /** The model began a call. */
  begin(callId: string, overlaps: boolean): void {
    if (this.#places.has(callId)) return;
    this.#places.set(callId, this.#begun);
    if (!overlaps) this.#alone.push({ place: this.#begun, callId });
    this.#begun += 1;
  }

  /** The model completed a call, begun before or not; says whether one before it has to run alone. */
  complete(callId: string, overlaps: boolean): boolean {
    const place = this.#places.get(callId) ?? this.#begun;
    const isBehind = this.#aloneIsComplete || this.#firstAlone() < place;
    this.#places.delete(callId);
    this.#aloneIsComplete ||= !overlaps;
    return isBehind;
  }

  #firstAlone(): number {
    for (; ; this.#firstOpen += 1) {
      const first = this.#alone[this.#firstOpen];
      if (first === undefined) return Infinity;
      if (this.#places.has(first.callId)) return first.place;
    }
  }
}
