import {
  errorOutput,
  type FileContent,
  type FileSource,
  type TextContent,
  textOutput,
  type ToolOutput,
} from '../../core/message.js';
import { bytesOf, toBase64 } from '../../util/bytes.js';
import { defined } from '../../util/defined.js';
import { asId, asString, isRecord, rowOf } from '../../util/guards.js';
import { toJsonText } from '../../util/to-json.js';
import { limitFiles, mapBlock, NO_OUTPUT } from '../map-content-result.js';
import type { LocalTool } from './local-tool.js';

type Part = Readonly<Record<string, unknown>>;
type Content = TextContent | FileContent;

/** A finished call. */
export interface EndedCall {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

/**
 * Returns the result of the tool's `toModelOutput`; see the rule at `LocalTool.toModelOutput`.
 *
 * @throws the function's error, and an error if it returns a shape that the AI SDK lacks
 */
export async function callToModelOutput(
  toModelOutput: NonNullable<LocalTool['toModelOutput']>,
  call: EndedCall,
): Promise<ToolOutput> {
  let wasRead = false;
  // Not enumerable, so that copying or logging the argument does not count as reading these.
  const argument = {};
  for (const [name, value] of Object.entries(call)) {
    const get = (): unknown => {
      wasRead = true;
      return value as unknown;
    };
    Object.defineProperty(argument, name, { get });
  }
  let returned: unknown;
  try {
    returned = await toModelOutput(argument);
  } catch (error) {
    if (wasRead) throw error;
  }
  if (!wasRead) returned = await toModelOutput(call.output);
  const mapped = typeof returned === 'string' ? textOutput(returned) : mapModelOutput(returned);
  if (mapped === undefined) throw new TypeError('it returned none of the shapes of the AI SDK');
  return limitFiles(mapped);
}

/** In the shapes of AI SDK 5, 6 and 7; `undefined` for anything else. */
function mapModelOutput(returned: unknown): ToolOutput | undefined {
  if (!isRecord(returned)) return undefined;
  const type = asString(returned['type']) ?? '';
  return rowOf(OUTPUTS, type)?.(returned);
}

const OUTPUTS: Readonly<Record<string, (output: Part) => ToolOutput | undefined>> = {
  text: ({ value }) => (typeof value === 'string' ? textOutput(value === '' ? NO_OUTPUT : value) : undefined),
  json: ({ value }) => ifSaid(toJsonText(value), textOutput),
  'error-text': ({ value }) => ifSaid(asString(value), errorOutput),
  'error-json': ({ value }) => ifSaid(toJsonText(value), errorOutput),
  content: ({ value }) => (Array.isArray(value) ? contentOutput(value) : undefined),
  'execution-denied': ({ reason }) =>
    errorOutput(`The user did not allow this call${asId(reason) === undefined ? '.' : `: ${asId(reason)}`}`),
};

function ifSaid(text: string | undefined, output: (text: string) => ToolOutput): ToolOutput | undefined {
  return text === undefined ? undefined : output(text);
}

function contentOutput(parts: readonly unknown[]): ToolOutput {
  const content = parts.flatMap(mapPart);
  return content.length === 0 ? textOutput(NO_OUTPUT) : { isError: false, content };
}

/** AI SDK 5 has `media`, 6 a kind per source, 7 `file`; any other kind is read in MCP's form. */
function mapPart(part: unknown): readonly Content[] {
  if (!isRecord(part)) return mapBlock(part);
  const source = sourceOf(part);
  if (part['type'] === 'text' || part['type'] === 'image' || source === undefined) return mapBlock(part);
  const kind = String(part['type']).startsWith('image') ? 'image/*' : 'application/octet-stream';
  return [
    {
      type: 'file',
      mediaType: asId(part['mediaType']) ?? typeOfDataUrl(part['data'] ?? part['url']) ?? kind,
      source,
      ...defined({ filename: asId(part['filename']) }),
    },
  ];
}

function sourceOf(part: Part): FileSource | undefined {
  const id = fileId(part['fileId']) ?? fileId(part['providerReference']);
  if (id !== undefined) return { type: 'id', id };
  return sourceOfData(part['data'] ?? part['url']);
}

/** One id, or one per provider: ours is OpenAI's. */
function fileId(id: unknown): string | undefined {
  return isRecord(id) ? (asId(id['responses-loop']) ?? asId(id['openai'])) : asId(id);
}

/** Bytes, base64, a data URL, a URL, or (AI SDK 7) one of these with a tag. */
function sourceOfData(data: unknown): FileSource | undefined {
  const bytes = bytesOf(data);
  if (bytes !== undefined) return { type: 'data', base64: toBase64(bytes) };
  if (data instanceof URL) return sourceOfData(data.href);
  if (typeof data === 'string' && data !== '') {
    if (/^https?:\/\//.test(data)) return { type: 'url', url: data };
    return { type: 'data', base64: data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data };
  }
  return isRecord(data) ? sourceOfTagged(data) : undefined;
}

function sourceOfTagged(tagged: Part): FileSource | undefined {
  const text = tagged['type'] === 'text' ? asString(tagged['text']) : undefined;
  if (text !== undefined) return { type: 'data', base64: toBase64(new TextEncoder().encode(text)) };
  const id = fileId(tagged['reference']);
  if (id !== undefined) return { type: 'id', id };
  const inner = tagged['data'] ?? tagged['url'];
  // One level only: tags are not nested in practice, and a circular object has no end.
  return isRecord(inner) && !(inner instanceof URL) && bytesOf(inner) === undefined ? undefined : sourceOfData(inner);
}

function typeOfDataUrl(data: unknown): string | undefined {
  return typeof data === 'string' ? /^data:([^;,]+)/.exec(data)?.[1] : undefined;
}
