import type { JsonObject, JsonValue } from '../../core/json.js';
import { DEFAULT_LIMITS } from '../../core/limits.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asRecord, asRecords, asString, isRecord } from '../../util/guards.js';
import { isDeeperThan, parseJson } from '../../util/json.js';
import type { EventTable, RoundState, WireObject } from '../round-state.js';
import { type Address, addressOfEvent } from '../slot-table.js';
import type { OtherSlot } from '../slot.js';

/** How an item of a tool that the server runs is shown: as a call with its result. */
export interface HostedFamily {
  /** The kind of tool, as it is declared. */
  readonly tool: string;
  input(item: JsonObject): JsonObject;
  result(item: JsonObject): JsonObject;
}

/** Which fields of an item are the question and which are the answer. */
function family(tool: string, input: readonly string[], result: readonly string[]): HostedFamily {
  return {
    tool,
    input: (item) => pick(item, input),
    result: (item) => pick(item, ['status', ...result]),
  };
}

/** As xAI has it: the question as a JSON text, like that of a function. */
function askedByArguments(tool: string): HostedFamily {
  return {
    tool,
    input: (item) => argumentsOf(item['arguments']),
    result: (item) => pick(item, ['status', 'results', 'outputs']),
  };
}

export const HOSTED: Readonly<Record<string, HostedFamily>> = {
  web_search_call: {
    tool: 'web_search',
    // xAI has the question in `arguments`.
    input: (item) => ({ ...pick(item, ['action']), ...argumentsOf(item['arguments']) }),
    result: (item) => ({ ...pick(item, ['status', 'results']), ...searchAction(item['action']) }),
  },
  file_search_call: {
    tool: 'file_search',
    input: (item) => pick(item, ['queries']),
    result: (item) => ({ ...pick(item, ['status', 'queries']), results: foundFiles(item['results']) }),
  },
  code_interpreter_call: {
    tool: 'code_interpreter',
    input: (item) => ({ ...pick(item, ['code']), ...renamed(item, 'container_id', 'containerId') }),
    result: (item) => pick(item, ['status', 'outputs']),
  },
  x_search_call: askedByArguments('x_search'),
  code_execution_call: askedByArguments('code_interpreter'),
  view_image_call: askedByArguments('view_image'),
  view_x_video_call: askedByArguments('view_x_video'),
  // The picture itself is a file part; twice would cost twice.
  image_generation_call: family(
    'image_generation',
    [],
    ['revised_prompt', 'prompt', 'size', 'quality', 'background', 'output_format'],
  ),
  mcp_call: {
    tool: 'mcp',
    input: (item) => argumentsOf(item['arguments']),
    result: ({ server_label: serverLabel, ...item }) => ({
      type: 'call',
      ...defined({ serverLabel }),
      ...pick(item, ['name', 'arguments', 'output', 'error', 'status']),
    }),
  },
};

const FAILED: ReadonlySet<string> = new Set(['failed', 'incomplete']);

export function hasFailed(item: JsonObject): boolean {
  return FAILED.has(asString(item['status']) ?? '') || (item['error'] !== null && item['error'] !== undefined);
}

/** The picture of an `image_generation_call`. */
export function imageOf(item: JsonObject): { readonly mediaType: string; readonly base64: string } | undefined {
  const base64 = asString(item['result']);
  if (item['type'] !== 'image_generation_call' || base64 === undefined || base64 === '') return undefined;
  return { mediaType: `image/${asString(item['output_format']) ?? 'png'}`, base64 };
}

/** Pages a web search looked at, if the request asked for them. */
export function searchedUrls(item: JsonObject): string[] {
  const sources = asArray(asRecord(item['action'])?.['sources']);
  return sources.flatMap((source) => asString(asRecord(source)?.['url']) ?? []);
}

/** Those of its members that say something. */
export function pick(item: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (item[name] === undefined || item[name] === null ? [] : [[name, item[name]]])),
  );
}

/** The SDK checks calls of declared tools against the declaration, so they have to be in its words. */
function renamed(item: JsonObject, wire: string, name: string): JsonObject {
  const value = item[wire];
  return value === undefined || value === null ? {} : { [name]: value };
}

const SEARCH_STEPS: Readonly<Record<string, string>> = { open_page: 'openPage', find_in_page: 'findInPage' };

/** What a search did, and beside it what it read. */
function searchAction(value: JsonValue | undefined): JsonObject {
  if (!isRecord(value)) return {};
  const { type, sources, ...action } = value;
  return {
    action: { type: SEARCH_STEPS[asString(type) ?? ''] ?? type ?? null, ...action },
    ...(sources === undefined || sources === null ? {} : { sources }),
  };
}

function foundFiles(value: JsonValue | undefined): JsonValue {
  if (!Array.isArray(value)) return null;
  return (asRecords(value) as JsonObject[]).map(({ file_id: fileId, ...file }) => ({
    ...(fileId === undefined ? {} : { fileId }),
    ...file,
  }));
}

function argumentsOf(value: JsonValue | undefined): JsonObject {
  if (typeof value !== 'string') return {};
  const parsed = asRecord(parseJson(value));
  if (parsed === undefined || isDeeperThan(parsed, DEFAULT_LIMITS.jsonDepth)) return { arguments: value };
  // It came out of JSON.parse, so it is JSON.
  return parsed as JsonObject;
}

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
