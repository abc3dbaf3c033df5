import { diffArrays } from 'diff';
import { trimLetters } from 'responses-loop-example-shared/trim-end.js';
import { type IndentPair, indentedAs, indentOf } from './indents.js';
import type { Replacement } from './line-ends.js';

export type LooseKind = 'blanks at the end of lines' | 'indentation';

/** Lines of a file that a text stands for, though not to the letter. */
export interface LooseMatch {
  /** Numbers of its lines, from 1. */
  readonly first: number;
  readonly last: number;
  /** As they stand there. */
  readonly lines: readonly string[];
  readonly differsIn: LooseKind;
  /** `undefined`: the new lines could be indented in more than one way. */
  readonly replacement: Replacement | undefined;
}

const BLANKS = ' \t\r';
const DIFF_MS = 500;

const withoutEnd = (line: string): string => trimLetters(line, BLANKS);

/** What counts of a line, the strictest first. */
const KINDS: readonly (readonly [LooseKind, (line: string) => string])[] = [
  ['blanks at the end of lines', withoutEnd],
  ['indentation', (line) => withoutEnd(line).slice(indentOf(line).length)],
];

/**
 * Places of whole lines that are the wanted ones but for blanks. The first kind of looseness that finds any counts. Lines that
 * stay are kept as they are in the file, and new ones are indented as the lines of the file are.
 */
export function looseMatches(text: string, wanted: string, replacement: string): readonly LooseMatch[] {
  const given = linesOf(wanted);
  if (given.lines.every((line) => withoutEnd(line) === '')) return [];
  const lines = text.split('\n');
  for (const [kind, essence] of KINDS) {
    const starts = startsOf(lines.map(essence), given.lines.map(essence));
    if (starts.length > 0) return matchesAt(lines, starts, { kind, given, replacement });
  }
  return [];
}

interface GivenLines {
  readonly lines: readonly string[];
  /** The line end behind the last one belongs to it. */
  readonly isClosed: boolean;
}

function linesOf(text: string): GivenLines {
  const isClosed = text.endsWith('\n');
  return { lines: (isClosed ? text.slice(0, -1) : text).split('\n'), isClosed };
}

/** Places that do not overlap. */
function startsOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const [text, sought] = [`\n${lines.join('\n')}\n`, `\n${wanted.join('\n')}\n`];
  const starts: number[] = [];
  let [line, from] = [0, 0];
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + sought.length - 1)) {
    for (; from < at; from += 1) if (text[from] === '\n') line += 1;
    starts.push(line);
  }
  return starts;
}

interface Sought {
  readonly kind: LooseKind;
  readonly given: GivenLines;
  readonly replacement: string;
}

function matchesAt(lines: readonly string[], starts: readonly number[], sought: Sought): LooseMatch[] {
  const { kind, given, replacement } = sought;
  const replaced = replacement === '' ? { lines: [], isClosed: false } : linesOf(replacement);
  const steps = stepsOf(given.lines, replaced.lines);
  let [line, offset] = [0, 0];
  return starts.map((start) => {
    for (; line < start; line += 1) offset += (lines[line] ?? '').length + 1;
    const there = lines.slice(start, start + given.lines.length);
    const last = start + there.length;
    const merged = mergedLines(there, given.lines, steps);
    // The last line of a file may have no end to take along.
    const hasEnd = given.isClosed && last < lines.length;
    const isClosed = replaced.isClosed && (hasEnd || !given.isClosed);
    const made = merged && {
      start: offset,
      end: offset + there.join('\n').length + (hasEnd ? 1 : 0),
      text: merged.join('\n') + (isClosed ? '\n' : ''),
    };
    return { first: start + 1, last, lines: there, differsIn: kind, replacement: made };
  });
}

interface Step {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly lines: readonly string[];
}

/** What the call does to the lines that it names. */
function stepsOf(given: readonly string[], replacement: readonly string[]): readonly Step[] {
  const parts = diffArrays([...given], [...replacement], { timeout: DIFF_MS });
  if (parts === undefined)
    return [
      { kind: 'removed', lines: given },
      { kind: 'added', lines: replacement },
    ];
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'kept',
    lines: value,
  }));
}

/** The new lines; those that the call leaves as they are stay as the file has them. */
function mergedLines(
  there: readonly string[],
  given: readonly string[],
  steps: readonly Step[],
): readonly string[] | undefined {
  const pairs = given.flatMap((line, at): IndentPair[] =>
    withoutEnd(line) === '' ? [] : [{ given: indentOf(line), there: indentOf(there[at] ?? '') }],
  );
  const added = indentedAs(
    pairs,
    steps.flatMap(({ kind, lines }) => (kind === 'added' ? lines : [])),
  );
  if (added === undefined) return undefined;
  const merged: string[] = [];
  let [at, used] = [0, 0];
  for (const { kind, lines } of steps) {
    if (kind === 'added') merged.push(...added.slice(used, (used += lines.length)));
    else {
      if (kind === 'kept') merged.push(...there.slice(at, at + lines.length));
      at += lines.length;
    }
  }
  return merged;
}
