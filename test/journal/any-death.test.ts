import { describe, expect, it } from 'vitest';
import { JournalStore, type Moment } from './support/mortal-journal.js';
import { type Mode, play, type Played, type Story, type Version, World } from './support/play.js';
import { STORIES } from './support/stories.js';

const WAYS: readonly (readonly [Version, Mode])[] = [
  ['v2', 'stream'],
  ['v2', 'generate'],
  ['v3', 'stream'],
  ['v3', 'generate'],
  ['v4', 'stream'],
  ['v4', 'generate'],
];

describe.each(STORIES)('$name', (story) => {
  const ways = WAYS.filter(([version]) => story.only?.includes(version) ?? true);

  it.each(story.isOwn === true ? [] : ways)('is the same with a journal (%s, %s)', async (version, mode) => {
    const alive = { journal: undefined, signal: new AbortController().signal };
    const plain = await play(story, { version, mode }, new World(), alive);
    const { played } = await undisturbed(story, { version, mode });
    expect(played.map(inOrder)).toEqual(plain.map(inOrder));
  });

  it.each(ways)('survives death at any moment (%s, %s)', async (version, mode) => {
    const way = { version, mode };
    const whole = await undisturbed(story, way);
    for (const [index, moment] of whole.moments.entries()) {
      const where = `died at ${moment.key} (${moment.when})`;
      const store = new JournalStore();
      const world = new World();
      expect(await live(story, way, world, store, (_moment, at) => at === index), where).toBeUndefined();
      const kept = new Set(store.records.keys());
      const played = await live(story, way, world, store, () => false);
      expect(store.problems, where).toEqual([]);
      const unknown = interrupted(kept);
      expect(
        played?.map((one) => without(unknown, one)),
        where,
      ).toEqual(whole.played.map((one) => without(unknown, one)));
      expectRuns(story, world, whole, { kept, unknown, where });
      for (const result of resultsOf(played ?? [], unknown))
        expect(JSON.stringify(result), where).toContain('the outcome of this call is unknown');
      const repeated = moment.kind === 'round' && moment.when === 'ran' ? (whole.requests.get(moment.key) ?? 0) : 0;
      expect(world.requests, where).toBe(whole.world.requests + repeated);
    }
  });

  it.each(ways)('survives death after every single step (%s, %s)', async (version, mode) => {
    const way = { version, mode };
    const whole = await undisturbed(story, way);
    const store = new JournalStore();
    const world = new World();
    const unknown = new Set<string>();
    let played: Played[] | undefined;
    for (let deaths = 0; played === undefined; deaths += 1) {
      expect(deaths).toBeLessThan(50);
      played = await live(story, way, world, store, ({ when, kind }) => when === 'kept' && kind !== 'mark');
      for (const callId of interrupted(new Set(store.records.keys()))) unknown.add(callId);
    }
    expect(store.problems).toEqual([]);
    expect(played.map((one) => without(unknown, one))).toEqual(whole.played.map((one) => without(unknown, one)));
    expectRuns(story, world, whole, { kept: new Set(), unknown, where: 'in the end' });
    expect(world.requests).toBe(whole.world.requests);
  });
});

interface Way {
  readonly version: Version;
  readonly mode: Mode;
}

interface Whole {
  readonly played: readonly Played[];
  readonly moments: readonly Moment[];
  readonly world: World;
  /** Requests that each round took. */
  readonly requests: ReadonlyMap<string, number>;
}

async function undisturbed(story: Story, way: Way): Promise<Whole> {
  const store = new JournalStore();
  const world = new World();
  const requests = new Map<string, number>();
  const attempt = store.attempt(({ key, when }) => {
    if (when === 'begun') requests.set(key, -world.requests);
    if (when === 'ran') requests.set(key, (requests.get(key) ?? 0) + world.requests);
    return false;
  });
  const played = await play(story, way, world, attempt);
  return { played, moments: attempt.moments, world, requests };
}

/** `undefined`: it died. */
async function live(
  story: Story,
  way: Way,
  world: World,
  store: JournalStore,
  dies: (moment: Moment, index: number) => boolean,
): Promise<Played[] | undefined> {
  const attempt = store.attempt(dies);
  const playing = play(story, way, world, attempt);
  const died = new Promise<undefined>((resolve) => {
    attempt.signal.addEventListener('abort', () => resolve(undefined));
  });
  const played = await Promise.race([playing, died]);
  playing.catch(() => {});
  return attempt.signal.aborted ? undefined : played;
}

/** Writing calls of which nobody knows whether they acted: the mark was kept, and the output was not. */
function interrupted(kept: ReadonlySet<string>): Set<string> {
  const cut = [...kept].filter((key) => key.endsWith('/start') && !kept.has(key.replace(/\/start$/, '')));
  return new Set(cut.map((key) => key.replace(/\/start$/, '').replace(/^\d+\/tool\//, '')));
}

interface Death {
  /** What the journal held. */
  readonly kept: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
  readonly where: string;
}

/** Whatever acts by writing acts once at most; the others act again only where nothing had been kept of them. */
function expectRuns(story: Story, { effects }: World, { world }: Whole, { kept, unknown, where }: Death): void {
  expect(
    [...new Set(effects.map(({ callId }) => callId))].filter((id) => !calledIn(world).has(id)),
    where,
  ).toEqual([]);
  for (const callId of calledIn(world)) {
    const runs = effects.filter((effect) => effect.callId === callId);
    const kind = story.tools?.[world.effects.find((effect) => effect.callId === callId)?.tool ?? ''];
    const mayRepeat = kind !== 'write' && kind !== 'failing' && !kept.has(`0/tool/${callId}`);
    expect(runs.length, `${callId}, ${where}`).toBeGreaterThanOrEqual(unknown.has(callId) ? 0 : 1);
    if (!mayRepeat) expect(runs.length, `${callId}, ${where}`).toBeLessThanOrEqual(1);
  }
}

function calledIn({ effects }: World): Set<string> {
  return new Set(effects.map(({ callId }) => callId));
}

type Part = Played['parts'][number];

function resultsOf(played: readonly Played[], unknown: ReadonlySet<string>): Part[] {
  return played.flatMap(({ parts }) => parts.filter((part) => isResultOf(unknown, part)));
}

function isResultOf(unknown: ReadonlySet<string>, part: Part): boolean {
  return part.type === 'tool-result' && unknown.has(String(part['toolCallId']));
}

/** Results of tools that run at once come as they are there. */
function inOrder(one: Played): Played {
  const results = one.parts.filter(({ type }) => type === 'tool-result');
  const sorted = results.toSorted((a, b) => String(a['toolCallId']).localeCompare(String(b['toolCallId']))).values();
  return {
    ...one,
    parts: one.parts.map((part) => (part.type === 'tool-result' ? (sorted.next().value ?? part) : part)),
  };
}

/** All but the outputs of these calls, and what metadata says of them: whether they failed, and what was not shown. */
function without(unknown: ReadonlySet<string>, one: Played): unknown {
  const ordered = inOrder(one);
  if (unknown.size === 0) return ordered;
  const parts = ordered.parts.filter((part) => !isResultOf(unknown, part));
  return JSON.parse(JSON.stringify({ ...ordered, parts }), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && 'callId' in value && unknown.has(String(value.callId))
      ? 'cut'
      : value,
  ) as unknown;
}
