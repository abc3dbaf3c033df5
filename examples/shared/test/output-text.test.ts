import { describe, expect, it } from 'vitest';
import { outputText } from '../output-text.js';

describe('the text a stand-in reads', () => {
  it.each([
    ['a string', 'Hello', 'Hello'],
    ['text parts', [{ type: 'output_text', text: 'Hel' }, { type: 'input_image' }, { text: 'lo' }], 'Hello'],
    ['an object with its text under content', '{"content":"Hello"}', 'Hello'],
    ['JSON of another shape', '{"content":[1]}', '{"content":[1]}'],
    ['a number written out', '42', '42'],
    ['null written out', 'null', 'null'],
    ['nothing', undefined, ''],
  ])('is that of %s', (_name, value, text) => {
    expect(outputText(value)).toBe(text);
  });
});
