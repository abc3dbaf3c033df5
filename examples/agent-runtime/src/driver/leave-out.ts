import { blockProblem, leftOutNote } from '../core/attachments.js';
import type { ContentBlock, StoredMessage } from '../types/messages.js';
import type { IsLeftOut } from './user-content.js';

/** A request that was refused for what it holds; anything else fails the same with less in it. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 413, 415, 422]);
/** What the SDK throws where a part cannot be read, downloaded or sent. */
const CONVERSIONS =
  /^AI_(?:DownloadError|InvalidDataContentError|InvalidPromptError|MessageConversionError|UnsupportedFunctionalityError)$/;

/**
 * Keeps attachments of earlier messages from ending a session: one that a server, a model or the SDK refuses makes every
 * later request fail. What is refused is left out, least first: the address that could not be downloaded, then the
 * attachments of messages that got no answer, then all of the history's.
 */
export class LeaveOut {
  readonly #unanswered: readonly ContentBlock[];
  readonly #all: readonly ContentBlock[];
  readonly #unreadable: readonly unknown[];
  readonly #out = new Set<ContentBlock>();

  constructor(history: readonly StoredMessage[]) {
    const unanswered: ContentBlock[] = [];
    const all: ContentBlock[] = [];
    const unreadable: unknown[] = [];
    for (const [index, { type, metadata }] of history.entries()) {
      if (type !== 'user' || metadata?.blocks === undefined) continue;
      const blocks: readonly unknown[] = Array.isArray(metadata.blocks) ? metadata.blocks : [metadata.blocks];
      unreadable.push(...blocks.filter((block) => blockProblem(block) !== undefined));
      const attached = (blocks as readonly ContentBlock[]).filter(
        (block) => blockProblem(block) === undefined && block.type !== 'text',
      );
      all.push(...attached);
      if (!isAnswered(history, index)) unanswered.push(...attached);
    }
    this.#unanswered = unanswered;
    this.#all = all;
    this.#unreadable = unreadable;
  }

  readonly isLeftOut: IsLeftOut = (block) => this.#out.has(block);

  /** A sentence for what the request lacks; `undefined` if it lacks nothing. */
  warning(): string | undefined {
    const notes = new Set([...this.#unreadable, ...this.#out].map(leftOutNote));
    if (notes.size === 0) return undefined;
    return `The request lacks what earlier messages had: ${[...notes].join(', ')}. Send it again in another form if it matters.`;
  }

  /** Whether a request without something more may do better after this error. */
  takes(error: unknown): boolean {
    const { name, statusCode, url, code } = (error ?? {}) as Partial<Record<string, unknown>>;
    const isDownload = name === 'AI_DownloadError';
    const isConversion = typeof name === 'string' && CONVERSIONS.test(name);
    if (!isConversion && code !== 'invalid-prompt' && !REFUSALS.has(statusCode)) return false;
    const at = isDownload ? this.#all.filter((block) => 'data' in block && block.data === url) : [];
    return this.#leave(at) || this.#leave(this.#unanswered) || this.#leave(this.#all);
  }

  #leave(blocks: readonly ContentBlock[]): boolean {
    const before = this.#out.size;
    for (const block of blocks) this.#out.add(block);
    return this.#out.size > before;
  }
}

/** The model said something, or called a tool, before the user wrote again. */
function isAnswered(history: readonly StoredMessage[], index: number): boolean {
  for (const { type } of history.slice(index + 1)) {
    if (type === 'user') return false;
    if (type === 'agent' || type === 'tool') return true;
  }
  return false;
}
