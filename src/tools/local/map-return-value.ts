import type { JsonValue } from '../../core/json.js';
import { errorOutput, textOutput, type ToolOutput } from '../../core/message.js';
import { toBase64 } from '../../util/bytes.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { toJsonText } from '../../util/to-json.js';
import { isContentResult, limitFiles, mapContentResult, NO_OUTPUT } from '../map-content-result.js';
import type { ExecuteOptions } from '../tool-source.js';

/**
 * Returns a function's result, or an error for a value that only the function can read. The AI SDK's async generators
 * yield preliminary results: the last one counts, and each is a sign of life.
 */
export async function readResult(pending: unknown, options: ExecuteOptions): Promise<unknown> {
  // Also for an `async` function that returns a generator.
  const returned = isAsyncIterable(pending) ? pending : await pending;
  const result = isAsyncIterable(returned) && !isStream(returned) ? await lastValue(returned, options) : returned;
  return unreadable(result) ?? result;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return false;
  return typeof value[Symbol.asyncIterator] === 'function';
}

/** A stream of pieces, of the web or of Node: only the function knows where a result ends. */
function isStream(value: unknown): boolean {
  return value instanceof ReadableStream || (typeof value === 'object' && value !== null && 'pipe' in value);
}

function unreadable(value: unknown): Error | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const refuse = (what: string, advice: string): Error =>
    new Error(`The tool ran, but its function returned ${what}, which this package does not read: it must ${advice}.`);
  if (value instanceof Response) return refuse('a Response', 'return `await response.json()` or `.text()`');
  if (isStream(value)) return refuse('a stream', 'read it and return its content');
  const isGenerator = Symbol.iterator in value && 'next' in value;
  return isGenerator ? refuse('a generator', 'return a list, such as `[...values]`') : undefined;
}

async function lastValue(values: AsyncIterable<unknown>, options: ExecuteOptions): Promise<unknown> {
  let last: unknown;
  let count = 0;
  for await (const value of values) {
    if (options.signal.aborted) break;
    last = value;
    count += 1;
    options.onProgress?.({ progress: count, output: () => mapReturnValue(value) });
  }
  return last;
}

/** Converts any returned value to an output. Never rejects. */
export async function mapReturnValue(value: unknown): Promise<ToolOutput> {
  try {
    return limitFiles(await mapValue(value));
  } catch (error) {
    return errorOutput(`The tool ran, but what it returned cannot be written as JSON: ${errorText(error)}`);
  }
}

async function mapValue(value: unknown): Promise<ToolOutput> {
  if (typeof value !== 'object' || value === null) return mapScalar(value);
  if (value instanceof Error) return errorOutput(errorText(value));
  if (value instanceof Blob) return mapBlob(value);
  return isContentResult(value) ? mapContentResult(value) : jsonOutput(value);
}

function mapScalar(value: unknown): ToolOutput {
  if (typeof value === 'string') return textOutput(value === '' ? NO_OUTPUT : value);
  // JSON has no form for these and would write `null`.
  if (typeof value === 'number' && !Number.isFinite(value)) return textOutput(String(value));
  return jsonOutput(value);
}

/** A file with its media type; without one it is binary data, which no model can read. */
async function mapBlob(blob: Blob): Promise<ToolOutput> {
  const { type: mediaType } = blob;
  if (/^text\/|[/+](json|xml|yaml|javascript)\b|x-www-form-urlencoded/.test(mediaType))
    return mapText(await blob.text(), mediaType);
  if (blob.size === 0 || mediaType === '' || mediaType === 'application/octet-stream') return jsonOutput(blob);
  const base64 = toBase64(new Uint8Array(await blob.arrayBuffer()));
  const filename = 'name' in blob && blob.name !== '' ? String(blob.name) : undefined;
  const file = { type: 'file', mediaType, source: { type: 'data', base64 }, ...defined({ filename }) } as const;
  return { isError: false, content: [file] };
}

function mapText(text: string, mediaType: string): ToolOutput {
  const parsed = /[/+]json\b/.test(mediaType) ? parseJson(text) : undefined;
  // Parsed JSON is JSON.
  return {
    ...textOutput(text === '' ? NO_OUTPUT : text),
    ...(parsed === undefined ? {} : { value: parsed as JsonValue }),
  };
}

function jsonOutput(value: unknown): ToolOutput {
  const text = toJsonText(value);
  if (text === undefined) return textOutput(NO_OUTPUT);
  return {
    isError: isRecord(value) && value['isError'] === true,
    content: [{ type: 'text', text }],
    // Parsed from JSON text, so it is JSON.
    value: JSON.parse(text) as JsonValue,
  };
}
