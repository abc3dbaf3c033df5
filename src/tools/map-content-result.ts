import type { JsonValue } from '../core/json.js';
import type { FileContent, TextContent, ToolOutput } from '../core/message.js';
import { asId, asString, isRecord } from '../util/guards.js';
import { toJsonText } from '../util/to-json.js';

type Content = TextContent | FileContent;
type Block = Record<string, unknown>;

/** What the model reads when a tool had nothing to say: some hosts refuse an empty output. */
export const NO_OUTPUT = '(no output)';

/**
 * A result in MCP's shape (`content` blocks, `structuredContent`, `isError`), from a server or from a function that speaks
 * it, as our output. Read leniently: an unknown block is shown as JSON, never refused.
 */
export function mapContentResult(result: Block): ToolOutput {
  const content = (Array.isArray(result['content']) ? (result['content'] as unknown[]) : []).flatMap(mapBlock);
  const structured = result['structuredContent'] ?? result['toolResult'];
  const json = structured === undefined ? undefined : toJsonText(structured);
  return {
    isError: result['isError'] === true,
    content: content.some(saysSomething) ? content : [text(json ?? NO_OUTPUT)],
    // Parsed back from its own text, so it is JSON by now.
    ...(json === undefined ? {} : { value: JSON.parse(json) as JsonValue }),
  };
}

/** True for objects that carry a `content` list of typed blocks. */
export function isContentResult(value: unknown): value is Block {
  if (!isRecord(value) || !Array.isArray(value['content'])) return false;
  const blocks = value['content'] as unknown[];
  if (blocks.length === 0) return typeof value['isError'] === 'boolean' || isRecord(value['structuredContent']);
  return blocks.every((block) => isRecord(block) && typeof block['type'] === 'string' && BLOCKS.has(block['type']));
}

const BLOCKS: ReadonlyMap<string, (block: Block) => Content> = new Map<string, (block: Block) => Content>([
  ['text', (block) => text(asString(block['text']) ?? '')],
  ['image', (block) => media(block, 'image/*')],
  ['audio', (block) => media(block, 'audio/*')],
  ['resource', (block) => resource(isRecord(block['resource']) ? block['resource'] : {})],
  ['resource_link', resourceLink],
]);

function mapBlock(block: unknown): Content[] {
  if (!isRecord(block)) return block === undefined || block === null ? [] : [text(jsonOf(block))];
  const map = BLOCKS.get(asString(block['type']) ?? '');
  return [map === undefined ? text(jsonOf(block)) : map(block)];
}

function saysSomething(content: Content): boolean {
  return content.type === 'file' || content.text !== '';
}

function text(value: string): TextContent {
  return { type: 'text', text: value };
}

function media(block: Block, fallbackType: string): Content {
  const data = asId(block['data']);
  return data === undefined ? text(jsonOf(block)) : file(data, asId(block['mimeType']) ?? fallbackType);
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
  // Some servers put a whole data URL where plain base64 belongs.
  const base64 = data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data;
  return {
    type: 'file',
    mediaType,
    source: { type: 'data', base64 },
    ...(filename === undefined || filename === '' ? {} : { filename }),
  };
}

function jsonOf(value: unknown): string {
  return toJsonText(value) ?? String(value);
}
