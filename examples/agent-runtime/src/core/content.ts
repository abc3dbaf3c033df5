import type { AdapterMessage, ContentBlock } from '../types/messages.js';
import { AgentError } from './agent-error.js';
import { toBase64 } from './plain-json.js';

const SUMMARY_CHARS = 80;

export interface ReadContent {
  /** As the model is given it, with bytes as base64. */
  readonly content: string | readonly ContentBlock[];
  readonly row: AdapterMessage;
}

/** Reads what a user says; throws if it says nothing, or in a form that is not known. */
export function readContent(content: string | readonly ContentBlock[]): ReadContent {
  if (typeof content === 'string') {
    if (content === '') throw new AgentError('bad_message', 'The message is empty.');
    return { content, row: { type: 'user', content } };
  }
  if (!Array.isArray(content) || content.length === 0) {
    throw new AgentError('bad_message', 'A message is a text, or a list of blocks with at least one block.');
  }
  const blocks = (content as readonly ContentBlock[]).map((block, index) => readBlock(block, index));
  const readable = blocks.map(inWords).join('\n');
  const isText = blocks.every(({ type }) => type === 'text');
  if (isText) return { content: readable, row: { type: 'user', content: readable } };
  return { content: blocks, row: { type: 'user', content: readable, metadata: { blocks } } };
}

/** The first line that says something. */
export function summaryOf(content: string): string {
  const line = content.split(/\r\n|\r|\n/).find((text) => text.trim() !== '') ?? '';
  return [...line.trim()].slice(0, SUMMARY_CHARS).join('');
}

function readBlock(block: ContentBlock, index: number): ContentBlock {
  const problem = problemOf(block);
  if (problem !== undefined) throw new AgentError('bad_message', `content[${index}] ${problem}`);
  if (block.type === 'text' || typeof block.data === 'string') return block;
  return { ...block, data: toBase64(block.data) };
}

function problemOf(block: Partial<Record<string, unknown>> | ContentBlock | null): string | undefined {
  const { type, text, data, mediaType } = (block ?? {}) as Partial<Record<string, unknown>>;
  if (type === 'text') return typeof text === 'string' ? undefined : 'needs a `text`.';
  if (type !== 'image' && type !== 'file') return `has the type ${String(type)}; known are text, image and file.`;
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) return 'needs `data`: bytes, base64 or an address.';
  return type === 'file' && typeof mediaType !== 'string' ? 'needs a `mediaType`.' : undefined;
}

function inWords(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  return block.type === 'image' ? '[image]' : `[file ${block.name ?? block.mediaType}]`;
}
