import { isCompaction, outlivesCompaction } from '../../core/compaction.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { isClientsOutput } from '../../items/pairs.js';
import { isWrittenByCaller } from '../../items/plain.js';
import { asRecords, asString, isRecord } from '../../util/guards.js';
import { stableJson } from '../../util/json.js';
import { fingerprint } from '../../util/fingerprint.js';

/**
 * The server's state after a response: the request, and the response's answer. Only fingerprints are kept, because the
 * connection may be idle for long, and a conversation may be long.
 */
export interface Remembered {
  readonly responseId: string;
  /** The request fields that must be equal in a continuation. */
  readonly fields: string;
  readonly input: readonly string[];
  readonly output: readonly Answered[];
}

/** An item of the model, except reasoning. */
interface Answered {
  readonly type: JsonValue | undefined;
  readonly print: string;
}

/** Fields that a request may change within the same conversation. */
const MAY_DIFFER: ReadonlySet<string> = new Set([
  'input',
  'previous_response_id',
  'stream',
  'background',
  // OpenAI's guide to the WebSocket mode continues with another tool choice.
  'tool_choice',
  'max_output_tokens',
  'metadata',
]);

/** Returns the state that a response leaves on its connection; `undefined` if no request could continue it. */
export function remember(
  body: JsonObject,
  response: { readonly id: string | undefined; readonly output: readonly JsonValue[] },
): Remembered | undefined {
  const { input } = body;
  if (response.id === undefined || !Array.isArray(input) || isChained(body)) return undefined;
  const known = sinceCompaction(input, response.output.filter(isJsonObject));
  return {
    responseId: response.id,
    fields: fieldsOf(body),
    input: known.input.map(printOf),
    output: known.output
      .filter(({ type }) => type !== 'reasoning')
      .map((item) => ({ type: item['type'], print: answerPrint(item) })),
  };
}

/** A summary is sent back without the items that it replaces, so the next request begins after them. */
function sinceCompaction(
  input: readonly JsonValue[],
  output: readonly JsonObject[],
): { readonly input: readonly JsonValue[]; readonly output: readonly JsonObject[] } {
  const at = output.findLastIndex(isCompaction);
  if (at === -1) return { input, output };
  return { input: input.filter((item) => isJsonObject(item) && outlivesCompaction(item)), output: output.slice(at) };
}

/** The user, or the loop with `store: true`, names the continuation: the body is sent unchanged. */
function isChained({ previous_response_id: previous, conversation }: JsonObject): boolean {
  return previous != null || conversation != null;
}

/**
 * Returns the items of a request that the server lacks, if the remembered input and the model's items precede them.
 * `undefined`: the whole input must be sent.
 */
export function newItems(body: JsonObject, remembered: Remembered): readonly JsonValue[] | undefined {
  const { input } = body;
  if (!Array.isArray(input) || isChained(body) || input.length < remembered.input.length) return undefined;
  if (!remembered.input.every((print, index) => printOf(input[index] ?? null) === print)) return undefined;
  const ours = withoutAnswer(input.slice(remembered.input.length), remembered.output);
  return ours === undefined || ours.length === 0 || fieldsOf(body) !== remembered.fields ? undefined : ours;
}

function fieldsOf(body: JsonObject): string {
  const names = Object.keys(body).filter((name) => !MAY_DIFFER.has(name) && body[name] !== undefined);
  return names
    .toSorted()
    .map((name) => `${name}:${printOf(body[name] ?? null)}`)
    .join(',');
}

/** Within a call the items, the tools and most other fields are the same objects in each round. */
const PRINTS = new WeakMap<object, string>();

function printOf(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return fingerprint(stableJson(value));
  const print = PRINTS.get(value) ?? fingerprint(stableJson(value));
  PRINTS.set(value, print);
  return print;
}

/**
 * Returns our items after a response: outputs among the model's items, which must be complete and in order, and then
 * new messages. An earlier new message makes another conversation. Reasoning may be missing, because it is sent back
 * only if it is sealed for this key.
 */
function withoutAnswer(items: readonly JsonValue[], output: readonly Answered[]): readonly JsonValue[] | undefined {
  const expected = [...output];
  const ours: JsonValue[] = [];
  for (const item of items) {
    if (!isRecord(item)) return undefined;
    const [next] = expected;
    if (next !== undefined && isAnswered(item, next)) expected.shift();
    else if (isClientsOutput(item['type']) || (next === undefined && isOurs(item))) ours.push(item);
    else if (item['type'] !== 'reasoning') return undefined;
  }
  return expected.length === 0 ? ours : undefined;
}

function isOurs({ type, role }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'message') return role === 'user' || role === 'system' || role === 'developer';
  return isWrittenByCaller(type);
}

/** Whether an item of a request is an item of the response, as we write it. */
function isAnswered(sent: Readonly<Record<string, unknown>>, { type, print }: Answered): boolean {
  if (sent['type'] !== type || (type === 'message' && sent['role'] !== 'assistant')) return false;
  return answerPrint(sent) === print;
}

/** Only the text of a message, because we write the rest differently. */
function answerPrint(item: Readonly<Record<string, unknown>>): string {
  return fingerprint(item['type'] === 'message' ? textOf(item) : core(item));
}

/** Servers add ids and a status to items; requests omit both. */
function core(item: Readonly<Record<string, unknown>>): string {
  const rest = Object.entries(item).filter(([name, value]) => name !== 'id' && name !== 'status' && value !== null);
  return stableJson(Object.fromEntries(rest));
}

function textOf({ content }: Readonly<Record<string, unknown>>): string {
  return asRecords(content)
    .map((part) => asString(part['text']) ?? asString(part['refusal']) ?? '')
    .join('');
}
