import { wellFormedProblem } from 'responses-loop-example-shared/well-formed.js';
import { hashOf } from '../files/hash.js';
import { type Difference, differenceOf } from '../files/hunks.js';
import { writeFileSafely } from '../files/write-file.js';
import { type ToolContext, ToolError } from './context.js';

const MAX_DIFF_CHARS = 500_000;
const DIFF_MS = 500;

/** What a file holds now, and what it is to hold. */
export interface Change {
  /** Real path. */
  readonly path: string;
  readonly name: string;
  /** `undefined`: there is no file yet. */
  readonly before: Buffer | undefined;
  readonly after: Buffer;
}

/** Of the arguments of a call. @throws ToolError for a text that a file, or its name, cannot hold. */
export function checkWellFormed(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    const problem = wellFormedProblem(name, text);
    if (problem !== undefined) throw new ToolError(`${problem} Nothing was written.`);
  }
}

/** @throws ToolError if the model has not seen what it would write over. */
export function checkStamp(
  { path, name, before }: Pick<Change, 'path' | 'name' | 'before'>,
  { extra }: Pick<ToolContext, 'extra'>,
): void {
  if (before === undefined) return;
  const stamp = extra.stamps.get(path);
  if (stamp === undefined)
    throw new ToolError(`${name} exists and has not been read yet. Nothing was written: read it first.`);
  if (stamp !== hashOf(before))
    throw new ToolError(`${name} has changed on disk since it was read. Nothing was written: read it again.`);
}

/** Keeps what the file held, writes it, and reports what changed. Answers with the difference. */
export async function applyChange(change: Change, { extra }: Pick<ToolContext, 'extra'>): Promise<string | undefined> {
  const { path, name, before, after } = change;
  const [old, now] = [before === undefined ? null : hashOf(before), hashOf(after)];
  if (before !== undefined) await extra.checkpoints.keep(before);
  await writeFileSafely(path, after, { expected: old, name });
  extra.stamps.keep(path, now);
  extra.report({ type: 'file_change', change: { path, before: old, after: now } });
  const diff = diffOf(change);
  if (diff !== undefined) extra.report({ type: 'diff', ...diff });
  return diff?.text;
}

/** `undefined` where it would be too long to make, or where the file holds what is no text. */
export function diffOf({ name, before, after }: Change): Difference | undefined {
  const [old, now] = [before?.toString() ?? '', after.toString()];
  if (old.length + now.length > MAX_DIFF_CHARS || `${old}${now}`.includes('\0')) return undefined;
  // Bytes that are no text would all look the same.
  if (before !== undefined && !before.equals(Buffer.from(old))) return undefined;
  return differenceOf([before === undefined ? '/dev/null' : `a/${name}`, `b/${name}`], [old, now], DIFF_MS);
}
