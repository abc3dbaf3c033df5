import type { JsonObject } from '../../../src/core/json.js';
import { differences } from '../../../src/testing/replay/differences.js';
import { asRecords, asString, isRecord } from '../../../src/util/guards.js';
import { parseJson } from '../../../src/util/json.js';
import type { Family } from '../families/family.js';
import { stepOf } from '../families/written.js';
import type { Played, Writer } from './play.js';

/** Something of an earlier turn that a request has not, or has otherwise. */
export interface Missing {
  readonly by: Writer;
  /** Who answered the turn that it is of. */
  readonly after: Writer;
  /** The type of the item, and which member of it, such as `function_call.namespace`. */
  readonly what: string;
}

/** What each later request should have of a turn: the items of its answers, and an output for each call of the client's. */
function itemsOf({ answers, approved }: Family): JsonObject[] {
  const all = approved === undefined ? answers : [...answers, approved.answer];
  const items = all.flatMap((answer) => {
    const step = stepOf(answer, false);
    return isRecord(step) && isRecord(step['json']) ? (asRecords(step['json']['output']) as JsonObject[]) : [];
  });
  const outputs = new Set(items.filter(isOutput).map(({ call_id: callId }) => callId));
  const mine = items.filter((item) => CLIENT_CALLS.has(typeOf(item)) && !outputs.has(item['call_id'] ?? null));
  return [...items, ...mine.map(outputOf)];
}

const CLIENT_CALLS: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'shell_call',
  'local_shell_call',
  'apply_patch_call',
  'computer_call',
]);
const isOutput = (item: JsonObject): boolean => typeOf(item).endsWith('_output');

function outputOf(item: JsonObject): JsonObject {
  const { call_id: callId, caller } = item;
  return { type: `${typeOf(item)}_output`, call_id: callId ?? '', ...(caller !== undefined && { caller }) };
}

/** Everything that the requests lack of the turns before them. */
export function missingIn(
  { requests, broken }: Played,
  families: readonly Family[],
  pattern: readonly Writer[],
): Missing[] {
  const wanted = families.map((turn, at) => (broken.has(at) ? [] : itemsOf(turn)));
  return requests.flatMap(({ turn, by, input }) => {
    const found = new Map(input.map((item) => [keyOf(item), item]));
    const isCut = by === 'ours' && input.some(isSummary);
    return wanted
      .slice(0, turn)
      .flatMap((items, earlier) =>
        (isCut ? sinceSummary(items, wanted.slice(earlier + 1, turn + 1)) : items)
          .flatMap((item) => lacks(item, found.get(keyOf(item)) ?? found.get(`call ${asString(item['id'])}`)))
          .map((what) => ({ by, after: pattern[earlier] ?? 'ours', what })),
      );
  });
}

const isSummary = (item: JsonObject): boolean => typeOf(item) === 'compaction';

/** What of a turn a request of ours has to have if it begins at the last summary. */
function sinceSummary(items: readonly JsonObject[], later: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  if (later.some((turn) => turn.some(isSummary))) return [];
  return items.slice(Math.max(0, items.findLastIndex(isSummary)));
}

const typeOf = (item: JsonObject): string => asString(item['type']) ?? 'message';

/** Ids of items do not travel where nothing is kept: calls are found by theirs, texts by what they say. */
function keyOf(item: JsonObject): string {
  const callId = asString(item['call_id']);
  if (callId !== undefined) return `${isOutput(item) ? 'output' : 'call'} ${callId}`;
  const type = typeOf(item);
  if (type === 'message') return `says ${textOf(item)}`;
  if (type === 'reasoning') return `thinks ${asString(item['encrypted_content'])}`;
  return `${type} ${JSON.stringify(item['action'] ?? item['queries'] ?? item['arguments'] ?? item['execution'] ?? null)}`;
}

function textOf({ content }: JsonObject): string {
  if (typeof content === 'string') return content;
  return asRecords(content)
    .map(({ text }) => asString(text) ?? '')
    .join('');
}

/** How servers write an item is their affair, and so is how often they say that it is complete. */
const FORM: ReadonlySet<string> = new Set(['id', 'status', 'content', 'summary', 'annotations']);

function lacks(item: JsonObject, found: JsonObject | undefined): string[] {
  const type = typeOf(item);
  if (found === undefined) return [`${type} is missing`];
  if (typeOf(found) !== type) return [`${type} is sent as ${typeOf(found)}`];
  const wanted = Object.fromEntries(Object.entries(item).filter(([name, value]) => !FORM.has(name) && value !== null));
  const paths = differences(readable(wanted), readable(found), ({ expected }) => expected === undefined);
  return paths.map(({ path }) => `${type}.${path.replaceAll(/\[\d+\]/g, '')}`);
}

function readable(item: JsonObject): JsonObject {
  const given = item['arguments'];
  return typeof given === 'string' ? { ...item, arguments: (parseJson(given) ?? given) as JsonObject } : item;
}
