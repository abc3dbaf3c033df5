import { SecretScanner } from '../../observe/redact.js';
import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';

/** A stretch of a text and its replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the changed text, and the new places of old ones (`cuts`, ascending). */
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

/** Returns how far an edit moves a place; a place inside it stays inside the replacement. */
function shiftOf({ start, end, text }: Edit, cut: number): number {
  if (cut <= start) return 0;
  return cut >= end ? text.length - (end - start) : Math.min(0, text.length - (cut - start));
}

/** Joins edits that overlap under the first one's text: a secret may hold another, or a part of it. */
function withoutOverlaps(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || edit.start >= last.end) kept.push(edit);
    else if (edit.end > last.end) kept[kept.length - 1] = { ...last, end: edit.end };
  }
  return kept;
}

export const HIDDEN = '[redacted]';

/**
 * Finds secrets in bodies read byte by byte (`latin1`), in which a character beyond ASCII is as many characters as
 * bytes.
 */
export function scannerOf(secrets: readonly string[], options?: { readonly wholeOnly: boolean }): SecretScanner {
  return new SecretScanner([...new Set(secrets.flatMap((secret) => [secret, asBytes(secret)]))], options);
}

/** Hides texts in a body, in every spelling. */
export function secretEdits(body: string, scanner: SecretScanner, replacement = HIDDEN): Edit[] {
  return scanner.spansIn(body).map((span): Edit => ({ ...span, text: replacement }));
}

/** Returns a text without secrets. */
export function withoutSecrets(text: string, scanner: SecretScanner): string {
  const body = asBytes(text);
  return Buffer.from(applyEdits(body, secretEdits(body, scanner), []).text, 'latin1').toString();
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** A piece of a text, and its place in the body. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** Read byte by byte. */
  readonly text: string;
}

const DELTA = /(?<!\\)"delta"\s*:\s*"((?:[^"\\]|\\.)+)"/dg;

const PLACE = ['type', 'item_id', 'output_index', 'content_index', 'summary_index'];

/** Returns what distinguishes the texts of a stream. */
function placeOf(event: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(PLACE.map((name) => event[name]));
}

/** Joins the deltas of each text. */
export function deltasJoined(events: readonly Readonly<Record<string, unknown>>[]): string[] {
  const texts = new Map<string, string>();
  for (const event of events) {
    const { delta } = event;
    if (typeof delta === 'string') texts.set(placeOf(event), (texts.get(placeOf(event)) ?? '') + delta);
  }
  return [...texts.values()];
}

/** Hides secrets that are spread over the deltas of a text. */
export function deltaEdits(body: string, scanner: SecretScanner): Edit[] {
  return [...textsOf(body).values()].flatMap((pieces) => {
    const said = pieces.map(({ text }) => text).join('');
    let end = 0;
    const ends = pieces.map(({ text }) => (end += text.length));
    const changed = applyEdits(said, secretEdits(said, scanner), ends);
    return pieces.flatMap((piece, at) => {
      const text = changed.text.slice(changed.cuts[at - 1] ?? 0, changed.cuts[at]);
      // Bytes stay bytes.
      return text === piece.text
        ? []
        : [{ start: piece.start, end: piece.end, text: JSON.stringify(text).slice(1, -1) }];
    });
  });
}

/** Returns the deltas of an event stream by text; events over several lines are skipped. */
function textsOf(body: string): ReadonlyMap<string, readonly Piece[]> {
  const texts = new Map<string, Piece[]>();
  for (const { index, 0: line } of body.matchAll(/^data:.*$/gm)) {
    const event = parseJson(Buffer.from(line.slice('data:'.length), 'latin1').toString());
    const [start = 0, end = 0] = line.matchAll(DELTA).next().value?.indices?.[1] ?? [];
    if (!isRecord(event) || typeof event['delta'] !== 'string' || end === 0) continue;
    const text = Buffer.from(event['delta']).toString('latin1');
    const pieces = texts.get(placeOf(event)) ?? [];
    pieces.push({ start: index + start, end: index + end, text });
    texts.set(placeOf(event), pieces);
  }
  return texts;
}
