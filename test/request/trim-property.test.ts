import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverItem } from '../../src/core/call-items.js';
import type { JsonObject } from '../../src/core/json.js';
import type { AssistantContent, Message } from '../../src/core/message.js';
import { outlivesCompaction } from '../../src/core/compaction.js';
import { asString } from '../../src/util/guards.js';
import { type Trimmed, trimming } from './support/trimming.js';

const size = fc.constantFrom(0, 5, 60, 300, 1_200);
const extra = fc.constantFrom<AssistantContent[]>(
  [],
  [],
  [{ type: 'reasoning', summary: [], text: [], encrypted: 'sealed' }],
  [{ type: 'text', text: 'Now.' }],
  [{ type: 'item', item: serverItem({ type: 'web_search_call', status: 'completed' }) }],
);
const summary: AssistantContent = { type: 'item', item: serverItem({ type: 'compaction', encrypted_content: 's' }) };
const call = fc.record({
  before: extra,
  chars: size,
  form: fc.constantFrom('function', 'function', 'shell', 'program'),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;
const round = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  compacts: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

const callOf = (callId: string, form: string): AssistantContent => ({
  type: 'tool-call',
  callId,
  name: 'add',
  arguments: '{}',
  ...(form === 'shell' && { item: serverItem({ type: 'shell_call', call_id: callId, action: {} }) }),
  ...(form === 'program' && { members: { caller: { type: 'program', caller_id: 'p' } } }),
});

/** Ids are unique over the conversation, as the loop makes them. */
function roundOf(calls: readonly Call[], compacts: boolean, at: number): Message[] {
  const ids = calls.map((_, index) => `c${at}_${index}`);
  return [
    {
      role: 'assistant',
      content: [
        ...(compacts ? [summary] : []),
        ...calls.flatMap(({ before, form }, index) => [...before, callOf(ids[index] ?? '', form)]),
      ],
    },
    {
      role: 'tool',
      content: calls.map(({ chars }, index) => ({
        type: 'tool-result',
        callId: ids[index] ?? '',
        output: { isError: false, content: [{ type: 'text', text: 'x'.repeat(chars) }] },
      })),
    },
  ];
}

interface Conversation {
  readonly maxChars: number;
  readonly messages: readonly Message[];
  readonly rounds: readonly (readonly Message[])[];
}

const conversation: fc.Arbitrary<Conversation> = fc
  .record({
    maxChars: fc.constantFrom(300, 1_500, 4_000),
    before: fc.array(round, { maxLength: 4 }),
    after: fc.array(round, { maxLength: 14 }),
  })
  .map(({ maxChars, before, after }) => ({
    maxChars,
    messages: [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      ...before.flatMap(({ calls, compacts }, at) => roundOf(calls, compacts, at)),
      { role: 'user', content: [{ type: 'text', text: 'On.' }] },
    ],
    rounds: after.map(({ calls, compacts }, at) => roundOf(calls, compacts, before.length + at)),
  }));

function always(check: (trimmed: Trimmed, whole: Trimmed, given: Conversation) => void): void {
  fc.assert(
    fc.property(conversation, (given) =>
      check(trimming(given), trimming({ ...given, maxChars: Number.POSITIVE_INFINITY }), given),
    ),
    { numRuns: 300 },
  );
}

const idsOf = (input: readonly JsonObject[], type: string): string[] =>
  input.flatMap((item) => (item['type'] === type ? [asString(item['call_id']) ?? ''] : []));
const sizeOf = (input: readonly JsonObject[]): number =>
  input.reduce((sum, item) => sum + JSON.stringify(item).length + 1, 0);
const outputs = (input: readonly JsonObject[]): JsonObject[] =>
  input.filter(({ type }) => asString(type)?.endsWith('_output') === true);

describe('any conversation with a limit for its input', () => {
  it('has an output for each call and a call for each output, in their order', () => {
    always(({ rounds }) => {
      for (const { input } of rounds) {
        expect(idsOf(input, 'function_call_output')).toEqual(idsOf(input, 'function_call'));
        expect(idsOf(input, 'shell_call_output')).toEqual(idsOf(input, 'shell_call'));
      }
    });
  });

  it('fits, or everything old that can be left out is, and that is said', () => {
    always(({ rounds, stuck, trims }, _whole, { maxChars }) => {
      const told = new Set([...stuck, ...trims].map(({ round: index }) => index));
      rounds.forEach(({ input }, at) => {
        const tooLong = sizeOf(input) > maxChars;
        if (!tooLong) return;
        // Said when it began, and not again while it lasts.
        const before = rounds[at - 1]?.input;
        expect(told.has(at) || (before !== undefined && sizeOf(before) > maxChars)).toBe(true);
      });
    });
  });

  it('loses neither what the caller has laid down or said nor what the model said', () => {
    const isKept = (item: JsonObject): boolean =>
      outlivesCompaction(item) || ['message', 'web_search_call', 'compaction'].includes(asString(item['type']) ?? '');
    always(({ rounds }, whole) => {
      rounds.forEach(({ input }, at) => {
        expect(input.filter(isKept)).toEqual(whole.rounds[at]?.input.filter(isKept));
      });
    });
  });

  it('has the outputs of its last two rounds as they came', () => {
    always(({ rounds }, whole, { rounds: added }) => {
      rounds.forEach(({ input }, at) => {
        const recent = added.slice(Math.max(0, at - 2), at).flat();
        const count = recent.flatMap((message) => (message.role === 'tool' ? message.content : [])).length;
        if (count === 0) return;
        expect(outputs(input).slice(-count)).toEqual(outputs(whole.rounds[at]?.input ?? []).slice(-count));
      });
    });
  });

  it('is the same in a process that has the first rounds from a journal', () => {
    always((live, _whole, given) => {
      const from = Math.ceil(given.rounds.length / 2);
      const replayed = trimming({ ...given, from });
      expect(replayed.rounds).toEqual(live.rounds.slice(from));
      expect(replayed.trims).toEqual(live.trims.filter(({ round: index }) => index >= from));
      expect(replayed.stuck).toEqual(live.stuck.filter(({ round: index }) => index >= from));
    });
  });
});
