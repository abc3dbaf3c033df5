import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JournalStep } from 'responses-loop';
import { JournalStore } from './support/mortal-journal.js';
import { type Mode, play, type Played, type Story, type Version, World } from './support/play.js';
import { STORIES } from './support/stories.js';

/** A whole call as an earlier version of this package left it in a journal. Never written anew: running loops hold such records. */
interface OldCall {
  readonly version: Version;
  readonly mode: Mode;
  readonly steps: readonly JournalStep[];
  readonly records: Readonly<Record<string, unknown>>;
  readonly shown: unknown;
}

const alive = { signal: new AbortController().signal };

describe.each(STORIES)('records of an earlier version: $name', async (story) => {
  const old = await oldCall(story);
  const way = { version: old.version, mode: old.mode };

  it('are replayed: the same parts, no request, no tool', async () => {
    const store = storeOf(old, old.steps.length);
    const world = new World();
    const played = await play(story, way, world, { ...store.attempt(() => false), ...alive });
    expect(shown(played)).toEqual(old.shown);
    expect(world).toMatchObject({ requests: 0, effects: [] });
    expect(store.problems).toEqual([]);
  });

  it('are gone on with, wherever the process died', async () => {
    for (const [kept, last] of old.steps.entries()) {
      const store = storeOf(old, kept);
      const world = new World();
      const played = await play(story, way, world, { ...store.attempt(() => false), ...alive });
      const before = old.steps.slice(0, kept);
      const where = `died at ${last.key}`;
      expect(store.problems, where).toEqual([]);
      const ran = new Set(before.flatMap(({ key, kind }) => (kind === 'tool' ? key.split('/').slice(2) : [])));
      expect(
        world.effects.filter(({ callId }) => ran.has(callId)),
        where,
      ).toEqual([]);
      // A mark without an output: the tool may have acted.
      if (last.kind === 'tool' && before.at(-1)?.kind === 'mark' && before.at(-1)?.key === `${last.key}/start`)
        expect(JSON.stringify(played), where).toContain('the outcome of this call is unknown');
      else expect(shown(played), where).toEqual(old.shown);
    }
  });
});

function storeOf({ steps, records }: OldCall, kept: number): JournalStore {
  const store = new JournalStore();
  store.begun.push(...steps);
  for (const { key } of steps.slice(0, kept)) store.records.set(key, JSON.stringify(records[key]));
  return store;
}

/** What a reader sees. Metadata may gain members from version to version; ids, texts and results stay. */
function shown(played: readonly Played[]): unknown {
  return JSON.parse(JSON.stringify(played), (name, value: unknown) =>
    name === 'providerMetadata' ? undefined : value,
  ) as unknown;
}

async function oldCall(story: Story): Promise<OldCall> {
  const file = fileURLToPath(new URL(`records/${story.name.replaceAll(/[^a-z]+/gi, '-')}.json`, import.meta.url));
  // A new story: its records are those of the version that it came with.
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(await recorded(story))}\n`);
  return JSON.parse(readFileSync(file, 'utf8')) as OldCall;
}

async function recorded(story: Story): Promise<OldCall> {
  const version = story.only?.[0] ?? 'v2';
  const store = new JournalStore();
  const played = await play(
    story,
    { version, mode: 'stream' },
    new World(),
    store.attempt(() => false),
  );
  const records = Object.fromEntries([...store.records].map(([key, text]) => [key, JSON.parse(text) as unknown]));
  return { version, mode: 'stream', steps: store.begun, records, shown: shown(played) };
}
