import type { JsonObject, JsonValue } from '../../core/json.js';
import { DEFAULT_LIMITS } from '../../core/limits.js';
import { defined } from '../../util/defined.js';
import { asArray, asRecord, asRecords, asString, isRecord } from '../../util/guards.js';
import { isDeeperThan, parseJson } from '../../util/json.js';

/** How an item of a tool that the server runs is shown: as a call with its result. */
export interface HostedFamily {
  /** The kind of tool, as it is declared. */
  readonly tool: string;
  input(item: JsonObject): JsonObject;
  result(item: JsonObject): JsonObject;
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
    // The SDK checks calls of declared tools against the declaration, so they have to be in its words.
    // xAI has the code in `arguments`.
    input: ({ code, container_id: containerId, arguments: asked }) => ({
      ...argumentsOf(asked),
      ...telling({ code, containerId }),
    }),
    result: (item) => pick(item, ['status', 'outputs']),
  },
  x_search_call: askedByArguments('x_search'),
  code_execution_call: askedByArguments('code_interpreter'),
  view_image_call: askedByArguments('view_image'),
  view_x_video_call: askedByArguments('view_x_video'),
  // The picture itself is a file part; twice would cost twice.
  image_generation_call: {
    tool: 'image_generation',
    input: () => ({}),
    result: (item) =>
      pick(item, ['status', 'revised_prompt', 'prompt', 'size', 'quality', 'background', 'output_format']),
  },
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

/** The members that say something. */
function telling(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

export function pick(item: JsonObject, names: readonly string[]): JsonObject {
  return telling(Object.fromEntries(names.map((name) => [name, item[name]])));
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
