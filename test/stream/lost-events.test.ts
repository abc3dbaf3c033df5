import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import type { RoundPart } from '../../src/core/part.js';
import { encodeEvents, type OutputDescription, responseEvents, type ScriptedEvent } from '../../src/testing.js';
import { replayRound } from '../helpers/replay-round.js';

const words = fc.constantFrom('A', 'Let me look.', 'Ünï 🦆 words in a row', 'B\nC');
const output: fc.Arbitrary<OutputDescription> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words }),
  fc.record({
    type: fc.constant('call' as const),
    name: fc.constantFrom('add', 'sub'),
    arguments: fc.constantFrom<JsonObject[]>({}, { a: 1 }, { text: 'x "y"', list: [1, 2] }),
  }),
  fc.record({
    type: fc.constant('reasoning' as const),
    summary: fc.array(words, { minLength: 1, maxLength: 3 }),
    encrypted: fc.constantFrom('sealed', 'sealed too'),
  }),
  fc.record({ type: fc.constant('reasoning' as const), text: words }),
);

/** What a sloppy server leaves out of the events of one item. Something whole is always left. */
interface Loss {
  readonly added: boolean;
  readonly deltas: 'none' | 'all' | 'tail';
  readonly contentDone: boolean;
  readonly itemDone: boolean;
}
const loss: fc.Arbitrary<Loss> = fc.record({
  added: fc.boolean(),
  deltas: fc.constantFrom('none' as const, 'all' as const, 'tail' as const),
  contentDone: fc.boolean(),
  itemDone: fc.boolean(),
});

type Addressing = 'index and id' | 'index, ids that change with every event' | 'id only';

const isDelta = ({ type }: ScriptedEvent): boolean => type.endsWith('.delta');
const isContentDone = ({ type }: ScriptedEvent): boolean =>
  /^response\.(output_text|content_part|function_call_arguments|reasoning_\w+)\.done$/.test(type);
const indexOf = (event: ScriptedEvent): number => Number(event['output_index']);

function lose(events: readonly ScriptedEvent[], losses: readonly Loss[], snapshot: boolean): ScriptedEvent[] {
  const seen = new Map<number, number>();
  return events.flatMap((event) => {
    if (event.type === 'response.completed')
      return snapshot ? [event] : [{ ...event, response: { ...(event['response'] as object), output: [] } }];
    const { added, deltas, contentDone, itemDone } = losses[indexOf(event)] ?? {
      added: false,
      deltas: 'none',
      contentDone: false,
      itemDone: false,
    };
    // The item is the only place left that has all of it.
    const keepsItem = !snapshot;
    if (event.type === 'response.output_item.added') return added ? [] : [event];
    if (event.type === 'response.output_item.done') return itemDone && !keepsItem ? [] : [event];
    if (isContentDone(event)) return contentDone ? [] : [event];
    if (!isDelta(event)) return [event];
    const nth = seen.get(indexOf(event)) ?? 0;
    seen.set(indexOf(event), nth + 1);
    return deltas === 'all' || (deltas === 'tail' && nth > 0) ? [] : [event];
  });
}

/** The same events, told as other servers address them. */
function address(events: readonly ScriptedEvent[], how: Addressing): ScriptedEvent[] {
  return events.map((event, at): ScriptedEvent => {
    if (how === 'id only') {
      const { output_index: _index, ...rest } = event;
      return rest;
    }
    if (how === 'index and id' || event['output_index'] === undefined) return event;
    const item = event['item'] === undefined ? {} : { item: { ...(event['item'] as object), id: `fresh_${at}` } };
    return { ...event, ...(event['item_id'] === undefined ? {} : { item_id: `fresh_${at}` }), ...item };
  });
}

const read = (events: readonly ScriptedEvent[]): Promise<RoundPart[]> => replayRound([encodeEvents(events)]);

/** Content under the wire's call ids: a call told before its id came gets one of ours, and both are kept. */
function contentOf(parts: readonly RoundPart[]): object[] {
  const end = parts.at(-1);
  if (end?.type !== 'round-end') throw new Error('The round did not end.');
  return end.result.content.map((item) => {
    const {
      itemId: _itemId,
      callId,
      wireCallId,
      ...rest
    } = item as { itemId?: string; callId?: string; wireCallId?: string };
    return { ...rest, callId: wireCallId ?? callId };
  });
}

/** What was said, by part: every delta between its start and its end, every part closed. */
function spoken(parts: readonly RoundPart[]): string[] {
  const open = new Map<string, string>();
  const said: string[] = [];
  for (const part of parts) {
    const kind = part.type.replace(/-(start|delta|end)$/, '');
    const id = 'id' in part ? part.id : 'callId' in part ? part.callId : '';
    const key = `${kind} ${id}`;
    if (part.type.endsWith('-start')) {
      expect(open.has(key), `${key} opened twice`).toBe(false);
      open.set(key, '');
    } else if (part.type.endsWith('-delta') && 'delta' in part) {
      expect(open.has(key), `${key} not open`).toBe(true);
      open.set(key, `${open.get(key) ?? ''}${part.delta}`);
    } else if (part.type.endsWith('-end') && part.type !== 'round-end') {
      expect(open.has(key), `${key} not open`).toBe(true);
      said.push(`${kind}: ${open.get(key) ?? ''}`);
      open.delete(key);
    }
  }
  expect([...open.keys()]).toEqual([]);
  // A section of reasoning is closed when the next one begins: what is filled in later comes as a piece of its own.
  const reasoning = said.filter((entry) => entry.startsWith('reasoning: ')).map((entry) => entry.slice(11));
  return [
    ...said.filter((entry) => !entry.startsWith('reasoning: ')),
    [...reasoning.join('')].toSorted().join(''),
  ].toSorted();
}

describe('events that got lost', () => {
  it.each<[Addressing]>([['index and id'], ['index, ids that change with every event'], ['id only']])(
    'change nothing, as long as one event has all of it: %s',
    async (how) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(output, { minLength: 1, maxLength: 4 }),
          fc.array(loss, { minLength: 4, maxLength: 4 }),
          fc.boolean(),
          async (items, losses, snapshot) => {
            const events = responseEvents({ output: items });
            const complete = await read(events);
            // An id nobody has announced could be a new one of an item that is open, or of any item of the snapshot.
            const kept = losses.map((one) => ({
              ...one,
              added: one.added && how !== 'id only',
              itemDone: one.itemDone && how !== 'index, ids that change with every event',
            }));
            const parts = await read(address(lose(events, kept, snapshot), how));
            expect(contentOf(parts)).toEqual(contentOf(complete));
            expect(spoken(parts)).toEqual(spoken(complete));
            expect(parts.filter((part) => part.type === 'round-end')).toHaveLength(1);
            const calls = (all: readonly RoundPart[]) =>
              all.flatMap((part) => (part.type === 'tool-call' ? [`${part.name} ${part.arguments}`] : [])).toSorted();
            expect(calls(parts)).toEqual(calls(complete));
          },
        ),
        { numRuns: 300 },
      );
    },
  );

  it('unknown events, items and fields among them change nothing', async () => {
    const noise = fc.constantFrom<ScriptedEvent[]>(
      { type: 'response.hologram.delta', output_index: 0, delta: 'x' },
      { type: 'ping' },
      { type: 'keepalive', sequence_number: 5 },
      { type: 'response.output_text.annotation.removed', output_index: 0 },
      { type: 'response.output_item.added' },
      { type: 'response.output_text.delta', delta: 5 },
      { type: '' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(output, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(), noise), { maxLength: 5 }),
        async (items, extra) => {
          const events = responseEvents({ output: items });
          const noisy: ScriptedEvent[] = events.map((event) => ({
            ...event,
            obfuscation: 'xyz',
            future: { nested: [null] },
          }));
          for (const [at, event] of extra) noisy.splice(1 + (at % (noisy.length - 1)), 0, event);
          expect(await read(noisy)).toEqual(await read(events));
        },
      ),
    );
  });
});

describe('a stream cut anywhere', () => {
  it('ends with one round-end, everything closed; without a terminal event it is an error unless every item was finished', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(output, { minLength: 1, maxLength: 3 }), fc.nat(), async (items, at) => {
        const events = responseEvents({ output: items });
        const kept = events.slice(0, at % events.length);
        const parts = await read(kept);
        spoken(parts);
        const end = parts.at(-1);
        if (end?.type !== 'round-end') throw new Error('The round did not end.');
        const indexesOf = (...types: string[]): Set<number> =>
          new Set(kept.filter((event) => types.includes(event.type)).map(indexOf));
        const announced = indexesOf('response.output_item.added');
        const settled = indexesOf('response.output_item.done', 'response.function_call_arguments.done');
        const finished = announced.size > 0 && settled.size === announced.size;
        const calls = indexesOf('response.function_call_arguments.done').size;
        expect(end.result.outcome).toBe(finished ? 'completed' : 'truncated');
        expect(end.result.error === undefined).toBe(finished);
        expect(parts.filter((part) => part.type === 'tool-call')).toHaveLength(calls);
      }),
      { numRuns: 300 },
    );
  });
});
