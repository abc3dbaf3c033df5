import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';

/** So many characters of a secret in a row must not be seen. */
const PIECE = 8;

/** Keys as services hand them out: what follows the mark is the secret, which no word begins. */
export const anyKey = fc
  .tuple(
    fc.constantFrom('sk-', 'sk-proj-', 'sk-live-', 'gw_', ''),
    fc.stringMatching(/^[A-Za-z0-9]{2}[0-9][A-Z][A-Za-z0-9]{2}[A-Za-z0-9_-]{34}$/),
  )
  .map(([mark, secret]) => ({ key: mark + secret, secret }));

/** Everything that can be seen of a value, members that are not listed included. */
export function print(value: unknown): string {
  return inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null });
}

/** Fails if a piece of the secret is in a text, in any case, since names of headers come in lower case. */
export function expectNothingOf(secret: string, text: string): void {
  // What `inspect` breaks into lines is one text.
  const shown = text.replaceAll(/' \+\s+'/g, '').toLowerCase();
  const pieces = Array.from({ length: secret.length - PIECE + 1 }, (_, at) => secret.slice(at, at + PIECE));
  const seen = pieces.filter((piece) => shown.includes(piece.toLowerCase()));
  expect(seen, `pieces of ${secret} came out`).toEqual([]);
}
