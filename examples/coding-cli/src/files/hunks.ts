import { formatPatch, structuredPatch } from 'diff';
import type { DiffLine, Hunk } from 'responses-loop-example-shared/call-view.js';

const CONTEXT_LINES = 3;

export interface Difference {
  /** As a unified difference, for models and programs. */
  readonly text: string;
  /** For people. */
  readonly hunks: readonly Hunk[];
}

/** What two texts differ in; `undefined` if that takes longer than `timeoutMs`. */
export function differenceOf(
  names: readonly [before: string, after: string],
  texts: readonly [before: string, after: string],
  timeoutMs?: number,
): Difference | undefined {
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const patch = structuredPatch(...names, ...texts, undefined, undefined, { context: CONTEXT_LINES, ...limit }) as
    | ReturnType<typeof structuredPatch>
    | undefined;
  if (patch === undefined) return undefined;
  return { text: formatPatch(patch), hunks: patch.hunks.map(hunkOf) };
}

interface PatchHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };

function hunkOf({ oldStart, newStart, lines }: PatchHunk): Hunk {
  const hunk: DiffLine[] = [];
  let [before, after] = [oldStart, newStart];
  for (const line of lines) {
    const kind = KINDS[line.slice(0, 1)];
    const last = hunk.at(-1);
    // A remark about the line before it: the file ends without a line end.
    if (kind === undefined) {
      if (last !== undefined) hunk[hunk.length - 1] = { ...last, isOpen: true };
      continue;
    }
    hunk.push({
      kind,
      text: line.slice(1),
      ...(kind === 'added' ? {} : { before }),
      ...(kind === 'removed' ? {} : { after }),
    });
    if (kind !== 'added') before += 1;
    if (kind !== 'removed') after += 1;
  }
  return hunk;
}
