import type { AssistantContent } from '../../core/message.js';
import type { PartPlace } from '../../core/carrier.js';

/** Something of an assistant message at its place, in the words of a conversation. */
export interface PlacedContent {
  readonly content: readonly AssistantContent[];
  /** Its call, or the call with this place. */
  readonly callId?: string;
  /** The call itself is here, not in a carrier. */
  readonly isShown?: true;
  readonly place?: PartPlace;
  /** The hidden parts of its round, by a carrier of version 2. */
  readonly entries?: readonly PlacedContent[];
  /** The carried round, by a carrier of version 1. */
  readonly round?: CarriedRound;
}

/** A round in a carrier of version 1, on a call of the client. */
export interface CarriedRound {
  /** Ids of its calls, in its order. */
  readonly order: readonly string[];
  /** The hidden ones: each call with its output. */
  readonly hidden: ReadonlyMap<string, readonly AssistantContent[]>;
}

/** The index of the round in the message, and the place in it. */
type Key = readonly [round: number, at: number];

/** Sorts each round by its places. A part without a place stays behind all earlier parts, carriers included. */
export function inPlaceOrder(contents: readonly PlacedContent[]): readonly PlacedContent[] {
  const entries = contents.flatMap((content) => content.entries ?? []);
  if (entries.length === 0) return contents;
  const keyOf = keysOf(contents);
  const calls = new Map<string | undefined, Key>();
  for (const { callId, place } of entries)
    if (callId !== undefined && place !== undefined && !calls.has(callId)) calls.set(callId, keyOf(place));
  let last: Key = [-1, -1];
  const shown = contents.map((content) => {
    const { callId, isShown, place, entries: inCarrier = [] } = content;
    const ofCall = isShown === true ? calls.get(callId) : undefined;
    // Histories of others may repeat an id: then it is another call.
    if (ofCall !== undefined) calls.delete(callId);
    const key = ofCall ?? (place === undefined ? last : keyOf(place));
    const ofCarrier = inCarrier.flatMap((entry) => (entry.place === undefined ? [] : [keyOf(entry.place)]));
    last = [last, key, ...ofCarrier].reduce((a, b) => (compare(a, b) < 0 ? b : a));
    return { content, key };
  });
  const hidden = entries.map((content) => ({
    content,
    key: content.place === undefined ? last : keyOf(content.place),
  }));
  return [...hidden, ...shown].toSorted((a, b) => compare(a.key, b.key)).map(({ content }) => content);
}

/** Numbers the rounds of a message in order. */
function keysOf(contents: readonly PlacedContent[]): (place: PartPlace) => Key {
  const rounds = new Map<string, number>();
  for (const { place, entries = [] } of contents)
    for (const round of [place?.round, entries[0]?.place?.round])
      if (round !== undefined && !rounds.has(round)) rounds.set(round, rounds.size);
  return ({ round, at }) => [rounds.get(round) ?? 0, at];
}

function compare([round, at]: Key, [otherRound, otherAt]: Key): number {
  return round - otherRound || at - otherAt;
}
