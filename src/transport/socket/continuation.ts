import { isCompaction, outlivesCompaction } from '../../core/compaction.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { asRecords, asString, isRecord } from '../../util/guards.js';
import { stableJson } from '../../util/json.js';

/** What the server has in mind after a response: what the request said, and what the response answered. */
export interface Remembered {
  readonly responseId: string;
  /** Every field of the request that has to be the same in one that goes on, as one text. */
  readonly fields: string;
  readonly input: readonly JsonValue[];
  readonly output: readonly JsonValue[];
}

/** Fields that a request may change without what the server has in mind being another conversation. */
const MAY_DIFFER: ReadonlySet<string> = new Set([
  'input',
  'previous_response_id',
  'stream',
  'background',
  // OpenAI's guide to the WebSocket mode goes on with another tool choice.
  'tool_choice',
  'max_output_tokens',
  'metadata',
]);

/** What a response leaves on its connection. `undefined`: nothing that a request could go on from. */
export function remember(
  body: JsonObject,
  response: { readonly id: string | undefined; readonly output: readonly JsonValue[] },
): Remembered | undefined {
  const { input } = body;
  if (response.id === undefined || !Array.isArray(input) || isChained(body)) return undefined;
  return {
    responseId: response.id,
    fields: fieldsOf(body),
    ...sinceCompaction(input, response.output.filter(isJsonObject)),
  };
}

/** A summary is sent back without what it replaces: the next request begins with what it leaves. */
function sinceCompaction(
  input: readonly JsonValue[],
  output: readonly JsonObject[],
): Pick<Remembered, 'input' | 'output'> {
  const at = output.findLastIndex(isCompaction);
  if (at === -1) return { input, output };
  return { input: input.filter((item) => isJsonObject(item) && outlivesCompaction(item)), output: output.slice(at) };
}

/** The user, or the loop with `store: true`, says what a request continues: it is sent as it is. */
function isChained({ previous_response_id: previous, conversation }: JsonObject): boolean {
  return previous != null || conversation != null;
}

/**
 * The items of a request that the server does not know yet. `undefined`: the request is not what was remembered, then what
 * the model said, then something of ours; so all of it has to be sent.
 */
export function newItems(body: JsonObject, remembered: Remembered): readonly JsonValue[] | undefined {
  const { input } = body;
  if (!Array.isArray(input) || isChained(body) || !beginsWith(input, remembered.input)) return undefined;
  const ours = withoutAnswer(input.slice(remembered.input.length), remembered.output);
  return ours === undefined || ours.length === 0 || fieldsOf(body) !== remembered.fields ? undefined : ours;
}

function fieldsOf(body: JsonObject): string {
  const names = Object.keys(body).filter((name) => !MAY_DIFFER.has(name) && body[name] !== undefined);
  return names
    .toSorted()
    .map((name) => `${name}:${textOfField(body[name])}`)
    .join(',');
}

/** The tools of a call are the same object in each of its rounds, and most of its fields. */
const FIELDS = new WeakMap<object, string>();

function textOfField(value: JsonValue | undefined): string {
  if (typeof value !== 'object' || value === null) return stableJson(value);
  const text = FIELDS.get(value) ?? stableJson(value);
  FIELDS.set(value, text);
  return text;
}

function beginsWith(input: readonly JsonValue[], known: readonly JsonValue[]): boolean {
  return known.length <= input.length && known.every((item, index) => isSame(item, input[index]));
}

/** Within a call the items are the same objects; in the next one they were made anew. */
function isSame(a: JsonValue, b: JsonValue | undefined): boolean {
  return a === b || stableJson(a) === stableJson(b);
}

/**
 * What is ours behind a response: outputs, wherever they stand among the items of the model, each of which has to be there,
 * in its order, and then new messages: before an answer they make another conversation. Reasoning may be missing: what is
 * sealed for another key, or not sealed, is not sent back.
 */
function withoutAnswer(items: readonly JsonValue[], output: readonly JsonValue[]): readonly JsonValue[] | undefined {
  const expected = asRecords(output).filter(({ type }) => type !== 'reasoning');
  const ours: JsonValue[] = [];
  for (const item of items) {
    if (!isRecord(item)) return undefined;
    const [next] = expected;
    if (next !== undefined && isAnswered(item, next)) expected.shift();
    else if (OUTPUTS.has(item['type']) || (next === undefined && isOurs(item))) ours.push(item);
    else if (item['type'] !== 'reasoning') return undefined;
  }
  return expected.length === 0 ? ours : undefined;
}

function isOurs({ type, role }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'message') return role === 'user' || role === 'system' || role === 'developer';
  return OURS.has(String(type));
}

/** They belong to a call, and may stand right behind it. */
const OUTPUTS: ReadonlySet<unknown> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
  'computer_call_output',
  'tool_search_output',
]);
const OURS: ReadonlySet<string> = new Set([
  'mcp_approval_response',
  'configuration_update',
  'additional_tools',
  'compaction_trigger',
]);

/** Whether an item of a request is an item of the response, as we write it. */
function isAnswered(sent: Readonly<Record<string, unknown>>, answered: Readonly<Record<string, unknown>>): boolean {
  if (sent['type'] !== answered['type']) return false;
  if (sent['type'] !== 'message') return core(sent) === core(answered);
  return sent['role'] === 'assistant' && textOf(sent) === textOf(answered);
}

/** Servers number items and say how far they are; neither goes back. */
function core(item: Readonly<Record<string, unknown>>): string {
  const rest = Object.entries(item).filter(([name, value]) => name !== 'id' && name !== 'status' && value !== null);
  return stableJson(Object.fromEntries(rest));
}

function textOf({ content }: Readonly<Record<string, unknown>>): string {
  return asRecords(content)
    .map((part) => asString(part['text']) ?? asString(part['refusal']) ?? '')
    .join('');
}
