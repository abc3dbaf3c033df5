import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { SecretScanner } from '../../src/observe/secret-scanner.js';
import { Redactor } from '../../src/observe/redact.js';
import { knowing } from './support/knowing.js';
import { anyKey, expectNothingOf } from './support/pieces.js';

const KEY = 'sk-proj-a+b/C==d&e"f\\gHiJkLmNoP';
const PLAIN = 'sk-proj-AbCdEfGhIjKlMnOpQrStUv';
const inUnits = (text: string): string =>
  text.replaceAll(/[^\w-]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How a text comes back. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in small letters': (text) => text.toLowerCase(),
  'in JSON': inJson,
  'in JSON within JSON within JSON': (text) => inJson(inJson(inJson(text))),
  'in JSON with escaped slashes': (text) => inJson(text).replaceAll('/', '\\/'),
  'in JSON that escapes everything': inUnits,
  'in a URL': encodeURIComponent,
  'in a URL, in small letters': (text) => encodeURIComponent(text).toLowerCase(),
  'in a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'in the URL of a JSON text': (text) => encodeURIComponent(inJson(text)),
};

describe('a secret is found', () => {
  it.each(Object.entries(SPELLINGS))('%s', (_name, spell) => {
    for (const secret of [KEY, PLAIN]) {
      expect(knowing(secret).text(`<${spell(secret)}>`)).toBe('<[redacted]>');
    }
  });

  it('where what is before it looks like the beginning of an escape', () => {
    for (const before of ['100%', '\\', '%2', '\\u00'])
      expect(knowing('ab12cd34ef56').text(`${before}ab12cd34ef56!`)).toMatch(/\[redacted\]!$/);
  });

  it('where it holds what is an escape only in other letters', () => {
    for (const secret of ['&AMP;x/Z-9', 'ab&AMP;x/Z-9', '7"&LT;x/Z-9', 'C:\\U0041/x-9'])
      for (const spell of Object.values(SPELLINGS))
        expect(knowing(secret).text(`<${spell(secret)}>`)).toBe('<[redacted]>');
  });

  it('with the escaped backslash before a blank that it was cut behind', () => {
    for (const backslash of ['%5C', '\\u005c'])
      expect(knowing('abcdefgh\\ 1234').text(`<abcdefgh${backslash}%20`)).toBe('<[redacted]%20');
  });

  it('where two of them overlap, together with what they share', () => {
    expect(knowing('abcdefgh1234', '1234zzzzzzzz').text('(abcdefgh1234zzzzzzzz)')).toBe('([redacted])');
  });

  it('among any number of others, at every place', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[A-Za-z0-9+/=%&"\\-]{8,30}$/), { minLength: 1, maxLength: 30 }),
        fc.array(fc.string(), { maxLength: 5 }),
        (secrets, texts) => {
          const text = secrets.map((secret, at) => `${texts[at] ?? ''}${secret}`).join('\n');
          const shown = knowing(...secrets).text(text);
          for (const secret of secrets) expect(shown).not.toContain(secret);
        },
      ),
    );
  });
});

describe('a text that was cut inside a secret', () => {
  it.each(Object.entries(SPELLINGS))('holds no eight characters of its beginning: %s', (_name, spell) => {
    const whole = spell(KEY);
    for (let kept = 1; kept <= whole.length; kept += 1) {
      const shown = knowing(KEY).text(`with ${whole.slice(0, kept)}`);
      expect(shown.slice('with '.length).length).toBeLessThanOrEqual(Math.max(10, spell(KEY.slice(0, 8)).length + 12));
      expect(shown).not.toContain(spell(KEY).slice(0, spell(KEY.slice(0, 9)).length));
    }
  });

  it('holds no end of one either, wherever that begins in an escape', () => {
    const whole = encodeURIComponent(KEY);
    for (let gone = 1; gone <= whole.indexOf('HiJkLmNoP'); gone += 1) {
      const shown = knowing(KEY).text(`${whole.slice(gone)} is wrong`);
      expect(shown).toMatch(/^.{0,5}\[redacted\] is wrong$/);
    }
  });

  it('keeps a beginning of fewer characters, which words have too', () => {
    expect(knowing(PLAIN).text('keys begin with sk-proj')).toBe('keys begin with sk-proj');
  });
});

/** Ways to repeat a part of a secret: what stands around it, or in it. */
const AROUND: Readonly<Record<string, (piece: string) => string>> = {
  'behind stars': (piece) => `****${piece}`,
  'before stars': (piece) => `${piece}****`,
  'between stars': (piece) => `**${piece}**`,
  'in brackets': (piece) => `(${piece}) [${piece}] {${piece}}`,
  'before a mark of a cut': (piece) => `${piece} [cut] ${piece}… ${piece}...`,
  'before a comma, a carriage return and a blank': (piece) => `${piece}, ${piece}\r${piece} .`,
  'as members': (piece) => `{"a":"${piece}","b":["${piece}"]}`,
  'in a tag': (piece) => `<b class='${piece}'>${piece}</b>`,
  'glued to words': (piece) => `Key${piece}is not valid`,
  'twice in a row': (piece) => piece + piece,
  'in small letters': (piece) => piece.toLowerCase(),
};

describe('a part of a secret', () => {
  it.each(Object.entries(AROUND))('of eight characters or more is always hidden: %s', (_name, around) => {
    for (const key of ['sk-proj-AbCdEfGhIjKlMnOpQrStUv0123', '0123456789abcdef0123456789abcdef', 'p4ss!word?of-%me%']) {
      const redactor = knowing(key);
      const secret = key.replace('sk-proj-', '');
      for (let from = 0; from <= secret.length - 8; from += 1)
        for (let to = from + 8; to <= secret.length; to += 1)
          expectNothingOf(secret, redactor.text(around(secret.slice(from, to))));
    }
  });

  it('is hidden in each line, where it is wrapped', () => {
    const secret = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789';
    for (const end of ['\n', '\r\n', '\\n', '<br>', ' \\\n', '=\r\n'])
      for (let width = 8; width < 36; width += 1)
        expectNothingOf(
          secret,
          knowing(`sk-${secret}`).text(`: sk-${secret.replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${end}`)}`),
        );
  });

  it('takes what a key begins with along, which stays where nothing of the secret follows', () => {
    const redactor = knowing(PLAIN);
    expect(redactor.text('Your key sk-proj-AbCdEf**** is wrong')).toBe('Your key [redacted]**** is wrong');
    expect(redactor.text('Keys begin with sk-proj-, not with sk-proj.')).toBe(
      'Keys begin with sk-proj-, not with sk-proj.',
    );
  });

  it('that is a word it begins with stays, where nothing else of the secret stands beside it', () => {
    const redactor = knowing('sk-no-key-required', 'Bearer a1b2c3d4e5f6', 'frontend-production-7f3k2x9q');
    for (const text of ['A value is required', 'Bearer authentication', 'the frontend of production', '/v1/responses'])
      expect(redactor.text(text)).toBe(text);
    expect(redactor.text('with sk-no-key-required')).toBe('with [redacted]');
    expect(redactor.text('with no-key-required')).toBe('with no-key-required');
    expect(redactor.text('with o-production-7f3k2x.')).toBe('with o[redacted].');
  });

  it('is hidden with any key, in any text, however it is cut out', () => {
    fc.assert(
      fc.property(
        anyKey,
        fc.string(),
        fc.string(),
        fc.nat(32),
        fc.integer({ min: 8, max: 40 }),
        ({ key, secret }, before, after, from, length) => {
          const shown = knowing(key).text(`${before}${secret.slice(from, from + length)}${after}`);
          expectNothingOf(secret, shown);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('looking for secrets', () => {
  const keys = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => `sk-proj-${n}-AbCdEfGhIjKlMnOpQrStUvWxYz${n}`);

  /** Every character takes a product, and one that ends a piece of a secret three more. */
  function stepsFor(texts: readonly string[], secrets: readonly string[]): number {
    const scanner = new SecretScanner(secrets);
    const steps = vi.spyOn(Math, 'imul');
    for (const text of texts) scanner.spansIn(text);
    const count = steps.mock.calls.length;
    steps.mockRestore();
    return count;
  }

  it('takes one step per character, however many keys exist', () => {
    const text = 'sk-proj-1-AbCdEfGh sk-proj-sk-proj-22-AbCd Bearer '.repeat(100);
    for (const count of [1, 500]) expect(stepsFor([text], keys(count))).toBeLessThanOrEqual(4 * text.length);
    // Which texts pass the filter is drawn by each process, so many different ones are asked: a fifth of them may.
    const others = fc.sample(fc.stringMatching(/^[a-z]{5000}$/), { numRuns: 1, seed: 1 }).join('');
    expect(stepsFor([others], keys(500))).toBeLessThanOrEqual(2 * others.length);
  });

  it('takes four times the steps for four times the text, the keys and the repetition in them', () => {
    const secret = (n: number): string => `b${'a'.repeat(n)}`;
    const small = stepsFor(['a'.repeat(2_000)], [secret(500), ...keys(100)]);
    const large = stepsFor(['a'.repeat(8_000)], [secret(2_000), ...keys(400)]);
    expect(large / small).toBeLessThanOrEqual(4.2);
  });

  it('goes through texts that repeat a secret hundreds of thousands of times', () => {
    const times = 200_000;
    expect(knowing(PLAIN).text(`${PLAIN}% `.repeat(times))).toBe('[redacted]% '.repeat(times));
  });

  it('is prepared once for as long as the secrets stay the same', () => {
    let list: readonly string[] = keys(3);
    const asked = vi.fn(() => list);
    const redactor = Redactor.of(asked);
    expect(asked).not.toHaveBeenCalled();
    redactor.text('x');
    const built = vi.spyOn(Math, 'imul');
    redactor.and(() => []).text('x');
    expect(built.mock.calls.length).toBeLessThanOrEqual(1);
    built.mockRestore();
    list = [...list, 'another-0123456789'];
    expect(redactor.text('another-0123456789')).toBe('[redacted]');
  });
});
