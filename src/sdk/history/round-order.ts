import type { AssistantContent } from '../../core/message.js';
import type { CarriedRound, PlacedContent } from './place-order.js';

/**
 * Puts the calls of carried rounds where the model made them. The client's calls are emitted last, so some of them move
 * up, and hidden ones go between them. Calls without a place follow the known ones of their round. If frameworks
 * dropped the metadata of a call, the order of the calls still counts.
 */
export function inRoundOrder(contents: readonly PlacedContent[]): readonly AssistantContent[] {
  if (contents.every(({ round }) => round === undefined)) return contents.flatMap(({ content }) => content);
  const placing = new Placing(contents);
  contents.forEach((placed, index) => placing.take(placed, index));
  return placing.content;
}

interface Round extends CarriedRound {
  /** How many of `order` have been placed. */
  done: number;
  /** The last place of the round. */
  end: number;
}

class Placing {
  readonly content: AssistantContent[] = [];
  /** By the ids of their calls. */
  readonly #rounds = new Map<string, { readonly round: Round; readonly at: number }>();
  /** By the place that carries them: it remains known if a framework has given their calls other ids. */
  readonly #carried: readonly (Round | undefined)[];
  readonly #shown = new Map<string, PlacedContent>();
  readonly #placed = new Set<string>();

  constructor(contents: readonly PlacedContent[]) {
    this.#carried = contents.map(({ round }, end) => round && { ...round, done: 0, end });
    for (const round of this.#carried)
      round?.order.forEach((callId, at) => {
        if (!this.#rounds.has(callId)) this.#rounds.set(callId, { round, at });
      });
    contents.forEach((placed, index) => {
      const { callId, isShown } = placed;
      if (callId === undefined) return;
      const round = this.#rounds.get(callId)?.round;
      if (round !== undefined) round.end = Math.max(round.end, index);
      if (isShown === true && !this.#shown.has(callId)) this.#shown.set(callId, placed);
    });
  }

  /** Takes a call, or its place, after the earlier content of its round. */
  take(placed: PlacedContent, index: number): void {
    const { callId = '', content, isShown } = placed;
    // Only calls have ids; in another provider's history, a call may have an empty one.
    const known = placed.callId === undefined ? undefined : this.#rounds.get(callId);
    if (known !== undefined) this.#placeUpTo(known.round, known.at);
    // Other providers' histories may repeat an id, which is another call.
    const isOther = isShown === true && this.#shown.get(callId) !== placed;
    if (known === undefined || isOther) this.#push(content);
    else this.#place(callId, content);
    for (const round of [known?.round, this.#carried[index]])
      if (round?.end === index) this.#placeUpTo(round, round.order.length);
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

  /** One by one, because the many arguments of a posted history would overflow the stack. */
  #push(content: readonly AssistantContent[]): void {
    for (const one of content) this.content.push(one);
  }
}
