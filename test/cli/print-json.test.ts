import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printJson } from '../../src/cli/print-json.js';
import { showControls } from '../../src/util/control-characters.js';

describe('JSON for programs that may be shown in a terminal', () => {
  it('gives no orders, and a parser reads what was there', () => {
    const text = 'a\u001b[2J\u009b1m\u202eb\u{e0041}\\u{1b}ü😀';
    const json = printJson({ [text]: text });
    expect(json).toBe(showControls(json));
    expect(json).toContain('ü😀');
    expect(JSON.parse(json)).toEqual({ [text]: text });
  });

  it('does so with any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = printJson([text]);
        expect(JSON.parse(json)).toEqual([text]);
        expect(json).toBe(showControls(json));
      }),
      { numRuns: 25 },
    );
  });
});
