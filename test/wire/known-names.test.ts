import { describe, expect, test } from 'vitest';
import {
  HANDLED_EVENTS,
  HANDLED_OUTPUT_ITEMS,
  PASSED_THROUGH_EVENTS,
  PASSED_THROUGH_OUTPUT_ITEMS,
} from '../../src/wire/known-names.js';
import { HANDLED_EVENT_NAMES } from '../../src/stream/reduce-events.js';

const KNOWN: { of: string; names: readonly string[] }[] = [
  { of: 'events', names: [...HANDLED_EVENTS, ...PASSED_THROUGH_EVENTS] },
  { of: 'output items', names: [...HANDLED_OUTPUT_ITEMS, ...PASSED_THROUGH_OUTPUT_ITEMS] },
];

test('the events said to be handled are those the reducer has a row for', () => {
  expect([...HANDLED_EVENTS].toSorted()).toEqual([...HANDLED_EVENT_NAMES].toSorted());
});

describe.each(KNOWN)('the known $of', ({ names }) => {
  test('stand in one list, once', () => {
    const twice = names.filter((name, index) => names.indexOf(name) !== index);

    expect(twice).toEqual([]);
  });
});
