/** A stretch of a text and what will stand there instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The changed text, and where places in the old one (`cuts`, ascending) are in the new one. */
export function applyEdits(
  text: string,
  edits: readonly Edit[],
  cuts: readonly number[],
): { readonly text: string; readonly cuts: readonly number[] } {
  const kept = withoutOverlaps(edits);
  const pieces = kept.map((edit, at) => text.slice(kept[at - 1]?.end ?? 0, edit.start) + edit.text);
  return {
    text: pieces.join('') + text.slice(kept.at(-1)?.end ?? 0),
    cuts: cuts.map((cut) => kept.reduce((place, edit) => place + shiftOf(edit, cut), cut)),
  };
}

/** How far an edit moves a place; one inside of it stays inside of what stands there now. */
function shiftOf({ start, end, text }: Edit, cut: number): number {
  if (cut <= start) return 0;
  return cut >= end ? text.length - (end - start) : Math.min(0, text.length - (cut - start));
}

/** The first one wins, of two that begin at the same place the longer one: a secret may hold another. */
function withoutOverlaps(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start >= (kept.at(-1)?.end ?? 0)) kept.push(edit);
  }
  return kept;
}

/** An edit for every place where `wanted` stands. */
export function replaceAll(text: string, wanted: string, replacement: string): Edit[] {
  const edits: Edit[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    edits.push({ start: at, end: at + wanted.length, text: replacement });
  }
  return edits;
}
