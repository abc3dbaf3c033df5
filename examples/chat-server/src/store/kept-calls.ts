import { isToolUIPart } from 'ai';
import type { ChatPart } from '../types.js';

/** Resolves when a call is on disk; rejects when the signal fires before. */
export type WhenKept = (toolCallId: string, signal: AbortSignal) => Promise<void>;

/** Which calls of a message are on disk. */
export class KeptCalls {
  readonly #kept = new Set<string>();
  readonly #waiting = new Set<{ readonly toolCallId: string; readonly resolve: () => void }>();

  /** After the message was stored with these parts. */
  note(parts: readonly ChatPart[]): void {
    for (const part of parts) if (isToolUIPart(part)) this.#kept.add(part.toolCallId);
    for (const waiting of this.#waiting) if (this.#kept.has(waiting.toolCallId)) waiting.resolve();
  }

  when(toolCallId: string, signal: AbortSignal): Promise<void> {
    if (this.#kept.has(toolCallId)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', onAbort);
      };
      const waiting = {
        toolCallId,
        resolve: () => {
          leave();
          resolve();
        },
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }
}
