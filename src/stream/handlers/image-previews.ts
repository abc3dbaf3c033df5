import { asId } from '../../util/guards.js';
import type { RoundState } from '../round-state.js';
import type { OtherSlot } from '../slot.js';
import { type Address, addressOfEvent } from '../slot-table.js';
import type { EventTable, WireObject } from './item-handler.js';

/** The items that may have something to show before they are whole. */
const TYPE = 'image_generation_call';

/** The item was announced: where previews were asked for, the call may be shown now. */
export function beginPreviews(slot: OtherSlot, state: RoundState): void {
  if (slot.itemType === TYPE && slot.itemId !== undefined && slot.callId === undefined) emitPreview(slot, state);
}

/** A picture on its way, in the form of the result. */
function takePartialImage(event: WireObject, state: RoundState): void {
  const base64 = asId(event['partial_image_b64']);
  const address = addressOfEvent(event);
  const slot = state.table.findOther(TYPE, address) ?? announce(address, state);
  if (slot !== undefined && base64 !== undefined) emitPreview(slot, state, base64);
}

/** Opens an item that the server forgot to announce. Where another stands at its place, the event means nothing. */
function announce(address: Address, state: RoundState): OtherSlot | undefined {
  const { index, itemId } = address;
  const isTaken = index !== undefined && state.table.hasIndex(index);
  if (itemId === undefined || isTaken || state.table.byIds('other', address) !== undefined) return undefined;
  const slot = state.table.add(TYPE, address);
  return slot.family === 'other' ? slot : undefined;
}

function emitPreview(slot: OtherSlot, state: RoundState, base64?: string): void {
  slot.callId ??= state.ids.claimCallId(slot.itemId, state.responseId, slot.key);
  slot.hasPreview ||= base64 !== undefined;
  const { callId } = slot;
  const result = base64 === undefined ? {} : { result: { result: base64 } };
  state.emit({ type: 'hosted-preview', callId, tool: 'image_generation', ...result });
}

export const imagePreviewEvents: EventTable = {
  'response.image_generation_call.partial_image': takePartialImage,
};
