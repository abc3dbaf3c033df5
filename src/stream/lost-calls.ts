import { isServersCall } from '../core/call-items.js';
import { callFamilyOf } from './handlers/call-items.js';
import type { RoundState } from './round-state.js';
import type { Slot } from './slot.js';

/** A call that was begun and never became whole, although the response did: it does not run, and must not go unnoticed. */
export interface LostCall {
  readonly name: string | undefined;
  /** The server said that it was cut off. */
  readonly isCut: boolean;
}

export function lostCalls({ table }: RoundState): readonly LostCall[] {
  return table.slots.flatMap((slot) => lostCall(slot) ?? []);
}

function lostCall(slot: Slot): LostCall | undefined {
  if (slot.family === 'function_call')
    return slot.told === undefined && slot.repeats === undefined ? { name: slot.name, isCut: slot.isCut } : undefined;
  const family = slot.family === 'other' ? callFamilyOf(slot.itemType) : undefined;
  if (slot.family !== 'other' || family === undefined || isServersCall(slot.itemType, slot.item)) return undefined;
  return slot.done && !slot.isCut ? undefined : { name: family.tool(slot.item), isCut: slot.isCut };
}

export function droppedText(name = ''): string {
  const which = name === '' ? 'a call without a name' : `a call of "${name}"`;
  return `The response ended with ${which} that was cut off; the call was dropped and did not run.`;
}
