import { convertToModelMessages, isToolUIPart, type ModelMessage, type ToolSet } from 'ai';
import { normalizeParts } from '../store/normalize-parts.js';
import type { ChatMessage, ChatPart, StoredMessage } from '../types.js';
import { withoutErrorNote } from './error-note.js';
import { settle } from './open-calls.js';
import { cutAtSteered } from './steered-parts.js';

export interface ChainOptions {
  readonly tools: ToolSet;
  /** The message that goes on after its approvals: its answers still count. */
  readonly resumedId?: string | undefined;
  /** What a `data-skill` part stands for. */
  readonly skillText: (name: string) => string;
}

/** What the model reads of a path from root to leaf. */
export function toModelMessages(path: readonly StoredMessage[], options: ChainOptions): Promise<ModelMessage[]> {
  const messages = sinceSummary(path).flatMap((message) => toChatMessage(message, options));
  return convertToModelMessages<ChatMessage>(messages, {
    tools: options.tools,
    convertDataPart: ({ type, data }) =>
      type === 'data-skill' ? { type: 'text', text: options.skillText(data.name) } : undefined,
  });
}

/** What was said before the last summary is in it. */
function sinceSummary(path: readonly StoredMessage[]): readonly StoredMessage[] {
  return path.slice(
    Math.max(
      0,
      path.findLastIndex(({ messageKind }) => messageKind === 'compact_summary'),
    ),
  );
}

function toChatMessage(message: StoredMessage, { resumedId }: ChainOptions): ChatMessage[] {
  const { id, role, messageKind } = message;
  const parts = normalizeParts(withoutErrorNote(message.parts));
  if (messageKind === 'compact_summary') return [summaryMessage(id, parts)];
  if (role === 'user') return parts.length === 0 ? [] : [{ id, role, parts: parts.map(inlineText) }];
  if (role === 'system') return [];
  const settled = parts.map((part) => (isToolUIPart(part) ? settle(part, id === resumedId) : part));
  return cutAtSteered(settled).map((piece) =>
    piece.role === 'user' ? { id, ...piece } : { id, role: 'assistant', parts: withStepBoundaries(piece.parts) },
  );
}

function summaryMessage(id: string, parts: readonly ChatPart[]): ChatMessage {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { id, role: 'user', parts: [{ type: 'text', text: `Summary of the conversation before this:\n\n${text}` }] };
}

/** Steps are not stored. Behind a tool of the app a new one begins: what it answered was read before more was said. */
function withStepBoundaries(parts: readonly ChatPart[]): ChatPart[] {
  return parts.flatMap((part, index) => {
    const before = parts[index - 1];
    const isBoundary = before !== undefined && isToolUIPart(before) && before.providerExecuted !== true;
    return isBoundary && !isToolUIPart(part) ? [{ type: 'step-start' as const }, part] : [part];
  });
}

/** Servers take images and PDF as files; the text of a file they read as text. */
function inlineText(part: ChatPart): ChatPart {
  if (part.type !== 'file' || !part.mediaType.startsWith('text/')) return part;
  return { type: 'text', text: `[file ${part.filename ?? 'without a name'}]\n${textOfDataUrl(part.url)}` };
}

function textOfDataUrl(url: string): string {
  const comma = url.indexOf(',');
  const data = url.slice(comma + 1);
  return url.slice(0, comma).endsWith(';base64')
    ? Buffer.from(data, 'base64').toString('utf8')
    : decodeURIComponent(data);
}
