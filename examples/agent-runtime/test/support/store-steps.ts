import fc from 'fast-check';

import type { SessionQuery, SessionState, StoredMessage } from '../../src/index.js';

/** One step of a random program: the instance `by` does it. */
export type Step = { readonly by: 0 | 1 } & (
  | {
      readonly do: 'save';
      readonly id: string;
      readonly summary: string | null;
      readonly state: SessionState;
      readonly lastActivity: string;
    }
  | { readonly do: 'add'; readonly id: string; readonly rows: readonly StoredMessage[] }
  | { readonly do: 'race'; readonly id: string; readonly rows: readonly [StoredMessage, StoredMessage] }
  | { readonly do: 'delete' | 'deleteRows' | 'claim' | 'read' | 'restart'; readonly id: string }
  | { readonly do: 'list'; readonly query: SessionQuery }
);

const by = fc.constantFrom(0 as const, 1 as const);
const id = fc.constantFrom('aa1', 'AA1', 'b\u00E9', 'be\u0301');
const odd = fc.constantFrom(
  '',
  'a\0b',
  '\ud83d',
  '\u00E9',
  'e\u0301',
  '%',
  '_',
  '\\',
  "'",
  'Duck',
  'DUCK',
  '\u0130\u00DF',
  '\u{1F986}',
);
const text = fc.oneof(
  { weight: 3, arbitrary: odd },
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.lorem({ maxCount: 3 }),
);
const number = fc.oneof(fc.double(), fc.constantFrom(-0, 2 ** 53, 1e308, 5e-324, Number.NaN));
const toolInput = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue(),
  fc.array(fc.oneof(number, text), { maxLength: 3 }),
  fc.constantFrom(JSON.parse('{"__proto__": 1, "a": {"__proto__": []}}') as unknown),
);

const row: fc.Arbitrary<StoredMessage> = fc
  .record({ key: fc.nat(11), seq: fc.integer({ min: 1, max: 9 }), content: text, toolInput })
  .map(({ key, toolInput: given, ...rest }) => ({
    id: `row${key}`,
    type: 'tool',
    timestamp: '2026-01-01T00:00:00.000Z',
    turn: 1,
    ...rest,
    ...(given === undefined ? {} : { toolInput: given }),
  }));

const query = fc.record(
  {
    search: fc.constantFrom('', 'duck', 'UCK', '%', '_', '\\', "'", '\u00E9', '\u0301', 'i', 'ss'),
    idPrefix: fc.constantFrom('', 'a', 'A', 'b', 'b%', '%', 'be'),
    state: fc.constantFrom('idle' as const, 'active' as const),
    limit: fc.nat(3),
    offset: fc.nat(3),
  },
  { requiredKeys: [] },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('save' as const),
      by,
      id,
      summary: fc.option(text),
      state: fc.constantFrom<SessionState[]>('created', 'idle', 'idle', 'completed'),
      lastActivity: fc.nat(3).map((day) => `2026-01-0${day + 1}T00:00:00.000Z`),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('add' as const), by, id, rows: fc.array(row, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('race' as const), by, id, rows: fc.tuple(row, row) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'delete' as const,
        'deleteRows' as const,
        'claim' as const,
        'read' as const,
        'restart' as const,
      ),
      by,
      id,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('list' as const), by, query }) },
);

export const program: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 5, maxLength: 40 });
