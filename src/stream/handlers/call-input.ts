import type { JsonObject } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import { asId, asRecord, asString, rowOf } from '../../util/guards.js';
import { GrowingText } from '../growing-text.js';
import type { EventTable, RoundState, WireObject } from '../round-state.js';
import type { OtherSlot } from '../slot.js';
import { addressOfEvent } from '../slot-table.js';
import { isServersCall } from '../../core/call-items.js';
import { callFamilyOf } from './call-items.js';

/** How the input of a call that is no function call is shown while it comes: a text that grows, in a frame. */
interface InputFamily {
  /** What stands before the text and behind it; `undefined` as long as that is not known. */
  readonly frame: (item: JsonObject) => Frame | undefined;
  /** The whole text. */
  readonly text: (item: JsonObject) => string;
  /** The text as it stands in the frame. */
  readonly write: (text: string) => string;
  /** The input is no JSON. */
  readonly encoding?: 'text';
}

interface Frame {
  readonly opening: string;
  readonly closing: string;
}

const NO_FRAME: Frame = { opening: '', closing: '' };

/** A text inside of JSON. Half a surrogate pair is escaped, and whole again with the other half. */
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Shown at once, as soon as the item is whole. */
function atOnce(itemType: string): InputFamily {
  return {
    frame: () => NO_FRAME,
    text: (item) => JSON.stringify(callFamilyOf(itemType)?.input(item) ?? {}),
    write: (text) => text,
  };
}

const INPUTS: Readonly<Record<string, InputFamily>> = {
  custom_tool_call: {
    frame: ({ name }) => (asId(name) === undefined ? undefined : NO_FRAME),
    text: ({ input }) => asString(input) ?? '',
    write: (text) => text,
    encoding: 'text',
  },
  apply_patch_call: {
    frame: patchFrame,
    text: ({ operation }) => asString(asRecord(operation)?.['diff']) ?? '',
    write: quoted,
  },
  computer_call: atOnce('computer_call'),
  tool_search_call: atOnce('tool_search_call'),
};

/** The operation but for its diff; one that deletes a file has none. */
function patchFrame(item: JsonObject): Frame | undefined {
  const { type, path } = asRecord(item['operation']) ?? {};
  const callId = asId(item['call_id']);
  if (callId === undefined || typeof type !== 'string' || typeof path !== 'string') return undefined;
  const whole = JSON.stringify({ callId, operation: { type, path } });
  return type === 'delete_file'
    ? { opening: whole, closing: '' }
    : { opening: `${whole.slice(0, -2)},"diff":"`, closing: '"}}' };
}

function inputFamilyOf(itemType: string): InputFamily | undefined {
  return rowOf(INPUTS, itemType);
}

/** Starts the input of a call that the client may have to answer, once, as soon as enough of it is known. */
export function beginInput(slot: OtherSlot, state: RoundState): void {
  const { item, itemType } = slot;
  if (slot.input !== undefined || isServersCall(itemType, item)) return;
  const family = inputFamilyOf(itemType);
  const frame = family?.frame(item);
  const wireCallId = asId(item['call_id']) ?? (slot.done ? slot.itemId : undefined);
  if (family === undefined || frame === undefined || wireCallId === undefined) return;
  slot.callId ??= state.ids.claimCallId(wireCallId, state.responseId, slot.key);
  slot.input = { streamed: new GrowingText(), closing: frame.closing, isOpen: true };
  const name = callFamilyOf(itemType)?.tool(item) ?? itemType;
  const { encoding } = family;
  state.emit({ type: 'tool-input-start', callId: slot.callId, name, isItem: true, ...defined({ encoding }) });
  emitDelta(slot, frame.opening, state);
}

/** The item is whole: what was not streamed of it. */
export function completeInput(slot: OtherSlot, state: RoundState): void {
  const family = inputFamilyOf(slot.itemType);
  if (family === undefined || slot.input?.isOpen !== true) return;
  const rest = slot.input.streamed.restOf(family.text(slot.item)) ?? '';
  emitDelta(slot, family.write(rest) + slot.input.closing, state);
  endInput(slot, state);
}

export function endInput(slot: OtherSlot, state: RoundState): void {
  if (slot.input?.isOpen !== true || slot.callId === undefined) return;
  slot.input.isOpen = false;
  state.emit({ type: 'tool-input-end', callId: slot.callId });
}

function emitDelta({ callId }: OtherSlot, delta: string, state: RoundState): void {
  if (callId !== undefined && delta !== '') state.emit({ type: 'tool-input-delta', callId, delta });
}

function grow(itemType: string, event: WireObject, state: RoundState): void {
  const { delta } = event;
  const slot = state.table.findOther(itemType, addressOfEvent(event));
  if (slot?.input === undefined || typeof delta !== 'string') return;
  slot.input.streamed.add(delta);
  emitDelta(slot, inputFamilyOf(itemType)?.write(delta) ?? '', state);
}

/** The events that say that it is complete are not needed: the item says so too. */
export const callInputEvents: EventTable = {
  'response.custom_tool_call_input.delta': (event, state) => grow('custom_tool_call', event, state),
  'response.apply_patch_call_operation_diff.delta': (event, state) => grow('apply_patch_call', event, state),
};
