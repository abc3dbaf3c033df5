import type { JsonValue } from '../core/json.js';
import type { FileContent, TextContent, ToolOutput } from '../core/message.js';
import { defined } from '../util/defined.js';
import { asArray, asId, asRecord, asString, isRecord, rowOf } from '../util/guards.js';
import { parseJson, stableJson } from '../util/json.js';
import { toJsonText } from '../util/to-json.js';

type Content = TextContent | FileContent;
type Block = Record<string, unknown>;

/** Replaces an empty output, because some hosts refuse it. */
export const NO_OUTPUT = '(no output)';

/** Decoded bytes of all files of one output; further files are named, not sent (CherryHQ/cherry-studio#13184). */
const DEFAULT_MAX_FILE_BYTES = 20_000_000;

/**
 * Converts a result in MCP's shape (`content` blocks, `structuredContent`, `isError`), from a server or a function. It
 * shows an unknown block as JSON and never refuses it. The model learns that a block for the user only
 * (`annotations.audience`) exists; `value` keeps it. An error is always for the model.
 *
 * The model reads text and `structuredContent`, unless the text is the same value as JSON. Of an error it always reads
 * both, because models diagnosed wrongly without them (anthropics/claude-code#86032).
 */
export function mapContentResult(result: Block, maxFileBytes?: number, shows: ShowsStructured = 'both'): ToolOutput {
  const isError = result['isError'] === true;
  const plain = plainText(result);
  if (plain !== undefined) return { isError, content: [{ type: 'text', text: plain }] };
  const blocks = blocksOf(result);
  const hidden = new Set(isError ? [] : blocks.filter(isForUserOnly));
  const content = blocks.flatMap((block) => (hidden.has(block) ? nameOnly(block) : mapBlock(block)));
  const structured = structuredOf(result);
  const value = structured ?? (hidden.size > 0 ? { content: blocks } : undefined);
  const json = value === undefined ? undefined : toJsonText(value);
  const beside = { json: structured === undefined ? undefined : json, shows: isError ? 'both' : shows } as const;
  const output: ToolOutput = {
    isError,
    content: content.some(saysSomething) ? withStructured(content, beside) : [text(json ?? NO_OUTPUT)],
    // Parsed from JSON text, so it is JSON.
    ...(json === undefined ? {} : { value: JSON.parse(json) as JsonValue }),
  };
  return limitFiles(output, maxFileBytes);
}

/** Whether the model reads the text of a result, its `structuredContent`, or both. */
export type ShowsStructured = 'both' | 'text' | 'structured';

function withStructured(
  content: readonly Content[],
  { json, shows }: { readonly json: string | undefined; readonly shows: ShowsStructured },
): readonly Content[] {
  if (json === undefined || shows === 'text') return content;
  if (shows === 'structured') return [...content.filter(({ type }) => type === 'file'), text(json)];
  const value: unknown = JSON.parse(json);
  const same = stableJson(value);
  // The filesystem server wraps its text: `{ content: text }`.
  const [wrapped, ...others] = isRecord(value) ? Object.values(value) : [];
  const isSaid = content.some(
    (block) => block.type === 'text' && ((others.length === 0 && block.text === wrapped) || isJsonOf(block.text, same)),
  );
  return isSaid ? content : [...content, text(json)];
}

/** Whether a text is that value as JSON, in any order and with any blanks. */
function isJsonOf(written: string, same: string): boolean {
  const parsed = /^\s*["[{\d-]/.test(written) ? parseJson(written) : undefined;
  return parsed !== undefined && stableJson(parsed) === same;
}

/** The text of a result with only one text block, the common case. */
function plainText(result: Block): string | undefined {
  const { content } = result;
  const block: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  if (!isRecord(block) || block['type'] !== 'text' || block['annotations'] !== undefined) return undefined;
  return structuredOf(result) === undefined ? asId(block['text']) : undefined;
}

function structuredOf({ structuredContent, toolResult }: Block): unknown {
  return structuredContent ?? toolResult;
}

/** Keeps results of servers that send one block, a bare string or other members instead of the shape. */
function blocksOf(result: Block): readonly unknown[] {
  const { content } = result;
  if (Array.isArray(content)) return content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content !== undefined && content !== null) return [content];
  const others = Object.entries(result).filter(([name]) => !RESULT_MEMBERS.has(name));
  return others.length === 0 ? [] : [{ type: 'text', text: jsonOf(Object.fromEntries(others)) }];
}

/** MCP: "an array indicating the intended audience(s)"; clients may filter by it, and do (microsoft/vscode#248437). */
function isForUserOnly(block: unknown): boolean {
  const audience = asArray(asRecord(asRecord(block)?.['annotations'])?.['audience']);
  return audience.includes('user') && !audience.includes('assistant');
}

function nameOnly(block: unknown): Content[] {
  return mapBlock(block).map((content) => {
    const kind = content.type === 'file' ? content.mediaType : `text, ${content.text.length} characters`;
    return text(`[${kind}: for the user only]`);
  });
}

/** Replaces files beyond the limit by a line that names them; earlier files are sent. */
export function limitFiles(output: ToolOutput, maxBytes: number = DEFAULT_MAX_FILE_BYTES): ToolOutput {
  let left = maxBytes;
  const content = output.content.map((block) => {
    if (block.type === 'text' || block.source.type !== 'data') return block;
    const size = decodedSize(block.source.base64);
    if (size > left)
      return text(`[${fileName(block)} left out: ${megabytes(size)}, the limit is ${megabytes(maxBytes)}]`);
    left -= size;
    return block;
  });
  return content.every((block, index) => block === output.content[index]) ? output : { ...output, content };
}

function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return Math.floor((base64.length * 3) / 4) - padding;
}

function fileName({ filename, mediaType }: FileContent): string {
  return filename === undefined ? mediaType : `${filename} (${mediaType})`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * True only for a plain MCP result. An object with other members, or with a block unknown to MCP, is a document, and
 * would lose everything outside its `content`.
 */
export function isContentResult(value: unknown): value is Block {
  if (!isRecord(value) || !Array.isArray(value['content'])) return false;
  if (!Object.keys(value).every((key) => RESULT_MEMBERS.has(key))) return false;
  const blocks = value['content'] as unknown[];
  if (blocks.length === 0) return typeof value['isError'] === 'boolean' || isRecord(value['structuredContent']);
  return blocks.every((block) => isRecord(block) && kindOf(block)?.isWhole(block) === true);
}

const RESULT_MEMBERS: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta', 'toolResult']);

interface Kind {
  /** Whether a block has the members of its kind. */
  readonly isWhole: (block: Block) => boolean;
  readonly map: (block: Block) => Content;
}

const hasData = (block: Block): boolean => asId(block['data']) !== undefined;

const KINDS: Readonly<Record<string, Kind>> = {
  text: {
    isWhole: (block) => typeof block['text'] === 'string',
    map: (block) => text(asString(block['text']) ?? ''),
  },
  image: { isWhole: hasData, map: (block) => media(block, 'image/*') },
  audio: { isWhole: hasData, map: (block) => media(block, 'audio/*') },
  resource: {
    isWhole: ({ resource: inner }) =>
      isRecord(inner) && (typeof inner['text'] === 'string' || asId(inner['blob']) !== undefined),
    map: ({ resource: inner }) => resource(asRecord(inner) ?? {}),
  },
  resource_link: { isWhole: (block) => asId(block['uri']) !== undefined, map: resourceLink },
};

function kindOf(block: Block): Kind | undefined {
  return rowOf(KINDS, asString(block['type']) ?? '');
}

/** Converts one block of MCP's content; other lists may contain such blocks too. */
export function mapBlock(block: unknown): Content[] {
  if (block === undefined || block === null) return [];
  const kind = isRecord(block) ? kindOf(block) : undefined;
  return [isRecord(block) && kind !== undefined ? kind.map(block) : text(jsonOf(block))];
}

function saysSomething(content: Content): boolean {
  return content.type === 'file' || content.text !== '';
}

function text(value: string): TextContent {
  return { type: 'text', text: value };
}

function media(block: Block, usualType: string): Content {
  const data = asId(block['data']);
  return data === undefined ? text(jsonOf(block)) : file(data, asId(block['mimeType']) ?? usualType);
}

function resource(block: Block): Content {
  const blob = asId(block['blob']);
  if (blob === undefined) return text(asString(block['text']) ?? jsonOf(block));
  const filename = asString(block['uri'])?.split(/[?#]/)[0]?.split('/').at(-1);
  return file(blob, asId(block['mimeType']) ?? 'application/octet-stream', filename);
}

function resourceLink(block: Block): Content {
  const name = asId(block['title']) ?? asId(block['name']) ?? 'resource';
  const details = [asId(block['mimeType']), asId(block['description'])].filter((detail) => detail !== undefined);
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : '';
  return text(`Resource "${name}": ${asString(block['uri']) ?? ''}${suffix}`);
}

function file(data: string, mediaType: string, filename?: string): FileContent {
  // Some servers send a whole data URL instead of plain base64, or break it into lines.
  const base64 = (data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data).replaceAll(/\s+/g, '');
  return {
    type: 'file',
    mediaType,
    source: { type: 'data', base64 },
    ...defined({ filename: asId(filename) }),
  };
}

function jsonOf(value: unknown): string {
  return toJsonText(value) ?? String(value);
}
