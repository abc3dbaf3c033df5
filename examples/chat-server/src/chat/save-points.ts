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
  readonly #areAllWanted: boolean;
  readonly #wanted = new Set<string>();
  readonly #passed = new Set<string>();
  #isDue = false;

  /** @param areAllWanted whether all calls wait with their run until they are on disk, and not only those that say so. */
  constructor(areAllWanted = false) {
    this.#areAllWanted = areAllWanted;
  }

  /** This call waits until it is on disk. Returns the save point, if it can be now. */
  want(toolCallId: string): readonly ChatChunk[] {
    this.#wanted.add(toolCallId);
    this.#isDue ||= this.#passed.has(toolCallId);
    return this.#whatIsDue();
  }

  /** The chunk, and the save point that belongs behind it. */
  behind(chunk: ChatChunk): readonly ChatChunk[] {
    if (chunk.type === 'text-start' || chunk.type === 'reasoning-start') this.#open.add(`${chunk.type[0]}${chunk.id}`);
    if (chunk.type === 'text-end' || chunk.type === 'reasoning-end') this.#open.delete(`${chunk.type[0]}${chunk.id}`);
    if (chunk.type === 'tool-input-available') {
      this.#passed.add(chunk.toolCallId);
      this.#isDue ||= this.#areAllWanted || this.#wanted.has(chunk.toolCallId);
    }
    this.#isDue ||= SAVED_AFTER.has(chunk.type) && !('preliminary' in chunk && chunk.preliminary);
    if (chunk.type === 'finish-step') {
      this.#open.clear();
      this.#isDue = false;
    }
    return [chunk, ...this.#whatIsDue()];
  }

  #whatIsDue(): readonly ChatChunk[] {
    if (!this.#isDue || this.#open.size > 0) return [];
    this.#isDue = false;
    return [SAVE_POINT];
  }
}
