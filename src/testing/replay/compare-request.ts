import type { JsonObject } from '../../core/json.js';
import { redactRequest } from '../record/redact-request.js';
import { isStandIn } from '../record/stand-ins.js';
import { type Accepts, type Difference, differences } from './differences.js';

/** They say who asks, or help the server's caches, and change no answer. */
const ABOUT_THE_CALLER = ['metadata', 'prompt_cache_key', 'safety_identifier', 'user'];

const HIDDEN = '[redacted]';

/**
 * Where a request is not the one that was recorded. What the recording hides may be anything, and so may what says who
 * asks.
 *
 * @param isIgnored Whether a further place may hold anything.
 */
export function compareRequest(
  recorded: JsonObject,
  got: JsonObject,
  isIgnored: (path: string) => boolean,
): Difference[] {
  const isFree = (path: string): boolean => ABOUT_THE_CALLER.includes(path) || isIgnored(path);
  const accepts: Accepts = ({ path, expected, got: other }) => isFree(path) || isHidden(expected, other);
  // So that a difference shows no key either.
  return differences(redactRequest(recorded), redactRequest(got), accepts);
}

function isHidden(expected: unknown, got: unknown): boolean {
  if (typeof expected !== 'string' || typeof got !== 'string') return expected === HIDDEN && got !== undefined;
  if (isStandIn(expected)) return got === expected || got === HIDDEN;
  return expected.includes(HIDDEN) && matches(got, expected.split(HIDDEN));
}

/** Whether the pieces stand in the text in this order, the first at its start and the last at its end. */
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
