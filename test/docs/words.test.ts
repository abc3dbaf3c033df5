import { expect, it } from 'vitest';
import { DOCS, proseOf, README } from './support/pages.js';

/** What no native writes; CONTRIBUTING has the rules. Ceilings for all pages together, which may only go down. */
const DIALECT: Readonly<Record<string, readonly [words: RegExp, most: number]>> = {
  'a passive instead of an actor: is asked, is told, is given': [
    /\b(?:is|are|was|were) (?:asked|told|given(?! up)|spoken to)\b/g,
    5,
  ],
  '"says" for shows, returns, names': [/\b(?:says?|said)\b/gi, 3],
  'for ever, at once, goes on, anew, meanwhile': [/\b(?:for ever|at once|goes? on|going on|anew|meanwhile)\b/gi, 5],
  'there is no': [/\bthere (?:is|are) no(?:ne)?\b/gi, 6],
  '"too", "also" or "besides" beside the sentence': [/, (?:too|also)[.,;:)]|\bbesides\b/gi, 2],
  'of your own, of its own': [/\bof (?:your|its|their|our|his) own\b/gi, 10],
  'nobody, whoever, somebody': [/\b(?:nobody|whoever|somebody)\b/gi, 1],
  'stands, bears, holds': [/\b(?:stands?(?!-in)|bears?|holds?)\b/gi, 5],
};

const pages = [README, ...DOCS].map(({ path, text }) => ({ path, prose: proseOf(text) }));

it.each(Object.entries(DIALECT))('README and docs do not have more of: %s', (_name, [words, most]) => {
  const counts = pages.map(({ path, prose }) => ({ path, count: prose.match(words)?.length ?? 0 }));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const worst = counts
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 4)
    .map(({ path, count }) => `${path} (${count})`);
  expect(all, `${all}, and ${most} are allowed. Most are in ${worst.join(', ')}.`).toBeLessThanOrEqual(most);
});
