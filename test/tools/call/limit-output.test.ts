import { array, assert, constant, integer, oneof, property, string, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileContent, TextContent, ToolOutput } from '../../../src/core/message.js';
import { convertCallOutput } from '../../../src/request/convert-tool-output.js';
import { PROFILES } from '../../../src/request/profiles.js';
import { limitOutput } from '../../../src/tools/call/limit-output.js';
import { textOf } from '../support/call.js';

const text = (value: string): TextContent => ({ type: 'text', text: value });
const output = (content: ToolOutput['content']): ToolOutput => ({ isError: false, content });

const texts: Arbitrary<TextContent> = string({ maxLength: 30, unit: 'grapheme' }).map(text);
const MARK = /\n?\[output cut: \d+ of \d+ characters left out\]\n?/;

describe('the limit of an output', () => {
  it('covers everything that is sent, even line breaks between blocks, except the truncation mark', () => {
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
      'aaaa\n[output cut: 1 of 10 characters left out]\na\nbbb',
    );
  });

  it('counts a million empty blocks', () => {
    const { content } = limitOutput(output([...Array.from({ length: 1_000_000 }, () => text('')), text('x')]));
    expect(content).toEqual([text('[output cut: 960001 of 1000001 characters left out]'), text('x')]);
  });

  it('keeps the files of an output whose text is too long', () => {
    const image: FileContent = { type: 'file', mediaType: 'image/png', source: { type: 'data', base64: 'AAAA' } };
    const { content } = limitOutput(output([text('x'.repeat(500)), image]), { maxToolOutputChars: 30 });
    expect(content.at(-1)).toBe(image);
    const between = limitOutput(output([text('x'.repeat(50)), image, text('y')]), { maxToolOutputChars: 4 });
    expect(between.content.map((block) => (block.type === 'text' ? block.text : 'image'))).toEqual([
      'xx',
      '[output cut: 48 of 52 characters left out]',
      'image',
      'y',
    ]);
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
    expect(textOf(limitOutput(error))).toMatch(/^e{1000}\n\[output cut: 6000 of 10000 characters left out\]\ne{3000}$/);
    expect(textOf(limitOutput(error, { errorChars: 8 }))).toMatch(/^e{2}\n\[.*\]\ne{6}$/);
    expect(textOf(limitOutput(error, { maxToolOutputChars: 4 }))).toMatch(/^e\n\[.*\]\neee$/);
  });
});
