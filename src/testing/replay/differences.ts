import type { JsonObject } from '../../core/json.js';
import { excerpt } from '../../util/excerpt.js';
import { isRecord } from '../../util/guards.js';
import { redactRequest } from '../record/redact-fixture.js';
import { isStandIn } from '../record/sealed.js';

/** One member that differs from the expected one. */
export interface Difference {
  /** The place in the JSON: `input[2].output`. */
  readonly path: string;
  /** Absent if nothing was expected. */
  readonly expected?: unknown;
  /** Absent if the request lacks it. */
  readonly got?: unknown;
}

/** Returns whether a difference is allowed. */
export type Accepts = (difference: Required<Difference>) => boolean;

/** Returns the smallest members in which two JSON values differ. The order of keys does not count. */
export function differences(expected: unknown, got: unknown, accepts: Accepts, path = ''): Difference[] {
  if (Object.is(expected, got) || accepts({ path, expected, got })) return [];
  if (expected === undefined) return [{ path, got }];
  if (got === undefined) return [{ path, expected }];
  const steps = stepsOf(expected, got);
  if (steps === undefined) return [{ path, expected, got }];
  return steps.flatMap(({ step, expected: member, got: other }) => {
    const place = path === '' ? step.replace(/^\./, '') : path + step;
    return differences(member, other, accepts, place);
  });
}

interface Step {
  readonly step: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Returns the members of two objects, or of two lists; `undefined` for all else. */
function stepsOf(expected: unknown, got: unknown): Step[] | undefined {
  if (Array.isArray(expected) && Array.isArray(got)) {
    const length = Math.max(expected.length, got.length);
    return Array.from({ length }, (_, at) => ({ step: `[${at}]`, expected: expected[at], got: got[at] }));
  }
  if (!isRecord(expected) || !isRecord(got)) return undefined;
  const names = new Set([...Object.keys(expected), ...Object.keys(got)]);
  return [...names].map((name) => ({
    step: /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`,
    expected: expected[name],
    got: got[name],
  }));
}

const MAX_CHARS = 120;
/** Characters shown of the common beginning of two texts. */
const SAME_CHARS = 20;

/** Describes a difference in words. */
export function describeDifference({ path, expected, got }: Difference): string {
  const place = path === '' ? 'the body' : path;
  if (expected === undefined) return `${place}: got ${written(got)}, which the recording does not have`;
  if (got === undefined) return `${place}: expected ${written(expected)}, got nothing`;
  const [before, after] = fromWhereTheyPart(expected, got);
  return `${place}: expected ${written(before)}, got ${written(after)}`;
}

/** Shortens the common beginning of two long texts. */
function fromWhereTheyPart(expected: unknown, got: unknown): readonly [unknown, unknown] {
  if (typeof expected !== 'string' || typeof got !== 'string') return [expected, got];
  let same = 0;
  while (same < expected.length && expected[same] === got[same]) same += 1;
  const from = same - SAME_CHARS;
  if (from <= SAME_CHARS || Math.max(expected.length, got.length) <= MAX_CHARS) return [expected, got];
  return [`…${expected.slice(from)}`, `…${got.slice(from)}`];
}

function written(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? String(value), MAX_CHARS);
}

/** Fields that identify the caller or help the server's caches; they change no answer. */
const ABOUT_THE_CALLER = ['metadata', 'prompt_cache_key', 'safety_identifier', 'user'];

const HIDDEN = '[redacted]';

/**
 * Compares a request with the recorded one. Hidden values and fields about the caller may differ.
 *
 * @param isIgnored Returns whether another place may differ.
 */
export function compareRequest(
  recorded: JsonObject,
  got: JsonObject,
  isIgnored: (path: string) => boolean,
): Difference[] {
  const isFree = (path: string): boolean => ABOUT_THE_CALLER.includes(path) || isIgnored(path);
  const accepts: Accepts = ({ path, expected, got: other }) => isFree(path) || isHidden(expected, other);
  // Redacted, so that a difference shows no key.
  return differences(redactRequest(recorded), redactRequest(got), accepts);
}

function isHidden(expected: unknown, got: unknown): boolean {
  if (typeof expected !== 'string' || typeof got !== 'string') return expected === HIDDEN && got !== undefined;
  if (isStandIn(expected)) return got === expected || got === HIDDEN;
  return expected.includes(HIDDEN) && matches(got, expected.split(HIDDEN));
}

/** Returns whether the text begins with the first piece, ends with the last, and has all in this order. */
function matches(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
