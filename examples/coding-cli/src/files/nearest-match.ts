const MAX_SHOWN = 5;
const MAX_CHARS = 200;
/** Of a long line, what is shown before the first difference. */
const CHARS_BEFORE = 60;
/** As `read` writes it. */
const LINE_NUMBER = /^ *\d+\t/;
const MAX_LINES = 200_000;
/** A line that is wanted more often says nothing about where. */
const MAX_SAME = 20;
/** Below this a line is not worth showing. */
const MIN_LIKENESS = 0.4;

/** Where a text almost stands, and what differs there, in sentences for the model. */
export function nearestMatch(text: string, wanted: string): string {
  const lines = text.split('\n').slice(0, MAX_LINES);
  const wantedLines = wanted.replace(/\n$/, '').split('\n');
  const written = wantedLines.filter((line) => line !== '');
  if (written.length > 0 && written.every((line) => LINE_NUMBER.test(line)))
    return 'Its lines begin with the line numbers that read shows: leave out each number and the tab after it.';
  const start = bestStart(lines, wantedLines);
  if (start === undefined) return 'Nothing in it is like it: read the file again.';
  const end = Math.min(start + wantedLines.length, lines.length);
  const range = wantedLines.length === 1 ? `line ${start + 1}` : `lines ${start + 1}-${end}`;
  const different = wantedLines.flatMap((line, at) =>
    lines[start + at] === line ? [] : [describe(start + at, lines[start + at], line)],
  );
  if (different.length === 0) return `The nearest place is at ${range}; it differs in where it begins or ends.`;
  const more = different.length > MAX_SHOWN ? [`… and ${different.length - MAX_SHOWN} more lines differ.`] : [];
  return [`The nearest place is at ${range}; there differ:`, ...different.slice(0, MAX_SHOWN), ...more].join('\n');
}

function describe(index: number, there: string | undefined, wanted: string): string {
  if (there === undefined) return `  line ${index + 1}: the file has ended; old_string continues with ${shown(wanted)}`;
  const hint = hintFor(there, wanted);
  const from = Math.max(0, firstDifference(there, wanted) - CHARS_BEFORE);
  const [one, other] = [there, wanted].map((line) => shown(line, from));
  return `  line ${index + 1}: the file has ${one}, old_string has ${other}${hint === '' ? '' : ` (${hint})`}`;
}

/** What kind of difference it is, where the two may look the same. */
function hintFor(there: string, wanted: string): string {
  if (there.trim() === wanted.trim()) return 'only blanks at the start or end differ';
  if (squeezed(there) === squeezed(wanted)) return 'only blanks differ';
  if (there.normalize('NFC') === wanted.normalize('NFC'))
    return 'the same letters, composed differently: NFC and NFD; copy them from read';
  return withoutHidden(there) === withoutHidden(wanted) ? 'only signs that are not shown differ' : '';
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** As a JSON text, with everything spelled that looks like nothing, like a blank, or like a part of the sign before it. */
function shown(line: string, from = 0): string {
  const part = line.slice(from, from + MAX_CHARS);
  const text = `${from > 0 ? '…' : ''}${part}${from + MAX_CHARS < line.length ? '…' : ''}`;
  return JSON.stringify(text).replaceAll(UNSEEN, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** Marks are spelled too: beside a letter that has its mark in itself they look the same. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{M}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;

function withoutHidden(line: string): string {
  return squeezed(line.replaceAll(HIDDEN, ''));
}

function squeezed(line: string): string {
  return line.replaceAll(/\s+/g, '');
}

/** Where most lines are the same but for blanks; if none is, where a line is most like one of them. */
function bestStart(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [at, line] of wanted.entries()) {
    const key = squeezed(line);
    const same = places.get(key) ?? [];
    if (key !== '' && same.length < MAX_SAME) places.set(key, [...same, at]);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    for (const place of places.get(squeezed(line)) ?? []) {
      if (at >= place) votes.set(at - place, (votes.get(at - place) ?? 0) + 1);
    }
  }
  const [best] = [...votes].toSorted(([a, x], [b, y]) => y - x || a - b);
  return best?.[0] ?? likestStart(lines, wanted);
}

function likestStart(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const first = wanted.findIndex((line) => squeezed(line) !== '');
  const pairs = pairsOf(squeezed(wanted[first] ?? ''));
  if (pairs.size === 0) return undefined;
  let best = { start: 0, likeness: MIN_LIKENESS };
  for (const [at, line] of lines.entries()) {
    const likeness = at < first ? 0 : likenessOf(pairsOf(squeezed(line).slice(0, MAX_CHARS)), pairs);
    if (likeness > best.likeness) best = { start: at - first, likeness };
  }
  return best.likeness > MIN_LIKENESS ? best.start : undefined;
}

function pairsOf(line: string): Set<string> {
  const chars = line.slice(0, MAX_CHARS).toLowerCase();
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < chars.length; at += 1) pairs.add(chars.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient: how many pairs of letters both have. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of one) if (other.has(pair)) common += 1;
  return (2 * common) / (one.size + other.size || 1);
}
