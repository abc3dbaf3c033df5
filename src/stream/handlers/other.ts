import type { JsonObject } from '../../core/json.js';
import { serverItem } from '../../core/server-item.js';
import type { RoundToolCall } from '../../core/part.js';
import { asId } from '../../util/guards.js';
import type { RoundState } from '../round-state.js';
import type { OtherSlot } from '../slot.js';
import { CLIENT_CALLS, hasFailed, HOSTED, imageOf, searchedUrls } from './hosted-items.js';
import type { ItemHandler } from './item-handler.js';
import { defined } from '../../util/defined.js';

/**
 * Every item that is neither message nor reasoning nor function call. Kept as it came, so that the next request can send
 * it back; shown where it is a tool at work.
 */
export const otherHandler: ItemHandler<OtherSlot> = {
  added(slot, item) {
    // It came out of JSON.parse, so it is JSON.
    slot.item = item as JsonObject;
  },
  done(slot, item, state) {
    slot.item = item as JsonObject;
    slot.done = true;
    slot.isCut = item['status'] === 'incomplete' && Object.hasOwn(CLIENT_CALLS, slot.itemType);
    if (!slot.isCut) show(slot, state);
  },
  close() {},
  content(slot) {
    if (!slot.done || slot.isCut) return undefined;
    if (slot.call === undefined) return { type: 'item', item: serverItem(slot.item) };
    const { callId, name, arguments: text } = slot.call;
    return { type: 'tool-call', callId, name, arguments: text, item: serverItem(slot.item) };
  },
};

function show(slot: OtherSlot, state: RoundState): void {
  const { item, itemType } = slot;
  const callId = asId(item['call_id']);
  if (itemType.endsWith('_output') && callId !== undefined) state.answeredWireIds.add(callId);
  if (Object.hasOwn(CLIENT_CALLS, itemType)) askClient(slot, state);
  else if (Object.hasOwn(HOSTED, itemType)) showHosted(slot, state);
  else state.emit({ type: 'item', item });
}

function askClient(slot: OtherSlot, state: RoundState): void {
  const family = CLIENT_CALLS[slot.itemType];
  if (family === undefined) return;
  const { item } = slot;
  const wireCallId = asId(item['call_id']) ?? slot.itemId;
  const callId = state.ids.claimCallId(wireCallId, state.responseId, slot.key);
  const call: RoundToolCall = {
    type: 'tool-call',
    callId,
    name: family.tool(item),
    arguments: JSON.stringify(family.input(item)),
    item: serverItem(item),
    ...defined({ itemId: slot.itemId }),
    ...(wireCallId === undefined || wireCallId === callId ? {} : { wireCallId }),
  };
  slot.call = call;
  state.emit(call);
}

function showHosted(slot: OtherSlot, state: RoundState): void {
  const family = HOSTED[slot.itemType];
  if (family === undefined) return;
  const { item } = slot;
  const { tool } = family;
  const callId = state.ids.claimCallId(slot.itemId, state.responseId, slot.key);
  state.emit({ type: 'hosted-call', callId, tool, input: JSON.stringify(family.input(item)), item });
  state.emit({ type: 'hosted-result', callId, tool, result: family.result(item), isError: hasFailed(item) });
  const image = imageOf(item);
  if (image !== undefined) state.emit({ type: 'file', ...image });
  searchedUrls(item).forEach((url) => state.cite({ kind: 'url', url }, slot.key));
}
