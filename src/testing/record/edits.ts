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

/** Of edits that overlap, the first one's text takes the place of all: a secret may hold another, or a part of it. */
function withoutOverlaps(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || edit.start >= last.end) kept.push(edit);
    else if (edit.end > last.end) kept[kept.length - 1] = { ...last, end: edit.end };
  }
  return kept;
}
