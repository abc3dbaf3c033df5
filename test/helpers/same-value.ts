import { isRecord } from '../../src/util/guards.js';

/**
 * Equality by value for parts. `toEqual` takes too long for the hundred thousands of replays that cut a stream at every
 * byte; use it to show a difference that this found. Members that are `undefined` count as absent.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((member, at) => sameValue(member, b[at]));
  }
  if (a instanceof Error || b instanceof Error) return sameError(a, b);
  return isRecord(a) && isRecord(b) && !Array.isArray(b) && sameMembers(a, b);
}

function sameMembers(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key in a) if (!sameValue(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

function sameError(a: unknown, b: unknown): boolean {
  return a instanceof Error && b instanceof Error && a.name === b.name && a.message === b.message;
}
