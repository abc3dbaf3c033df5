import { type Change, diffOf, fingerprintOf, hashOrNull } from 'responses-loop-example-shared/file-difference.js';
import { hashOf } from 'responses-loop-example-shared/hash.js';
import { wellFormedProblem } from 'responses-loop-example-shared/well-formed.js';
import { removeFileSafely, writeFileSafely } from '../files/write-file.js';
import { type ToolContext, ToolError } from './context.js';

/** Looks at a file that is there, before its text is looked at. */
export type CheckFile = (found: Pick<Change, 'path' | 'name' | 'before'>) => void;

/** Of the arguments of a call. @throws ToolError for a text that a file, or its name, cannot hold. */
export function checkWellFormed(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    const problem = wellFormedProblem(name, text);
    if (problem !== undefined) throw new ToolError(`${problem} Nothing was written.`);
  }
}

/** The check is a ToolError if the model has not seen what it would write over. */
export function checkStamps({ extra }: Pick<ToolContext, 'extra'>): CheckFile {
  return ({ path, name, before }) => {
    if (before === undefined) return;
    const stamp = extra.stamps.get(path);
    if (stamp === undefined)
      throw new ToolError(`${name} exists and has not been read yet. Nothing was written: read it first.`);
    if (stamp !== hashOf(before))
      throw new ToolError(`${name} has changed on disk since it was read. Nothing was written: read it again.`);
  };
}

/**
 * Makes the changes, all of them or none: keeps what the files held, writes them, and reports what changed. Answers with the
 * difference.
 *
 * @throws ToolError also if a person has approved other changes than these.
 */
export async function applyChanges(
  changes: readonly Change[],
  { extra, approved }: Pick<ToolContext, 'extra' | 'approved'>,
): Promise<string | undefined> {
  if (approved !== undefined && approved !== fingerprintOf(changes))
    throw new ToolError(
      'The files have changed since the person was asked, so the call would make a different change than the approved one. Nothing was changed. Read them, and call the tool again.',
    );
  for (const { before } of changes) if (before !== undefined) await extra.checkpoints.keep(before);
  await putAll(changes);
  for (const { path, before, after } of changes) {
    const [old, now] = [hashOrNull(before), hashOrNull(after)];
    if (now !== null) extra.stamps.keep(path, now);
    extra.report({ type: 'file_change', change: { path, before: old, after: now } });
  }
  const diff = diffOf(changes);
  if (diff !== undefined) extra.report({ type: 'diff', ...diff });
  return diff?.text;
}

/** If one cannot be made, those before it are taken back. */
async function putAll(changes: readonly Change[]): Promise<void> {
  const done: Change[] = [];
  try {
    for (const change of changes) {
      await put(change);
      done.push(change);
    }
  } catch (error) {
    if (changes.length === 1) throw error;
    const stuck: string[] = [];
    for (const { name, before, after, path } of done.toReversed())
      await put({ path, name, before: after, after: before }).catch(() => stuck.push(name));
    const left = stuck.length === 0 ? 'Nothing was changed.' : `These stayed changed: ${stuck.join(', ')}.`;
    throw new ToolError(`${error instanceof Error ? error.message : String(error)} ${left}`);
  }
}

function put({ path, name, before, after }: Change): Promise<void> {
  const expected = hashOrNull(before);
  return after === undefined
    ? removeFileSafely(path, { expected, name })
    : writeFileSafely(path, after, { expected, name });
}
