import type { FileChange } from '../tools/context.js';

/** What files held before they were changed, kept under the hash of what it is. */
export interface Checkpoints {
  /** Keeps it once; answers with its hash. */
  keep(content: Uint8Array): Promise<string>;
  /** Puts back what changes (oldest first) replaced, where a file still holds what they left. */
  undo(changes: readonly FileChange[]): Promise<UndoResult>;
}

export interface UndoResult {
  readonly restored: readonly string[];
  /** Left as they are, each with why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}
