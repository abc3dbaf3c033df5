import type { AssistantContent } from '../../core/message.js';
import { asString } from '../../util/guards.js';
import type { PartMetadata } from './part-metadata.js';

export interface ReadPart {
  readonly part: Readonly<Record<string, unknown>>;
  readonly metadata: PartMetadata;
}

/**
 * Calls of a message that were shown before they were whole: their items stand beside their results, and go back where the
 * calls stand. Previews bring no item, nor does a call that came to no end.
 */
export class FollowingItems {
  /** What goes back in place of each call, by its id. */
  readonly #places: ReadonlyMap<string, readonly AssistantContent[]>;

  constructor(parts: readonly ReadPart[]) {
    const places = new Map<string, readonly AssistantContent[]>();
    const whole = new Set<string>();
    for (const { part, metadata } of parts) {
      const { type } = part;
      const { hostedItem, itemFollows } = metadata.own;
      const id = idOf(part);
      if (type === 'tool-call' && itemFollows === true) places.set(id, []);
      if (type === 'tool-call' && hostedItem !== undefined) whole.add(id);
      // Some versions of the AI SDK give a result the metadata of its call where it has none.
      if (type === 'tool-result' && hostedItem !== undefined && !whole.has(id))
        places.set(id, [{ type: 'item', item: hostedItem }]);
    }
    this.#places = places;
  }

  /** What a part of such a call becomes; `undefined` for any other. */
  inPlaceOf(part: ReadPart['part']): readonly AssistantContent[] | undefined {
    const { type } = part;
    const place = type === 'tool-call' || type === 'tool-result' ? this.#places.get(idOf(part)) : undefined;
    return place === undefined || type === 'tool-call' ? place : [];
  }
}

function idOf(part: ReadPart['part']): string {
  return asString(part['toolCallId']) ?? '';
}
