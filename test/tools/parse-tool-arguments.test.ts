import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToolArguments } from '../../src/tools/parse-tool-arguments.js';

describe('arguments that can be used', () => {
  it.each<[unknown, object]>([
    ['', {}],
    ['  \n', {}],
    [null, {}],
    [undefined, {}],
    ['null', {}],
    ['{}', {}],
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['"{}"', {}],
    ['"{\\"a\\":1}"', { a: 1 }],
    [{ a: 1 }, { a: 1 }],
  ])('%j', (text, expected) => {
    expect(parseToolArguments(text)).toEqual({ ok: true, arguments: expected });
  });

  it('any JSON object comes through as it is', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue({ noUnicodeString: false }),
        ),
        (value) => {
          const text = JSON.stringify(value);
          if (text.includes('__proto__')) return;
          expect(parseToolArguments(text)).toEqual({ ok: true, arguments: JSON.parse(text) as object });
          expect(parseToolArguments(JSON.stringify(text))).toEqual({ ok: true, arguments: JSON.parse(text) as object });
        },
      ),
    );
  });
});

describe('arguments that cannot be used are said to be so, never replaced by {}', () => {
  it.each<[unknown, RegExp]>([
    ['5', /a number came: 5/],
    ['[1]', /an array came: \[1\]/],
    ['"hello"', /a string came/],
    ['true', /a boolean came/],
    ['{"a":1', /not valid JSON: .+\nReceived: \{"a":1\nSend/],
    ['{"a":1}{"a":1}', /not valid JSON/],
    ['{"__proto__":{"x":1}}', /"__proto__"/],
    ['{"a":[{"__proto__":1}]}', /"__proto__"/],
  ])('%j', (text, message) => {
    const parsed = parseToolArguments(text);
    expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  it('quotes only the beginning of a long text', () => {
    const parsed = parseToolArguments(`{"a":"${'x'.repeat(100_000)}`);
    expect(!parsed.ok && parsed.message.length).toBeLessThan(1_000);
  });
});
