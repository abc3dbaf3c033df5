import { describe, expect, test } from 'vitest';
import { TERMINALS } from '../../src/stream/decode-event.js';
import { FAMILIES } from '../../src/stream/items.js';
import { HANDLED_EVENTS } from '../../src/stream/reduce-events.js';
import { PASSED_THROUGH_EVENTS, PASSED_THROUGH_OUTPUT_ITEMS } from './passed-through.js';

const KNOWN: { of: string; names: readonly string[] }[] = [
  { of: 'events', names: [...Object.keys(HANDLED_EVENTS), ...TERMINALS.keys(), ...PASSED_THROUGH_EVENTS] },
  { of: 'output items', names: [...Object.keys(FAMILIES), ...PASSED_THROUGH_OUTPUT_ITEMS] },
];

describe.each(KNOWN)('the known $of', ({ names }) => {
  test('stand in one list, once', () => {
    const twice = names.filter((name, index) => names.indexOf(name) !== index);

    expect(twice).toEqual([]);
  });
});
