import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileChange } from '../tools/context.js';
import { hashOf } from 'responses-loop-example-shared/hash.js';
import { readIfThere } from './read-file.js';
import { removeFileSafely, writeFileSafely } from './write-file.js';

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

export function createCheckpoints(dir: string): Checkpoints {
  return { keep: (content) => keep(dir, content), undo: (changes) => undo(dir, changes) };
}

/** Whole or not at all: what half a write left would be put back later. */
async function keep(dir: string, content: Uint8Array): Promise<string> {
  const hash = hashOf(content);
  const path = join(dir, hash);
  if (await isThere(path)) return hash;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return hash;
}

async function undo(dir: string, changes: readonly FileChange[]): Promise<UndoResult> {
  const restored = new Set<string>();
  const skipped = new Map<string, string>();
  for (const change of changes.toReversed()) {
    // What lies behind a change that stays cannot be put back either.
    if (skipped.has(change.path)) continue;
    try {
      await undoOne(dir, change);
      restored.add(change.path);
    } catch (error) {
      restored.delete(change.path);
      skipped.set(change.path, error instanceof Error ? error.message : String(error));
    }
  }
  return { restored: [...restored], skipped: [...skipped].map(([path, reason]) => ({ path, reason })) };
}

async function undoOne(dir: string, { path, before, after }: FileChange): Promise<void> {
  const now = await readIfThere(path);
  if ((now === undefined ? null : hashOf(now)) !== after) throw new Error('it has been changed since');
  const options = { expected: after, name: path };
  if (before === null) return removeFileSafely(path, options);
  const content = await readFile(join(dir, before)).catch(() => undefined);
  if (content === undefined || hashOf(content) !== before)
    throw new Error('its earlier content was not stored in full');
  await writeFileSafely(path, content, options);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
