import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openJsonl, parseJsonl, readJsonl } from '../jsonl.js';

const folder = mkdtempSync(join(tmpdir(), 'jsonl-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const newPath = (): string => join(folder, `${(count += 1)}.jsonl`);

describe('a file of JSON lines', () => {
  it('holds what was appended, in order, over several openings', () => {
    const path = newPath();
    for (const value of [{ a: 1 }, { text: 'two\nlines' }, { a: 3 }]) {
      const file = openJsonl(path);
      file.append(value, { isSynced: true });
      file.close();
    }
    expect(readJsonl(path).lines.map(({ value }) => value)).toEqual([{ a: 1 }, { text: 'two\nlines' }, { a: 3 }]);
  });

  it('is cut behind its last whole line when it is opened, wherever the process died', () => {
    const whole = '{"a":1}\n{"text":"äöü"}\n';
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Buffer.byteLength(whole) }), (length) => {
        const path = newPath();
        const left = Buffer.from(whole).subarray(0, length);
        writeFileSync(path, left);
        const file = openJsonl(path);
        file.append({ next: true });
        file.close();
        const { lines, broken, isTorn } = readJsonl(path);
        const kept = left.toString().split('\n').length - 1;
        expect({ broken, isTorn, count: lines.length }).toEqual({ broken: [], isTorn: false, count: kept + 1 });
      }),
      { numRuns: 40 },
    );
  });

  it('is cut behind a last whole line that is far from its end', () => {
    const path = newPath();
    writeFileSync(path, `{"a":1}\n{"long":"${'x'.repeat(200_000)}`);
    openJsonl(path).close();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n');
  });

  it('names broken lines by their numbers and says that the last one is torn', () => {
    const { lines, broken, isTorn } = parseJsonl('{"a":1}\n{"a":\n\n{"a":4}\n{"a"');
    expect({ numbers: lines.map(({ number }) => number), broken, isTorn }).toEqual({
      numbers: [1, 4],
      broken: [2],
      isTorn: true,
    });
  });

  it('says so when it cannot be written', () => {
    const file = openJsonl(newPath());
    file.close();
    expect(() => file.append({ a: 1 })).toThrow(/EBADF/);
  });
});
