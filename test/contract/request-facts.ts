import { asRecords, asString } from '../../src/util/guards.js';
import { parseJson } from '../../src/util/json.js';
import type { Facts } from './facts.js';

type Loose = Readonly<Record<string, unknown>>;

/**
 * What a request says, with its items under names instead of numbers: where one is missing, the others are still compared
 * with what they are.
 */
export function requestFacts(body: Loose): Facts {
  const { input, stream: _stream, ...rest } = body;
  const items = keyed(asRecords(input));
  return { body: { ...rest, items: Object.fromEntries(items), order: items.map(([key]) => key).join(' ') } };
}

/** Calls and outputs by the id of the call, all else by its kind and how many of it stood before. */
function keyed(items: readonly Loose[]): [string, Loose][] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const kind = kindOf(item);
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return [count === 0 ? kind : `${kind}_${count}`, readable(item)];
  });
}

function kindOf(item: Loose): string {
  const type = asString(item['type']) ?? 'message';
  const callId = asString(item['call_id']);
  if (callId !== undefined) return `${type.endsWith('_output') ? 'output' : 'call'}_${callId}`;
  return type === 'message' ? String(item['role']) : type;
}

/** Two ways to write the same arguments are the same arguments. */
function readable(item: Loose): Loose {
  const given = item['arguments'];
  return typeof given === 'string' ? { ...item, arguments: parseJson(given) ?? { notJson: given } } : item;
}
