import type { VerbatimItem } from '../wire/input-item.js';

/** Items outside our own types, sent as they are; the one place where an object passes for an item unread. */
export function verbatim(item: object): VerbatimItem {
  return item as unknown as VerbatimItem;
}
