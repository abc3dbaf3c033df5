import type { ChatChunk } from '../types.js';

/** Made by us, and taken out again before a listener sees it. */
export const SAVE_POINT = Object.freeze({ type: 'finish-step' }) as ChatChunk;

const SAVED_AFTER: ReadonlySet<string> = new Set([
  'tool-approval-request',
  'tool-output-available',
  'tool-output-error',
  'tool-output-denied',
  'data-steered',
]);

const ENDINGS: ReadonlySet<string> = new Set(['finish-step', 'finish', 'abort', 'error']);

/** Whether it tells of something that has to be on disk by then. */
export function isShownOnceSaved({ type }: ChatChunk): boolean {
  return SAVED_AFTER.has(type) || ENDINGS.has(type);
}

export function isSavePoint(chunk: ChatChunk): boolean {
  return chunk === SAVE_POINT;
}

/**
 * The SDK gives the message so far where a step ends. A provider's step may hold many rounds, and what an approved tool
 * answers comes before any step: so a step's end is put behind everything that must not be lost. Not within a text, which
 * such an end would break off.
 */
export class SavePoints {
  readonly #open = new Set<string>();
  readonly #isKeptFirst: (toolName: string) => boolean;
  #isDue = false;

  /** @param isKeptFirst whether calls of a tool wait with their run until they are on disk. */
  constructor(isKeptFirst: (toolName: string) => boolean) {
    this.#isKeptFirst = isKeptFirst;
  }

  /** The chunk, and the save point that belongs behind it. */
  behind(chunk: ChatChunk): readonly ChatChunk[] {
    if (chunk.type === 'text-start' || chunk.type === 'reasoning-start') this.#open.add(`${chunk.type[0]}${chunk.id}`);
    if (chunk.type === 'text-end' || chunk.type === 'reasoning-end') this.#open.delete(`${chunk.type[0]}${chunk.id}`);
    this.#isDue ||= chunk.type === 'tool-input-available' && this.#isKeptFirst(chunk.toolName);
    this.#isDue ||= SAVED_AFTER.has(chunk.type) && !('preliminary' in chunk && chunk.preliminary);
    if (chunk.type === 'finish-step') {
      this.#open.clear();
      this.#isDue = false;
    }
    if (!this.#isDue || this.#open.size > 0) return [chunk];
    this.#isDue = false;
    return [chunk, SAVE_POINT];
  }
}
