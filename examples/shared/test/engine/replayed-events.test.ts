import { describe, expect, it } from 'vitest';
import { ReplayedEvents } from '../../engine/replayed-events.js';
import type { Comparable } from '../../engine/types.js';

type Said = string | { readonly result: string } | { readonly call: string } | { readonly rewound: number };

/** Texts are deltas. */
function compare(event: unknown): Comparable | undefined {
  const said = event as Said;
  if (typeof said === 'string') return { key: 'text', delta: { text: said, with: (text) => text } };
  if ('rewound' in said) return undefined;
  return { key: JSON.stringify(said), isUnordered: 'result' in said };
}

/** What a reader has in the end who saw what was kept, and then what the attempt adds. */
function afterwards(kept: readonly Said[], attempt: readonly Said[]): { added: unknown[]; whole: unknown[] } {
  let seq = 10;
  let log = kept.map((event) => ({ seq: (seq += 1), event: event as unknown }));
  const replayed = new ReplayedEvents(log, 10, { compare });
  const added: unknown[] = [];
  for (const { after, events } of [...attempt.map((event) => replayed.take(event)), replayed.end()]) {
    if (after !== undefined) log = log.filter((entry) => entry.seq <= after);
    for (const event of events) log.push({ seq: (seq += 1), event });
    added.push(...events);
  }
  return { added, whole: joined(log.map(({ event }) => event as Said)) };
}

function joined(events: readonly Said[]): Said[] {
  const all: Said[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (typeof event === 'string' && typeof last === 'string') all[all.length - 1] = last + event;
    else if (typeof event === 'string' || !('rewound' in event)) all.push(event);
  }
  return all;
}

describe('the events of an attempt that follows another one', () => {
  it('are not kept again where they say the same, however its texts are cut', () => {
    const kept = ['He', 'llo', { call: '1' }, { result: '1' }, 'Done'] as const;
    expect(afterwards(kept, ['Hello', { call: '1' }, { result: '1' }, 'Do', 'ne']).added).toEqual([]);
    expect(afterwards(kept, ['H', 'ello', { call: '1' }, { result: '1' }, 'Done', '.']).added).toEqual(['.']);
  });

  it('go on in the middle of a text', () => {
    expect(afterwards(['Hel'], ['Hello']).added).toEqual(['lo']);
  });

  it('replace what another attempt has said in other words', () => {
    const { added, whole } = afterwards(['I will', ' look', { call: 'a' }], ['I w', 'ould', { call: 'b' }]);
    expect(whole).toEqual(['I would', { call: 'b' }]);
    expect(added).toEqual(['I would', { call: 'b' }]);
  });

  it('replace the rest of a text that ends sooner', () => {
    expect(afterwards(['Hello', ' you'], ['Hel', { call: 'a' }]).whole).toEqual(['Hel', { call: 'a' }]);
    expect(afterwards(['Hello', ' you'], ['Hel']).whole).toEqual(['Hel']);
  });

  it('take results of tools in any order, and none twice', () => {
    const kept = [{ call: '1' }, { call: '2' }, { result: '2' }] as const;
    const attempt = [{ call: '1' }, { call: '2' }, { result: '1' }, { result: '2' }, 'Done'] as const;
    expect(afterwards(kept, attempt).added).toEqual([{ result: '1' }, 'Done']);
  });

  it('leave results in place that stand behind what is replaced', () => {
    const kept = [{ call: '1' }, { result: '1' }, { result: '2' }, 'Well'] as const;
    const attempt = [{ call: '1' }, { result: '2' }, { result: '1' }, 'So'] as const;
    expect(afterwards(kept, attempt).whole).toEqual([{ call: '1' }, { result: '1' }, { result: '2' }, 'So']);
  });

  it('do not count the word that something was replaced', () => {
    expect(afterwards(['Hello', { rewound: 10 }, ' you'], ['Hello you', '.']).added).toEqual(['.']);
  });

  it('end up as the attempt says them, whatever was kept before', () => {
    const words: readonly Said[] = ['a', 'b', 'ab', { call: '1' }, { call: '2' }, { result: '1' }, { result: '2' }];
    let seed = 7;
    const some = (): Said[] =>
      Array.from({ length: (seed = (seed * 48_271) % 2_147_483_647) % 6 }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return words[seed % words.length] ?? '';
      });
    for (let round = 0; round < 3000; round += 1) {
      const attempt = some().filter((event, index, all) => typeof event === 'string' || all.indexOf(event) === index);
      const kept = some().filter((event, index, all) => typeof event === 'string' || all.indexOf(event) === index);
      const texts = (events: readonly unknown[]): unknown[] => events.filter((event) => !isResult(event));
      const { whole } = afterwards(kept, attempt);
      expect([kept, attempt, joined(texts(whole) as Said[])]).toEqual([
        kept,
        attempt,
        joined(texts(attempt) as Said[]),
      ]);
      expect(new Set(whole.filter(isResult)).size).toBe(whole.filter(isResult).length);
      expect([kept, attempt, whole.filter(isResult).length]).toEqual([kept, attempt, attempt.filter(isResult).length]);
    }
  });
});

function isResult(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'result' in event;
}
