import type { JsonValue } from '../../core/json.js';
import { errorOutput, textOutput, type ToolOutput } from '../../core/message.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { toJsonText } from '../../util/to-json.js';
import { isContentResult, limitFiles, mapContentResult, NO_OUTPUT } from '../map-content-result.js';
import { bytesOf } from '../../util/bytes.js';
import { binaryFile, textIn } from './read-binary.js';

/** Whatever a function returned, as an output. Never rejects. */
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
  if (value instanceof Response) return mapResponse(value);
  if (value instanceof Blob) return mapBlob(value);
  const bytes = bytesOf(value);
  if (bytes !== undefined) return mapBytes(bytes);
  return isContentResult(value) ? mapContentResult(value) : jsonOutput(value);
}

function mapScalar(value: unknown): ToolOutput {
  if (typeof value === 'string') return textOutput(value === '' ? NO_OUTPUT : value);
  // JSON has no word for these and would say `null`.
  if (typeof value === 'number' && !Number.isFinite(value)) return textOutput(String(value));
  return jsonOutput(value);
}

async function mapBlob(blob: Blob): Promise<ToolOutput> {
  if (isText(blob.type)) return mapText(await blob.text(), blob.type);
  return mapBytes(new Uint8Array(await blob.arrayBuffer()), blob.type, 'name' in blob ? String(blob.name) : undefined);
}

/** Most bytes that do not say what they are, are a text. */
function mapBytes(bytes: Uint8Array, mediaType = '', filename?: string): ToolOutput {
  const file = fileOutput(bytes, mediaType, filename);
  if (file !== undefined) return file;
  const decoded = textIn(bytes);
  return decoded === undefined ? jsonOutput(bytes) : textOutput(decoded);
}

/** The result of a `fetch` that a tool passes on: its body, and whether it went well. */
async function mapResponse(response: Response): Promise<ToolOutput> {
  const status = `HTTP ${response.status} ${response.statusText}`.trimEnd();
  if (response.bodyUsed) return { ...textOutput(`${status} (its body was read before)`), isError: !response.ok };
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  // Node takes a body without a type for binary data; most of those are texts.
  const output =
    isText(type) || type === '' ? mapText(await response.text(), type) : await mapBlob(await response.blob());
  if (response.ok) return output;
  return { ...output, isError: true, content: [{ type: 'text', text: status }, ...output.content] };
}

function isText(mediaType: string): boolean {
  return /^text\/|[/+](json|xml|yaml|javascript)\b|x-www-form-urlencoded/.test(mediaType);
}

function mapText(text: string, mediaType: string): ToolOutput {
  const parsed = /[/+]json\b/.test(mediaType) ? parseJson(text) : undefined;
  // Parsed JSON is JSON.
  return {
    ...textOutput(text === '' ? NO_OUTPUT : text),
    ...(parsed === undefined ? {} : { value: parsed as JsonValue }),
  };
}

function fileOutput(bytes: Uint8Array, mediaType: string, filename?: string): ToolOutput | undefined {
  const file = binaryFile(bytes, mediaType, filename);
  return file === undefined ? undefined : { isError: false, content: [file] };
}

function jsonOutput(value: unknown): ToolOutput {
  const text = toJsonText(value);
  if (text === undefined) return textOutput(NO_OUTPUT);
  return {
    isError: isRecord(value) && value['isError'] === true,
    content: [{ type: 'text', text }],
    // Parsed back from its own text, so it is JSON by now.
    value: JSON.parse(text) as JsonValue,
  };
}
