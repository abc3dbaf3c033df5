import type { JsonObject } from '../../core/json.js';
import { asId } from '../../util/guards.js';
import type { OtherSlot } from '../slot.js';
import type { ItemHandler } from './item-handler.js';

/** Items we do not interpret: kept as they came, so that the next request can send them back. */
export const otherHandler: ItemHandler<OtherSlot> = {
  added(slot, item) {
    // It came out of JSON.parse, so it is JSON.
    slot.item = item as JsonObject;
  },
  done(slot, item, state) {
    slot.item = item as JsonObject;
    slot.done = true;
    const callId = asId(item['call_id']);
    if (slot.itemType === 'function_call_output' && callId !== undefined) state.answeredWireIds.add(callId);
  },
  close() {},
  content(slot) {
    return slot.done ? { type: 'item', item: slot.item } : undefined;
  },
};
