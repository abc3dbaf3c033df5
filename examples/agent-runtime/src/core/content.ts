import type { AdapterMessage, ContentBlock, StoredMessage } from '../types/messages.js';
import { AgentError } from './agent-error.js';
import { blockProblem } from './attachments.js';
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
    if (content.trim() === '') throw new AgentError('bad_message', 'The message is empty.');
    return { content, row: { type: 'user', content } };
  }
  if (!Array.isArray(content) || content.length === 0) {
    throw new AgentError('bad_message', 'A message is a text, or a list of blocks with at least one block.');
  }
  const blocks = (content as readonly ContentBlock[]).map((block, index) => readBlock(block, index));
  const readable = contentText(blocks);
  if (blocks.every(({ type }) => type === 'text') && readable.trim() === '')
    throw new AgentError('bad_message', 'The message is empty.');
  const isText = blocks.every(({ type }) => type === 'text');
  if (isText) return { content: readable, row: { type: 'user', content: readable } };
  return { content: blocks, row: { type: 'user', content: readable, metadata: { blocks } } };
}

/** What a row was made of: the text of it, or the blocks of a message that had more than text. */
export function contentOf({ content, metadata }: StoredMessage): string | readonly ContentBlock[] {
  return metadata?.blocks ?? content;
}

/** The first line that says something. */
export function summaryOf(content: string): string {
  const line = content.split(/\r\n|\r|\n/).find((text) => text.trim() !== '') ?? '';
  return [...line.trim()].slice(0, SUMMARY_CHARS).join('');
}

function readBlock(block: ContentBlock, index: number): ContentBlock {
  const problem = blockProblem(block);
  if (problem !== undefined) throw new AgentError('bad_message', `content[${index}] ${problem}`);
  return block.type === 'text' || typeof block.data === 'string' ? block : { ...block, data: toBase64(block.data) };
}

/** What a user says as a text; attachments are named. */
export function contentText(content: string | readonly ContentBlock[]): string {
  return typeof content === 'string' ? content : content.map(inWords).join('\n');
}

function inWords(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  return block.type === 'image' ? '[image]' : `[file ${block.name ?? block.mediaType}]`;
}
