import type { SecretScanner } from '../../observe/redact.js';
import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { applyEdits, type Edit } from './edits.js';
import { secretEdits } from './secret-edits.js';

/** A piece of a text, and where it stands in the body. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** Read byte by byte. */
  readonly text: string;
}

const DELTA = /(?<!\\)"delta"\s*:\s*"((?:[^"\\]|\\.)+)"/dg;

const PLACE = ['type', 'item_id', 'output_index', 'content_index', 'summary_index'];

/** What tells the texts of a stream from one another. */
function placeOf(event: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(PLACE.map((name) => event[name]));
}

/** What the deltas of each text say together. */
export function deltasJoined(events: readonly Readonly<Record<string, unknown>>[]): string[] {
  const texts = new Map<string, string>();
  for (const event of events) {
    const { delta } = event;
    if (typeof delta === 'string') texts.set(placeOf(event), (texts.get(placeOf(event)) ?? '') + delta);
  }
  return [...texts.values()];
}

/** Hides secrets that the deltas of a text say piece by piece. */
export function deltaEdits(body: string, scanner: SecretScanner): Edit[] {
  return [...textsOf(body).values()].flatMap((pieces) => {
    const said = pieces.map(({ text }) => text).join('');
    let end = 0;
    const ends = pieces.map(({ text }) => (end += text.length));
    const changed = applyEdits(said, secretEdits(said, scanner), ends);
    return pieces.flatMap((piece, at) => {
      const text = changed.text.slice(changed.cuts[at - 1] ?? 0, changed.cuts[at]);
      return text === piece.text ? [] : [{ start: piece.start, end: piece.end, text: inJson(text) }];
    });
  });
}

/** The deltas of an event stream, text by text; events that are written over several lines are passed over. */
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

/** Bytes stay bytes. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
