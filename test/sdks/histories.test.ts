import { jsonSchema, stepCountIs, tool } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObserverEvent } from 'responses-loop';
import type { ResponseDescription, ScriptedRequest } from 'responses-loop/testing';
import { calls } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { itemsOfType, outline, outputs } from '../acceptance/support/wire.js';
import { sdk, showsAll } from './support/sdk.js';
import { ENDING, ROADS, twoTurns } from './support/turns.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const tools = {
  add: adder().add,
  broken: toolOf(() => Promise.reject(new Error('disk full'))),
  find: toolOf(() => ({ ducks: 3, where: ['pond'] })),
  photo: toolOf(() => ({
    content: [
      { type: 'text', text: 'A duck:' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
    ],
  })),
};

const add = (a: number, callId: string) => ({ type: 'call', name: 'add', arguments: { a, b: 1 }, callId }) as const;
const ask = (callId: string) => ({ type: 'call', name: 'ask', arguments: { question: '?' }, callId }) as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;
const thought = (summary: readonly string[], encrypted: string) => ({ type: 'reasoning', summary, encrypted }) as const;

const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' } as const;

/** Turns of loop tools only, before an answer. */
const LOOP_TURNS: Readonly<Record<string, readonly ResponseDescription[]>> = {
  'a call without a word': [calls('resp_1', ['add', { a: 1, b: 1 }])],
  'text before a call': [{ id: 'resp_1', output: [text('Let me add.'), add(1, 'call_1')] }],
  'several calls in several rounds': [
    { id: 'resp_1', output: [text('First two.'), add(1, 'call_1'), add(2, 'call_2')] },
    { id: 'resp_2', output: [text('One more.'), add(3, 'call_3')] },
  ],
  'a call that fails': [calls('resp_1', ['broken', {}])],
  'arguments in the model’s own spelling': [calls('resp_1', ['add', '{ "a" : 1,\n "b": 2 }'])],
  'values and pictures': [calls('resp_1', ['find', {}], ['photo', {}])],
  'sealed reasoning before calls': [
    { id: 'resp_1', output: [thought(['I have to add.', 'Twice.'], 'sealed 1'), add(1, 'call_1'), add(2, 'call_2')] },
    { id: 'resp_2', output: [thought(['Once more.'], 'sealed 2'), text('Hm.'), add(3, 'call_3')] },
    { id: 'resp_3', output: [thought([], 'sealed 3'), add(4, 'call_4')] },
  ],
  'text behind a call': [{ id: 'resp_1', output: [add(1, 'call_1'), text('Meanwhile.')] }],
  'text between calls': [{ id: 'resp_1', output: [add(1, 'call_1'), text('Meanwhile.'), add(2, 'call_2')] }],
  'reasoning between calls': [
    {
      id: 'resp_1',
      output: [thought(['One.'], 'sealed 1'), add(1, 'call_1'), thought(['Two.'], 'sealed 2'), add(2, 'call_2')],
    },
  ],
  'labelled commentary': [
    { id: 'resp_1', output: [{ ...text('Let me add.'), phase: 'commentary' }, add(1, 'call_1')] },
  ],
  'a compaction before a call': [
    { id: 'resp_1', output: [{ type: 'item', item: compaction }, text('Let me add.'), add(1, 'call_1')] },
  ],
  'a compaction and nothing but a call': [
    { id: 'resp_1', output: [{ type: 'item', item: compaction }, add(1, 'call_1')] },
  ],
  'ids repeated in every response': [
    { id: 'resp_0', output: [text('One.'), add(1, 'call_0')] },
    { id: 'resp_0', output: [text('Two.'), add(2, 'call_0')] },
  ],
};

function expectReplay(next: ScriptedRequest | undefined, live: ScriptedRequest | undefined): void {
  const sent = live?.input ?? [];
  expect(next?.input.slice(0, sent.length)).toEqual(sent);
  expect(outline(next).slice(sent.length)).toEqual(ENDING);
}

/** What is signed comes back as it is, whatever an SDK or a store does to the parts on the way. */
const KEPT = [
  ['', {}],
  [', signed', { historySecret: 'a secret of sixteen' }],
] as const;
const PLACES = Object.entries(ROADS).flatMap(([name, road]) =>
  KEPT.map(([how, settings]) => [`${name}${how}`, road, settings] as const),
);

describe.each(PLACES)('the next turn after %s', (_road, road, trust) => {
  const warnings: string[] = [];
  const settings = {
    ...trust,
    tools,
    onEvent: (event: ObserverEvent) => void (event.type === 'warning' && warnings.push(event.message)),
  };
  beforeEach(() => void warnings.splice(0));
  afterEach(() => expect(warnings).toEqual([]));

  it.each(Object.entries(LOOP_TURNS))(
    '%s: as the specification shows it, the next request begins with exactly what the loop had sent',
    async (_name, rounds) => {
      const { live, next } = await twoTurns(rounds, road, settings);
      expectReplay(next, live);
    },
  );

  it.each(Object.entries(LOOP_TURNS))(
    '%s: so it does when provider.tools() shows every call',
    async (_name, rounds) => {
      const { live, next } = await twoTurns(rounds, road, settings, async ({ provider }) => ({
        tools: await provider.tools(),
      }));
      expectReplay(next, live);
    },
  );

  it.runIf(sdk > 5 && !showsAll).each(Object.entries(LOOP_TURNS))(
    '%s: so it does when toolParts all shows calls of tools nobody declared',
    async (_name, rounds) => {
      const { live, next } = await twoTurns(rounds, road, { ...settings, toolParts: 'all' });
      expectReplay(next, live);
    },
  );

  it.runIf(showsAll).each(Object.entries(LOOP_TURNS))('%s: so it does when nothing is shown', async (_name, rounds) => {
    const { live, next } = await twoTurns(rounds, road, { ...settings, toolParts: 'none' });
    expectReplay(next, live);
  });

  it('several steps with calls of ours and the caller’s: every item once, outputs behind their calls', async () => {
    const client = {
      ask: tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'yes' }),
    };
    const { live, next } = await twoTurns(
      [
        { id: 'resp_1', output: [thought(['Hm.'], 'sealed 1'), text('First I add.'), add(1, 'call_1')] },
        { id: 'resp_2', output: [thought([], 'sealed 2'), text('And ask.'), add(2, 'call_2'), ask('call_3')] },
        { id: 'resp_3', output: [add(3, 'call_4')] },
        { id: 'resp_4', output: [thought(['Ask.'], 'sealed 4'), ask('call_5')] },
      ],
      road,
      settings,
      () => ({ tools: client, stopWhen: stepCountIs(9) }),
    );
    expect(itemsOfType(next, 'function_call')).toEqual(itemsOfType(live, 'function_call'));
    expect(outputs(next)).toEqual(outputs(live));
    expect(itemsOfType(next, 'reasoning')).toEqual(itemsOfType(live, 'reasoning'));
    expectReplay(next, live);
  });

  const between: readonly ResponseDescription[] = [
    {
      id: 'resp_1',
      output: [text('Let me add.'), add(1, 'call_1'), { type: 'item', item: compaction }, add(2, 'call_2')],
    },
  ];

  it('an item nobody is shown keeps its place between calls that are', async () => {
    const { live, next } = await twoTurns(between, road, settings, async ({ provider }) => ({
      tools: await provider.tools(),
    }));
    expectReplay(next, live);
  });

  it('so it does between calls that nobody is shown either', async () => {
    const { live, next } = await twoTurns(between, road, { ...settings, toolParts: 'none' });
    expectReplay(next, live);
  });

  it('an answer without tools goes back as it was', async () => {
    const { next } = await twoTurns([], road, settings);
    expect(outline(next)).toEqual(['user What is it?', ...ENDING]);
  });
});
