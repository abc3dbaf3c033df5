import fc from 'fast-check';
import { expect, test } from 'vitest';

import { linesOf } from '../../src/cli/lines.js';
import { resumed } from '../../src/cli/program.js';

async function read(chunks: Iterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  const stream = (async function* () {
    yield* chunks;
  })();
  for await (const line of linesOf(stream)) lines.push(line);
  return lines;
}

test('however bytes are cut, the lines are the same', async () => {
  // Of one to four bytes, and what other readers of lines take for an end.
  const text = fc.string({ unit: fc.constantFrom('a', 'ä', '€', '😀', '\r', '\u2028', '"') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
          const size = cuts[cut % cuts.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        // A mark of byte order at the beginning is none of the text.
        expect(await read(chunks)).toEqual(new TextDecoder().decode(bytes).split('\n').slice(0, -1));
      },
    ),
    { numRuns: 30 },
  );
});

test('a line without an end is one; a line that never ends does not fill the memory', async () => {
  expect(await read([Buffer.from('one\ntwo')])).toEqual(['one', 'two']);
  const block = Buffer.alloc(4_000_000, 'x');
  const lines = await read([block, block, block, block, block, block, Buffer.from('\nnext\n')]);
  expect(lines.at(-1)).toBe('next');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(20_000_000);
});

test('resume: which argument is what', () => {
  expect(resumed(undefined, undefined, {})).toEqual({
    choice: { last: true, isListed: true },
    prompt: undefined,
  });
  expect(resumed('0a1b', 'go on', {})).toEqual({ choice: { resume: '0a1b' }, prompt: 'go on' });
  expect(resumed('go on', undefined, { last: true })).toEqual({ choice: { last: true }, prompt: 'go on' });
  expect(resumed('go on', undefined, { sessionId: '0a' })).toEqual({ choice: { resume: '0a' }, prompt: 'go on' });
  expect(() => resumed('a', 'b', { last: true })).toThrow('once');
  expect(() => resumed(undefined, undefined, { last: true, sessionId: 'a' })).toThrow('once');
});
