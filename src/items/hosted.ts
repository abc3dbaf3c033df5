import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import { defined } from '../util/defined.js';
import { asArray, asId, asRecord, asRecords, asString, isRecord, rowOf } from '../util/guards.js';
import { isDeeperThan, parseJson } from '../util/json.js';
import { any, list, object, text } from './fields.js';
import type { HostedKind, ShownPart } from './kind.js';
import { COMPLETED, pick, telling, wireOf } from './members.js';

/** As xAI has it: the question as a JSON text, like that of a function. */
function askedByArguments(tool: string, more: HostedKind['may'] = {}): Row {
  return {
    tool,
    input: (item) => argumentsOf(item['arguments']),
    result: (item) => pick(item, ['status', 'results', 'outputs']),
    may: { arguments: text, ...more },
  };
}

type Row = Omit<HostedKind, 'type'>;

/** Every tool that the server runs, by the type of its item. */
const ROWS: Readonly<Record<string, Row>> = {
  web_search_call: {
    tool: 'web_search',
    // xAI has the question in `arguments`.
    input: (item) => ({ ...pick(item, ['action']), ...argumentsOf(item['arguments']) }),
    result: (item) => ({ ...pick(item, ['status', 'results']), ...searchAction(item['action']) }),
    fromPart: searchFromPart,
    alsoTools: ['web_search_preview'],
    may: { action: object, arguments: text, results: list },
  },
  file_search_call: {
    tool: 'file_search',
    input: (item) => pick(item, ['queries']),
    result: (item) => ({ ...pick(item, ['status', 'queries']), results: foundFiles(item['results']) }),
    may: { queries: list, results: list },
  },
  code_interpreter_call: {
    tool: 'code_interpreter',
    // The SDK checks calls of declared tools against the declaration, so they have to be in its words.
    // xAI has the code in `arguments`.
    input: ({ code, container_id: containerId, arguments: asked }) => ({
      ...argumentsOf(asked),
      ...telling({ code, containerId }),
    }),
    result: (item) => pick(item, ['status', 'outputs']),
    may: { code: text, container_id: text, outputs: list },
  },
  // Names of xAI's.
  x_search_call: askedByArguments('x_search', { results: list }),
  code_execution_call: askedByArguments('code_interpreter', { outputs: list }),
  view_image_call: askedByArguments('view_image'),
  view_x_video_call: askedByArguments('view_x_video'),
  // The picture itself is a file part; twice would cost twice.
  image_generation_call: {
    tool: 'image_generation',
    input: () => ({}),
    result: (item) =>
      pick(item, ['status', 'revised_prompt', 'prompt', 'size', 'quality', 'background', 'output_format']),
    fromPart: ({ input }) => {
      const result = asId(asRecord(input)?.['result']);
      return result === undefined ? undefined : { ...COMPLETED, result };
    },
    may: { result: text },
  },
  mcp_call: {
    tool: 'mcp',
    input: (item) => argumentsOf(item['arguments']),
    result: ({ server_label: serverLabel, ...item }) => ({
      type: 'call',
      ...defined({ serverLabel }),
      ...pick(item, ['name', 'arguments', 'output', 'error', 'status']),
    }),
    needs: { server_label: text, name: text, arguments: text },
    may: { output: text, error: any, approval_request_id: text },
  },
};

export const HOSTED_KINDS: readonly HostedKind[] = Object.entries(ROWS).map(([type, row]) => ({ type, ...row }));

export function hostedKind(type: string): Row | undefined {
  return rowOf(ROWS, type);
}

/** What was asked for stands in the result alone. */
function searchFromPart({ input }: ShownPart): JsonObject | undefined {
  const { action, sources } = wireOf(input) ?? {};
  if (!isJsonObject(action)) return undefined;
  const found = asArray(sources).length === 0 ? {} : { sources: sources as JsonValue };
  return { ...COMPLETED, action: { ...action, ...found } };
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'incomplete']);

/** A search that a finished response has not finished found nothing. */
const UNFINISHED: ReadonlySet<string> = new Set(['in_progress', 'searching']);

export function hasFailed(item: JsonObject): boolean {
  if (item['type'] === 'web_search_call' && UNFINISHED.has(asString(item['status']) ?? '')) return true;
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

const SEARCH_STEPS: Readonly<Record<string, string>> = { open_page: 'openPage', find_in_page: 'findInPage' };

/** What a search did, and beside it what it read. */
function searchAction(value: JsonValue | undefined): JsonObject {
  if (!isRecord(value)) return {};
  const { type, sources, ...action } = value;
  return {
    action: { type: SEARCH_STEPS[asString(type) ?? ''] ?? type ?? null, ...action },
    ...telling({ sources }),
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
