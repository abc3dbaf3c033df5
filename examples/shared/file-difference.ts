import { formatPatch, structuredPatch } from 'diff';
import type { ChangedFile, DiffLine, Hunk } from './call-view.js';
import { hashOf } from './hash.js';

const CONTEXT_LINES = 3;
const MAX_DIFF_CHARS = 500_000;
const DIFF_MS = 500;

/** What a file holds now, and what it is to hold; `undefined`: no file. */
export interface Change {
  /** Real path. */
  readonly path: string;
  readonly name: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

export interface Difference {
  /** As a unified difference, for models and programs. */
  readonly text: string;
  /** For people: of all files, one behind the other. */
  readonly hunks: readonly Hunk[];
  /** Whose they are. */
  readonly files: readonly ChangedFile[];
}

/**
 * What two texts of a file differ in; `undefined` if that takes longer than `timeoutMs`. Where a file is made or deleted, one of
 * the names is `undefined`.
 */
export function differenceOf(
  [before, after]: readonly [before: string | undefined, after: string | undefined],
  texts: readonly [before: string, after: string],
  timeoutMs?: number,
): Difference | undefined {
  const names = [before === undefined ? NO_FILE : `a/${before}`, after === undefined ? NO_FILE : `b/${after}`] as const;
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const patch = structuredPatch(...names, ...texts, undefined, undefined, { context: CONTEXT_LINES, ...limit }) as
    | ReturnType<typeof structuredPatch>
    | undefined;
  if (patch === undefined) return undefined;
  const fate = before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed';
  const file = { path: after ?? before ?? '', fate, hunks: patch.hunks.length } as const;
  return { text: formatPatch(patch), hunks: patch.hunks.map(hunkOf), files: [file] };
}

const NO_FILE = '/dev/null';

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

/** Says which files change, from what to what: the same words only for the same outcome. */
export function fingerprintOf(changes: readonly Change[]): string {
  const facts = changes.map(({ path, before, after }) => [path, hashOrNull(before), hashOrNull(after)]);
  return hashOf(Buffer.from(JSON.stringify(facts)));
}

export function hashOrNull(content: Buffer | undefined): string | null {
  return content === undefined ? null : hashOf(content);
}

/** `undefined` where that of any file would be too long to make, or where the file holds what is no text. */
export function diffOf(changes: readonly Change[]): Difference | undefined {
  const differences = changes.map(diffOfOne);
  const found = differences.filter((difference) => difference !== undefined);
  if (found.length < changes.length) return undefined;
  return {
    text: found.map(({ text }) => text).join(''),
    hunks: found.flatMap(({ hunks }) => hunks),
    files: found.flatMap(({ files }) => files),
  };
}

function diffOfOne({ name, before, after }: Change): Difference | undefined {
  const contents = [before, after] as const;
  const texts = [before?.toString() ?? '', after?.toString() ?? ''] as const;
  if (texts.join('').length > MAX_DIFF_CHARS || texts.join('').includes('\0')) return undefined;
  // Bytes that are no text would all look the same.
  if (contents.some((content, at) => content !== undefined && !content.equals(Buffer.from(texts[at] ?? ''))))
    return undefined;
  const names = [before === undefined ? undefined : name, after === undefined ? undefined : name] as const;
  return differenceOf(names, texts, DIFF_MS);
}
