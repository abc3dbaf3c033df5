const MAX_SHOWN = 5;
const MAX_CHARS = 200;
const MAX_LINES = 200_000;
/** A line that is wanted more often says nothing about where. */
const MAX_SAME = 20;
/** Below this a line is not worth showing. */
const MIN_LIKENESS = 0.4;

/** Where a text almost stands, and what differs there, in sentences for the model. */
export function nearestMatch(text: string, wanted: string): string {
  const lines = text.split('\n').slice(0, MAX_LINES);
  const wantedLines = wanted.replace(/\n$/, '').split('\n');
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
  if (there === undefined) return `  line ${index + 1}: the file has ended; old_string goes on with ${shown(wanted)}`;
  const hint =
    there.trim() === wanted.trim()
      ? ' (only blanks at the start or end differ)'
      : squeezed(there) === squeezed(wanted)
        ? ' (only blanks differ)'
        : '';
  return `  line ${index + 1}: the file has ${shown(there)}, old_string has ${shown(wanted)}${hint}`;
}

function shown(line: string): string {
  return JSON.stringify(line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line);
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
