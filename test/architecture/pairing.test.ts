import { expect, it } from 'vitest';
import { readSources } from './read-imports.js';

/** Who may ask which call an output answers, and why. */
const MAY_PAIR: Readonly<Record<string, string>> = {
  'src/core/call-items.ts': 'makes the key',
  'src/items/pairs.ts': 'makes the key of an item, and tells a socket whether a response leaves calls',
  'src/history/known-items.ts': 'pairs histories',
  'src/stream/handlers/answered.ts':
    'pairs within one stream, while its events come: an output decides who ran the call',
  'src/stream/handlers/kept.ts': 'the same, for outputs of functions',
  'src/stream/round-state.ts': 'holds what waits in that stream',
};

it('calls and outputs of a history are paired in one place', () => {
  const users = readSources('src').filter(({ text }) => /\b(pairKey|pairOf)\b/.test(text));
  expect(users.map(({ path }) => path).toSorted()).toEqual(Object.keys(MAY_PAIR).toSorted());
});
