import { describe, expect, it } from 'vitest';
import type { Journal, JournalStep } from 'responses-loop';
import { examples } from '../helpers/nightly.js';
import { damagesOf } from './support/damage.js';
import { JournalStore } from './support/mortal-journal.js';
import { type Mode, play, type Played, type Story, type Version, World } from './support/play.js';
import { STORIES } from './support/stories.js';

const WAYS: readonly (readonly [Version, Mode])[] = [
  ['v2', 'stream'],
  ['v3', 'generate'],
  ['v4', 'stream'],
];
/** As many of the thousands of damages of a record, spread over it. */
const PER_RECORD = examples(20, 60);

describe.each(STORIES)('$name, with a record that was damaged', (story) => {
  const ways = WAYS.filter(([version]) => story.only?.includes(version) ?? true);

  it.each(ways)('ends, or fails with a journal error that names the record and the field (%s, %s)', async (...way) => {
    const [version, mode] = way;
    const { store, own } = await finished(story, version, mode);
    for (const [key, json] of store.records) {
      const damages = [...damagesOf(JSON.parse(json))];
      const stride = Math.max(1, Math.floor(damages.length / PER_RECORD));
      for (let at = damages.length % stride; at < damages.length; at += stride) {
        const damage = damages[at];
        if (damage === undefined) continue;
        const world = new World();
        const journal = holding(store, key, damage.record);
        const played = await play(story, { version, mode }, world, { journal, signal: new AbortController().signal });
        const where = `${key}: ${damage.where}`;
        // What follows a call that came out otherwise has another prompt than it had.
        for (const [index, one] of played.entries())
          expectSettled(one, { mode, damage: { key, where, isHere: key.startsWith(`${index}/`) }, own });
        expect(world.effects.length, where).toBe(new Set(world.effects.map(({ callId }) => callId)).size);
      }
    }
  });
});

/** A store in which one record is another one, and which keeps nothing new. */
function holding(store: JournalStore, key: string, record: unknown): Journal {
  const own = new Map<string, string>([...store.records, [key, JSON.stringify(record) ?? 'null']]);
  return {
    step: async <T>(step: JournalStep, run: () => Promise<T>): Promise<T> => {
      const known = own.get(step.key);
      if (known !== undefined) return JSON.parse(known) as T;
      const result = JSON.stringify(await run());
      own.set(step.key, result);
      return JSON.parse(result) as T;
    },
  };
}

async function finished(
  story: Story,
  version: Version,
  mode: Mode,
): Promise<{ readonly store: JournalStore; readonly own: readonly string[] }> {
  const store = new JournalStore();
  const { journal, signal } = store.attempt(() => false);
  const played = await play(story, { version, mode }, new World(), { journal, signal });
  return { store, own: played.flatMap(({ error }) => error?.message ?? []) };
}

interface Expected {
  readonly mode: Mode;
  readonly damage: { readonly key: string; readonly where: string; readonly isHere: boolean };
  /** What the story fails with anyhow. */
  readonly own: readonly string[];
}

function expectSettled({ parts, error }: Played, { mode, damage, own }: Expected): void {
  const { key, where, isHere } = damage;
  if (error !== undefined && !own.includes(error.message)) {
    // A record may hold any failure: what it says of one comes out.
    if (!/failure|error/.test(where)) expect(error.message, where).toMatch(/^The journal (?:returned|contains) /);
    else expect(error.name, where).not.toMatch(/TypeError|RangeError/);
    if (isHere && error.message.startsWith('The journal')) expect(error.message, where).toContain(`"${key}"`);
    if (error.message.startsWith('The journal gave'))
      expect(error.message, where).toMatch(/version: (?:"\w|it is not an object)/);
  }
  if (mode === 'stream' && parts.length > 0) expectWhole(parts, where);
}

/** Whatever is begun has its end, and whatever is called its result. */
function expectWhole(parts: Played['parts'], where: string): void {
  const count = (type: string): number => parts.filter((part) => part.type === type).length;
  expect(count('finish'), where).toBe(1);
  for (const kind of ['text', 'reasoning', 'tool-input'])
    expect(count(`${kind}-start`), where).toBe(count(`${kind}-end`));
}
