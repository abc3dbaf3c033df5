import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitWords } from '../../src/search/split-words.js';

it.each([
  ['createIssue', ['create', 'issue', 'createissue']],
  ['create_issue', ['create', 'issue']],
  ['create-issue.v2', ['create', 'issue', 'v', '2', 'v2']],
  ['CRM__getHTTPStatus', ['crm', 'get', 'http', 'status', 'gethttpstatus']],
  ['Finds a customer’s order (by e-mail).', ['finds', 'a', 'customer', 's', 'order', 'by', 'e', 'mail']],
  ['Überweisung ausführen', ['überweisung', 'ausführen']],
  ['ﬁle', ['file']],
  ['найтиЗаказ', ['найтизаказ']],
  ['', []],
  ['…', []],
])('%j has the words %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

it('splits scripts that write no spaces', () => {
  const words = splitWords('顧客を検索する');
  expect(words).toContain('検索');
  expect(words.join('')).toBe('顧客を検索する');
});

it('no text breaks it, and no letter or digit is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const words = splitWords(text);
      expect(words.every((word) => word !== '' && word === word.toLowerCase())).toBe(true);
      const letters = (text.normalize('NFKC').match(/[\p{L}\p{N}]/gu) ?? []).join('').toLowerCase();
      const kept = new Set(words.join(''));
      expect([...letters].filter((letter) => !kept.has(letter))).toEqual([]);
    }),
  );
});
