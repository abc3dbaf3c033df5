import { membersOfCall } from '../../core/call-items.js';
import type { RoundToolCall } from '../../core/part.js';
import { asId, asString, isRecord } from '../../util/guards.js';
import type { EventTable, ItemHandler, RoundState, WireObject } from '../round-state.js';
import type { CallSlot } from '../slot.js';
import { addressOfEvent } from '../slot-table.js';
import { defined } from '../../util/defined.js';
import { parseJson } from '../../util/json.js';

/** Function calls: arguments are gathered, and the call is emitted once, when they are complete. */
export const functionCallHandler: ItemHandler<CallSlot> = {
  added(slot, item, state) {
    slot.initial = argumentsOf(item['arguments']) ?? slot.initial;
    describe(slot, item);
    announce(slot, item, state);
  },

  done(slot, item, state) {
    describe(slot, item);
    announce(slot, item, state);
    keepIfBetter(slot, argumentsOf(item['arguments']));
    slot.done = true;
    // Cut off by a limit: the server closes the item, but there is no call in it.
    slot.isCut = item['status'] === 'incomplete' && slot.emitted === undefined;
    if (slot.isCut) endInput(slot, state);
    else emitCall(slot, state);
  },

  /** Without the server's word that it finished, half-gathered arguments are no call; with it, even broken ones are. */
  close(slot, state, complete) {
    if (!slot.done && complete && (slot.argumentsDone || isJson(bestArguments(slot)))) {
      slot.done = true;
      emitCall(slot, state);
    }
    endInput(slot, state);
  },

  content(slot) {
    // What came after the call was emitted still belongs to it.
    return slot.emitted === undefined ? undefined : { ...slot.emitted, ...factsOf(slot) };
  },
};

export const functionCallEvents: EventTable = {
  'response.function_call_arguments.delta': (event, state) => {
    const { delta } = event;
    const slot = state.table.find('function_call', addressOfEvent(event));
    if (typeof delta !== 'string' || delta === '' || slot.done || slot.emitted !== undefined) return;
    slot.streamed.add(delta);
    announce(slot, event, state);
    if (slot.callId !== undefined) state.emit({ type: 'tool-input-delta', callId: slot.callId, delta });
  },
  'response.function_call_arguments.done': (event, state) => {
    const slot = state.table.find('function_call', addressOfEvent(event));
    if (slot.done || slot.emitted !== undefined) return;
    announce(slot, event, state);
    const isNew = keepIfBetter(slot, argumentsOf(event['arguments']));
    slot.argumentsDone = true;
    // GitHub Copilot streams ciphertext and vLLM drops the tail: what does not parse waits for the item. It is looked at
    // once: the event may be repeated.
    if (slot.name === undefined || (slot.awaitsItem && !isNew)) return;
    if (isJson(bestArguments(slot))) emitCall(slot, state);
    else slot.awaitsItem = true;
  },
};

/** Starts the tool input as soon as the name is known; servers differ in where they put name and call id. */
function announce(slot: CallSlot, source: WireObject, state: RoundState): void {
  slot.name ??= asId(source['name']);
  slot.wireCallId ??= asId(source['call_id']);
  if (slot.callId !== undefined || slot.name === undefined || slot.repeats !== undefined) return;
  slot.callId = state.ids.claimCallId(slot.wireCallId, state.responseId, slot.key);
  state.emit({ type: 'tool-input-start', callId: slot.callId, name: slot.name });
  const streamed = slot.streamed.toString();
  if (streamed !== '') state.emit({ type: 'tool-input-delta', callId: slot.callId, delta: streamed });
}

/** Emits the call, once. A call that never got a name is emitted with an empty one, so that it is answered all the same. */
function emitCall(slot: CallSlot, state: RoundState): void {
  if (slot.emitted !== undefined || isRepetition(slot)) return;
  if (slot.repeats !== undefined) {
    slot.repeats = undefined;
    announce(slot, {}, state);
  }
  slot.callId ??= state.ids.claimCallId(slot.wireCallId, state.responseId, slot.key);
  const complete = bestArguments(slot);
  const rest = slot.streamed.restOf(complete);
  if (rest !== undefined && rest !== '' && slot.name !== undefined) {
    state.emit({ type: 'tool-input-delta', callId: slot.callId, delta: rest });
  }
  endInput(slot, state);
  slot.emitted = {
    type: 'tool-call',
    callId: slot.callId,
    name: slot.name ?? '',
    arguments: complete,
    ...factsOf(slot),
  };
  state.emit(slot.emitted);
}

/** A call that was emitted already, announced once more. */
function isRepetition(slot: CallSlot): boolean {
  const emitted = slot.repeats?.emitted?.arguments;
  const complete = bestArguments(slot);
  return emitted !== undefined && (complete.trim() === '' || complete === emitted);
}

/** The item's last word counts. */
function describe(slot: CallSlot, item: WireObject): void {
  const said = membersOfCall(item);
  if (said !== undefined) slot.members = { ...slot.members, ...said };
}

/** The server's ids; its call id only where we had to choose another. And what else it said. */
function factsOf({
  itemId,
  wireCallId,
  callId,
  members,
}: CallSlot): Pick<RoundToolCall, 'itemId' | 'wireCallId' | 'members'> {
  return defined({ itemId, wireCallId: wireCallId === callId ? undefined : wireCallId, members });
}

function endInput(slot: CallSlot, state: RoundState): void {
  if (slot.inputEnded || slot.callId === undefined || slot.name === undefined) return;
  slot.inputEnded = true;
  state.emit({ type: 'tool-input-end', callId: slot.callId });
}

/** A later complete text replaces an earlier one only if it is better: it parses, or there was none. Says whether it did. */
function keepIfBetter(slot: CallSlot, complete: string | undefined): boolean {
  if (complete === undefined || slot.finalIsJson) return false;
  const parses = isJson(complete);
  if (slot.final !== undefined && !parses) return false;
  slot.final = complete;
  slot.finalIsJson = parses;
  return true;
}

/** The first that parses of: the complete text, the streamed one, the one announced with the item; else the longest. */
function bestArguments(slot: CallSlot): string {
  const candidates = [slot.final ?? '', slot.streamed.toString(), slot.initial].filter((text) => text.trim() !== '');
  const valid = candidates.find(isJson);
  return valid ?? candidates.reduce((best, text) => (text.length > best.length ? text : best), '');
}

/** Some servers send the arguments as an object. */
function argumentsOf(value: unknown): string | undefined {
  return asString(value) ?? (isRecord(value) ? JSON.stringify(value) : undefined);
}

/** No arguments at all is how some servers spell `{}`. */
function isJson(text: string): boolean {
  return text.trim() === '' || parseJson(text) !== undefined;
}
