import { callOfOutput, pairKey } from '../core/call-items.js';
import type { JsonObject } from '../core/json.js';
import type { AssistantContent } from '../core/message.js';
import { asId, asString } from '../util/guards.js';
import { outputFamilyOf } from './handlers/call-items.js';
import type { RoundState } from './round-state.js';

/**
 * The content without outputs whose calls are not in it: servers refuse a request that holds one. What a program gives may
 * come in a later response than the program.
 */
export function withoutLooseOutputs(
  content: readonly AssistantContent[],
  round: RoundState,
): readonly AssistantContent[] {
  if (!content.some((entry) => answersOf(entry) !== undefined)) return content;
  const calls = new Set(content.flatMap(callKeysOf));
  return content.filter((entry) => {
    const answers = answersOf(entry);
    if (answers === undefined || calls.has(answers)) return true;
    round.warn('The server sent the output of a call that its response does not hold; it was left out.');
    return false;
  });
}

function callKeysOf(entry: AssistantContent): string[] {
  if (entry.type === 'item') return [pairKey(asString(entry.item['type']) ?? '', entry.item)];
  if (entry.type !== 'tool-call') return [];
  const { item, wireCallId = entry.callId } = entry;
  return [pairKey(asString(item?.['type']) ?? 'function_call', item ?? { call_id: wireCallId })];
}

/** The call that an item is the output of; `undefined` for other items and for outputs that need no call here. */
function answersOf(entry: AssistantContent): string | undefined {
  if (entry.type !== 'item') return undefined;
  const item: JsonObject = entry.item;
  const type = asString(item['type']) ?? '';
  if (type === 'function_call_output') return asId(item['call_id']) === undefined ? '' : pairKey('function_call', item);
  const call = callOfOutput(type);
  return call === undefined || outputFamilyOf(type)?.mayBeLate === true ? undefined : pairKey(call, item);
}
