import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPage } from './support/pages.js';

const { text } = readPage('docs/troubleshooting.md');

/** Lines such as `> ``Could not reach …`` `: messages of this package. Those of others have a name before the quote. */
const messages = [...text.matchAll(/^> (`+)(.+?)\1$/gm)].map(([, , message = '']) => message);

/** All sources, strings as they are read: without the backslashes before quotes, and gaps where a value is put in. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`src/${name}`, 'utf8').replaceAll(/\\([`'"])/g, '$1'))
  .join('\n');

/** What does not differ from case to case. */
const fixedParts = (message: string): string[] =>
  message
    .split('…')
    .map((part) => part.trim())
    .filter((part) => /\w/.test(part));

const MIN_PIECE = 12;

const seen = new Map<string, boolean>();

/** Whether the sources hold it, in one piece or, since a message may be put together there, in pieces of some length. */
function isWritten(part: string): boolean {
  const known = seen.get(part) ?? isInPieces(part);
  seen.set(part, known);
  return known;
}

function isInPieces(part: string): boolean {
  if (sources.includes(part) || !/\w/.test(part)) return true;
  const cuts = Array.from({ length: Math.max(0, part.length - MIN_PIECE) }, (_, over) => MIN_PIECE + over);
  return cuts.some((at) => {
    const tail = part.slice(at);
    const isShort = tail.length < MIN_PIECE && /\w/.test(tail);
    return !isShort && sources.includes(part.slice(0, at)) && isWritten(tail);
  });
}

describe('docs/troubleshooting.md', () => {
  it('quotes messages', () => {
    expect(messages.length).toBeGreaterThan(35);
    // One that is written in another way would not be looked for.
    expect(text.split('\n').filter((line) => line.startsWith('> `')).length).toBe(messages.length);
  });

  it('would not pass with a message that is not written anywhere', () => {
    expect(isWritten('Could not reach the moon')).toBe(false);
    expect(isWritten('Check the credentials in `footers`.')).toBe(false);
  });

  it.each(messages)('quotes what the sources say: %s', (message) => {
    const parts = fixedParts(message);
    expect(parts.join('').length).toBeGreaterThan(5);
    expect(parts.filter((part) => !isWritten(part))).toEqual([]);
  });
});

it('each event of src/observe/event.ts has a row in docs/events.md', () => {
  const source = readFileSync('src/observe/event.ts', 'utf8');
  const events = [...source.matchAll(/\btype: '([\w-]+)'/g)].map(([, type = '']) => type);
  const rows = readPage('docs/events.md')
    .text.split('\n')
    .filter((line) => line.startsWith('| `'));
  const named = new Set(
    rows.flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name)),
  );
  expect(events.length).toBeGreaterThan(15);
  expect(events.filter((type) => !named.has(type))).toEqual([]);
});
