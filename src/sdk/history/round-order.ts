import type { AssistantContent } from '../../core/message.js';

/** Something of an assistant message at its place, in the words of a conversation. */
export interface PlacedContent {
  /** What stands here. */
  readonly content: readonly AssistantContent[];
  /** The call that it is, or that has its place here. */
  readonly callId?: string;
  /** The call itself stands here, not in a carrier. */
  readonly isShown?: true;
  /** The round that it carries. */
  readonly round?: CarriedRound;
}

/** A round that a call of the client's carries. */
export interface CarriedRound {
  /** Ids of its calls, in its order. */
  readonly order: readonly string[];
  /** What was not shown of them: each call with its output. */
  readonly hidden: ReadonlyMap<string, readonly AssistantContent[]>;
}

/**
 * Puts the calls of carried rounds where the model made them. The client's calls are emitted last, so some of them move up,
 * and hidden ones come between them; what nothing places stands behind all that is known of its round. Where frameworks
 * dropped the metadata that places a call, the order of the calls still holds.
 */
export function inRoundOrder(contents: readonly PlacedContent[]): readonly AssistantContent[] {
  if (contents.every(({ round }) => round === undefined)) return contents.flatMap(({ content }) => content);
  const placing = new Placing(contents);
  contents.forEach((_, index) => placing.take(index));
  return placing.content;
}

interface Round extends CarriedRound {
  /** How many of `order` have been placed. */
  done: number;
  /** The last place that has to do with it. */
  end: number;
}

class Placing {
  readonly content: AssistantContent[] = [];
  readonly #contents: readonly PlacedContent[];
  /** By the ids of their calls. */
  readonly #rounds = new Map<string, { readonly round: Round; readonly at: number }>();
  readonly #ending = new Map<number, Round[]>();
  readonly #shown = new Map<string, PlacedContent>();
  readonly #placed = new Set<string>();

  constructor(contents: readonly PlacedContent[]) {
    this.#contents = contents;
    // Where a framework has given its calls other ids, the call that carries the round still says where it stands.
    const all = contents.flatMap(({ round }, end): Round[] =>
      round === undefined ? [] : [{ ...round, done: 0, end }],
    );
    for (const round of all)
      round.order.forEach((callId, at) => {
        if (!this.#rounds.has(callId)) this.#rounds.set(callId, { round, at });
      });
    contents.forEach((placed, index) => this.#note(placed, index));
    for (const round of all) {
      const others = this.#ending.get(round.end);
      if (others === undefined) this.#ending.set(round.end, [round]);
      else others.push(round);
    }
  }

  take(index: number): void {
    const placed = this.#contents[index];
    if (placed !== undefined) this.#take(placed);
    for (const round of this.#ending.get(index) ?? []) this.#placeUpTo(round, round.order.length);
  }

  #note(placed: PlacedContent, index: number): void {
    const { callId, isShown } = placed;
    if (callId === undefined) return;
    const round = this.#rounds.get(callId)?.round;
    if (round !== undefined) round.end = Math.max(round.end, index);
    if (isShown === true && !this.#shown.has(callId)) this.#shown.set(callId, placed);
  }

  /** A call, or the place of one: whatever its round made before it comes first. */
  #take(placed: PlacedContent): void {
    const { callId = '', content, isShown } = placed;
    const known = this.#rounds.get(callId);
    if (known === undefined) return this.#push(content);
    this.#placeUpTo(known.round, known.at);
    // Histories of others may give an id twice: then it is another call.
    if (isShown === true && this.#shown.get(callId) !== placed) this.#push(content);
    else this.#place(callId, content);
  }

  #placeUpTo(round: Round, end: number): void {
    for (; round.done < end; round.done += 1) this.#place(round.order[round.done] ?? '', []);
  }

  #place(callId: string, content: readonly AssistantContent[]): void {
    if (this.#placed.has(callId)) return;
    const known = this.#shown.get(callId)?.content ?? this.#rounds.get(callId)?.round.hidden.get(callId) ?? content;
    if (known.length === 0) return;
    this.#placed.add(callId);
    this.#push(known);
  }

  #push(content: readonly AssistantContent[]): void {
    for (const one of content) this.content.push(one);
  }
}
