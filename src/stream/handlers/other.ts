import { callOfOutput, isServersCall, pairKey, serverItem } from '../../core/call-items.js';
import type { JsonObject } from '../../core/json.js';
import type { HostedResult } from '../../core/hosted-part.js';
import { asId, asString } from '../../util/guards.js';
import type { ItemHandler, RoundState } from '../round-state.js';
import type { OtherSlot } from '../slot.js';
import { beginInput, completeInput, endInput } from './call-input.js';
import { type CallFamily, callFamilyOf, type OutputFamily, outputFamilyOf } from './call-items.js';
import { beginPreviews, hasFailed, HOSTED, imageOf, searchedUrls } from './hosted-items.js';
import { defined } from '../../util/defined.js';

/**
 * Every item that is neither message nor reasoning nor function call. Kept as it came, so that the next request can send
 * it back; shown where it is a tool at work.
 */
export const otherHandler: ItemHandler<OtherSlot> = {
  added(slot, item, state) {
    // It came out of JSON.parse, so it is JSON.
    slot.item = item as JsonObject;
    beginInput(slot, state);
    beginPreviews(slot, state);
  },
  done(slot, item, state) {
    slot.item = item as JsonObject;
    slot.done = true;
    const isClients = callFamilyOf(slot.itemType) !== undefined && !isServersCall(slot.itemType, slot.item);
    slot.isCut = item['status'] === 'incomplete' && isClients;
    if (!slot.isCut) show(slot, state);
    endInput(slot, state);
  },
  close: endInput,
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
  const call = callFamilyOf(itemType);
  const output = outputFamilyOf(itemType);
  if (itemType === 'function_call_output' && callId !== undefined) state.answeredWireIds.add(callId);
  if (call !== undefined) showCall(slot, call, state);
  else if (output !== undefined) showOutput(item, output, state);
  else if (Object.hasOwn(HOSTED, itemType)) showHosted(slot, state);
  else state.emit({ type: 'item', item });
}

/** A call that the server runs is shown as such at once; any other may turn out to be one when its output comes. */
function showCall(slot: OtherSlot, family: CallFamily, state: RoundState): void {
  const { item } = slot;
  const wireCallId = asId(item['call_id']) ?? slot.itemId;
  beginInput(slot, state);
  completeInput(slot, state);
  slot.callId ??= state.ids.claimCallId(wireCallId, state.responseId, slot.key);
  const { callId } = slot;
  const early = state.pairs.outputOf(pairKey(slot.itemType, item), slot);
  const tool = family.tool(item);
  const input = JSON.stringify(family.input(item));
  if (early !== undefined || isServersCall(slot.itemType, item)) {
    state.emit({ type: 'hosted-call', callId, tool, input, item });
    if (early !== undefined) state.emit(resultOf(slot, early));
    return;
  }
  slot.call = {
    type: 'tool-call',
    callId,
    name: tool,
    arguments: input,
    item: serverItem(item),
    ...defined({ itemId: slot.itemId, wireCallId: wireCallId === callId ? undefined : wireCallId }),
  };
  state.emit(slot.call);
}

/** What the response holds an output for ran at the server, so it is not run again. */
function showOutput(item: JsonObject, { mayBeLate }: OutputFamily, state: RoundState): void {
  const answers = callOfOutput(asString(item['type']) ?? '') ?? '';
  const slot = state.pairs.callOf(pairKey(answers, item), item);
  const callId = asId(item['call_id']);
  if (slot !== undefined) {
    slot.call = undefined;
    state.emit({ ...resultOf(slot, item), item });
  } else if (mayBeLate === true && callId !== undefined) {
    state.emit({ ...resultOf({ callId, item: {}, itemType: answers }, item), item, isLate: true });
  } else state.emit({ type: 'item', item });
}

type AnsweredCall = Pick<OtherSlot, 'callId' | 'item' | 'itemType'>;

function resultOf({ callId = '', item: call, itemType }: AnsweredCall, output: JsonObject): HostedResult {
  const tool = callFamilyOf(itemType)?.tool(call) ?? itemType;
  const family = outputFamilyOf(asString(output['type']) ?? '');
  const isError = family?.saysStatus !== true && hasFailed(output);
  return { type: 'hosted-result', callId, tool, result: family?.result(output) ?? null, isError };
}

function showHosted(slot: OtherSlot, state: RoundState): void {
  const family = HOSTED[slot.itemType];
  if (family === undefined) return;
  const { item } = slot;
  const { tool } = family;
  slot.callId ??= state.ids.claimCallId(slot.itemId, state.responseId, slot.key);
  const { callId } = slot;
  const image = imageOf(item);
  const result = family.result(item);
  const afterPreviews = image !== undefined && slot.hasPreview ? { ...result, result: image.base64 } : undefined;
  state.emit({ type: 'hosted-call', callId, tool, input: JSON.stringify(family.input(item)), item });
  state.emit({ type: 'hosted-result', callId, tool, result, isError: hasFailed(item), ...defined({ afterPreviews }) });
  if (image !== undefined) state.emit({ type: 'file', ...image });
  searchedUrls(item).forEach((url) => state.cite({ kind: 'url', url }, slot.key));
}
