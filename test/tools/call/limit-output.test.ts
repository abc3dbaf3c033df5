import { array, assert, constant, integer, oneof, property, string, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileContent, TextContent, ToolOutput } from '../../../src/core/message.js';
import { convertCallOutput } from '../../../src/request/convert-tool-output.js';
import { PROFILES } from '../../../src/request/profiles.js';
import { limitOutput } from '../../../src/tools/call/run-limits.js';
import { textOf } from '../support/call.js';

const text = (value: string): TextContent => ({ type: 'text', text: value });
const output = (content: ToolOutput['content']): ToolOutput => ({ isError: false, content });

const texts: Arbitrary<TextContent> = string({ maxLength: 30, unit: 'grapheme' }).map(text);
const MARK = /\n?\[output cut: \d+ of \d+ characters left out\]$/;

describe('the limit of an output', () => {
  it('is kept by what is sent, the line breaks between blocks among it, but for the mark', () => {
    assert(
      property(
        array(oneof(texts, constant(text(''))), { maxLength: 40 }),
        integer({ min: 1, max: 400 }),
        (content, limit) => {
          const limited = limitOutput(output(content), { maxToolOutputChars: limit });
          const [sent] = convertCallOutput({}, 'c', limited, { profile: PROFILES.generic }) as { output: string }[];
          expect(sent?.output.replace(MARK, '').length).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });

  it('leaves alone what fits', () => {
    const whole = output([text('a'.repeat(6)), text('b'.repeat(3))]);
    expect(limitOutput(whole, { maxToolOutputChars: 10 })).toBe(whole);
    expect(textOf(limitOutput(whole, { maxToolOutputChars: 9 }))).toBe(
      'aaaaaa\nbb\n[output cut: 1 of 9 characters left out]',
    );
  });

  it('counts a million empty blocks', () => {
    const { content } = limitOutput(output([...Array.from({ length: 1_000_000 }, () => text('')), text('x')]));
    expect(content).toEqual([text('[output cut: 1 of 1 characters left out]')]);
  });

  it('keeps the files of an output whose text is too long', () => {
    const image: FileContent = { type: 'file', mediaType: 'image/png', source: { type: 'data', base64: 'AAAA' } };
    const { content } = limitOutput(output([text('x'.repeat(500)), image]), { maxToolOutputChars: 30 });
    expect(content[1]).toBe(image);
  });

  it('leaves out files by the thousand, and says so', () => {
    const tiny: FileContent = { type: 'file', mediaType: 'image/png', source: { type: 'data', base64: 'AA==' } };
    const { content } = limitOutput(output(Array.from({ length: 100_000 }, () => tiny)));
    expect(content.length).toBeLessThan(4_000);
    expect(content.at(-1)).toEqual(text(`[output cut: ${100_000 - content.length + 1} files left out]`));
  });

  it('never cuts through a character', () => {
    assert(
      property(string({ unit: 'grapheme', minLength: 1 }), integer({ min: 1, max: 40 }), (value, limit) => {
        const limited = textOf(limitOutput(output([text(value)]), { maxToolOutputChars: limit }));
        expect(() => encodeURIComponent(limited)).not.toThrow();
      }),
    );
  });

  it('is a tighter one for an error', () => {
    const error = { ...output([text('e'.repeat(10_000))]), isError: true };
    expect(textOf(limitOutput(error))).toBe(`${'e'.repeat(4_000)}\n[output cut: 6000 of 10000 characters left out]`);
    expect(textOf(limitOutput(error, { errorChars: 5 }))).toMatch(/^e{5}\n\[/);
    expect(textOf(limitOutput(error, { maxToolOutputChars: 3 }))).toMatch(/^e{3}\n\[/);
  });
});
