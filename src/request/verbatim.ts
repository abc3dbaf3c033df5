import type { ServerItem } from '../core/call-items.js';
import type { VerbatimItem } from '../wire/input-item.js';

export interface Replay {
  /** An answer refers to the item by its id. Otherwise the id stays out: the server may not have kept the item. */
  readonly keepsId?: boolean;
  /** The `call_id` in this request, where it is another. */
  readonly callId?: string;
}

/** An item of a response, sent back; the one place where something passes for an input item unread. */
export function verbatim(item: ServerItem, { keepsId = false, callId }: Replay = {}): VerbatimItem {
  const { id: _id, ...rest } = item;
  const replayed = { ...(keepsId ? item : rest), ...(callId === undefined ? {} : { call_id: callId }) };
  return replayed as unknown as VerbatimItem;
}
