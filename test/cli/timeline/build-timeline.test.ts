import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { ObserverEvent } from 'responses-loop';
import { createResponsesProvider } from 'responses-loop';
import { scriptedFetch } from 'responses-loop/testing';
import { packLanes } from '../../../src/cli/timeline/pack-lanes.js';
import { money, totalsOf } from '../../../src/cli/timeline/totals.js';
import { estimatedTokens } from '../../../src/util/estimated-tokens.js';
import { EventLines } from '../../../src/node/event-lines.js';
import { userPrompt } from '../../acceptance/support/parts.js';
import { fileOf, loopEvents } from './support/loop-events.js';
import { timelineOf } from './support/make-page.js';

const START = 1_760_000_000_000;
const place = { callNumber: 1, round: 0, callId: 'c1', tool: 'read', source: 'files' };

/** A call of 1,000 ms with these events in it. */
async function callWith(...events: readonly (readonly [ms: number, event: object])[]) {
  const all = [
    [0, { type: 'call-start', callNumber: 1, modelId: 'm' }],
    [0, { type: 'round-start', callNumber: 1, round: 0, tools: [] }],
    ...events,
    [1000, { type: 'call-end', callNumber: 1, finishReason: 'stop', rounds: 1, durationMs: 1000 }],
  ] as const;
  const { timeline, groups } = await timelineOf(
    fileOf(all.map(([ms, event]) => [START + ms, event as ObserverEvent] as const)),
  );
  const [call] = timeline.calls;
  if (call === undefined) throw new Error('There is no call.');
  return { call, groups, timeline };
}

describe('a timeline', () => {
  it('has calls, rounds and tools with their times, tokens and outputs', async () => {
    const { timeline, groups } = await timelineOf(fileOf(loopEvents({ rounds: 3, toolsPerRound: 2 })));
    const [call] = timeline.calls;
    expect(call).toMatchObject({ number: 1, model: 'gpt-5.1', finish: 'stop', lanes: 2 });
    expect(call?.rounds.map(({ input, cached, finish }) => [input, cached, finish])).toEqual([
      [400, 0, 'tool-calls'],
      [710, 400, 'tool-calls'],
      [1020, 710, 'stop'],
    ]);
    expect(call?.rounds[0]?.firstMs).toBe(210);
    expect(call?.tools.map(({ name, round, state }) => `${round} ${name} ${state}`)).toEqual([
      '0 read_file done',
      '0 search done',
      '1 search done',
      '1 list_directory done',
    ]);
    const [tool] = call?.tools ?? [];
    expect(groups[0]?.[(tool?.args ?? 0) - 1]).toBe('{"path":"src/room-0/file-0.ts","lines":[1,200]}');
    expect(groups[call?.group ?? 0]?.[(tool?.sent ?? 0) - 1]).toContain('"type":"function_call_output"');
  });

  it('counts what a retry sends against earlier rounds, not against the request that failed', async () => {
    const request = (round: number, ...input: string[]) =>
      ({
        type: 'request',
        callNumber: 1,
        round,
        url: 'u',
        body: { input: input.map((content) => ({ content })) },
      }) as const;
    const { call } = await callWith(
      [1, request(0, 'first')],
      [2, { type: 'round-start', callNumber: 1, round: 1, tools: [] }],
      [3, request(1, 'first', 'second')],
      [4, { type: 'retry', callNumber: 1, round: 1, attempt: 1, delayMs: 1, reason: 'busy' }],
      [5, request(1, 'first', 'second')],
      [6, request(1, 'first', 'second', 'a note to the other model')],
      [7, request(2, 'first', 'second', 'third')],
    );
    const sent = call.rounds.map(({ requests }) => requests.map(({ fresh, again }) => [fresh.items, again.items]));
    expect(sent).toEqual([
      [[1, 0]],
      [
        [1, 1],
        [1, 1],
        [2, 1],
      ],
      [[1, 2]],
    ]);
  });

  it('says of each request what is new in it, and what is sent again', async () => {
    const { timeline } = await timelineOf(fileOf(loopEvents({ rounds: 3, toolsPerRound: 2 })));
    const requests = timeline.calls[0]?.rounds.flatMap((round) => round.requests) ?? [];
    expect(requests.map(({ fresh, again }) => [fresh.items, again.items])).toEqual([
      [1, 0],
      [4, 1],
      [4, 5],
    ]);
    const [first, second, third] = requests;
    expect(second?.again.chars).toBe(first?.fresh.chars);
    expect(third?.again.chars).toBe((first?.fresh.chars ?? 0) + (second?.fresh.chars ?? 0));
  });

  it('says of a repeated request the same as of the first one in its round', async () => {
    const { timeline } = await timelineOf(fileOf(loopEvents({ rounds: 8, toolsPerRound: 1 })));
    const round = timeline.calls[0]?.rounds[7];
    expect(round?.requests.map(({ status, fresh, again }) => [status, fresh.items, again.items])).toEqual([
      [503, 2, 13],
      [200, 2, 13],
    ]);
    expect(timeline.calls[0]?.marks).toContainEqual(
      expect.objectContaining({
        kind: 'retry',
        round: 7,
        tone: 'warn',
        text: expect.stringContaining('503') as unknown,
      }),
    );
  });

  it('is the same for calls that run at the same time', async () => {
    const two = [
      ...loopEvents({ rounds: 4, toolsPerRound: 3 }),
      ...loopEvents({ rounds: 4, toolsPerRound: 3, callNumber: 2, startAt: START + 50 }),
    ].toSorted((a, b) => a[0] - b[0]);
    const { timeline } = await timelineOf(fileOf(two));
    const shapes = timeline.calls.map(({ ms, rounds, tools }) => [ms, rounds.length, tools.length]);
    expect(shapes).toHaveLength(2);
    expect(shapes[0]).toEqual(shapes[1]);
  });

  it('keeps the calls of several recorders in one file apart', async () => {
    const events = loopEvents({ rounds: 2, toolsPerRound: 1 });
    const { timeline } = await timelineOf(fileOf(events, 'a') + fileOf(events, 'b'));
    expect(timeline.calls.map(({ number, group, tools }) => [number, group, tools.length])).toEqual([
      [1, 1, 1],
      [1, 2, 1],
    ]);
  });

  it('says what broke the prompt cache, also between calls, and what that has cost', async () => {
    const file = (lines: EventLines, instructions: readonly [string, string]): string => {
      const talk = [
        { role: 'user', content: 'Look at the ducks of this pond, and tell me how many there are.'.repeat(3) },
      ];
      return instructions
        .flatMap((text, at) => {
          const callNumber = at + 1;
          const usage = { inputTokens: 24_300, cachedInputTokens: 0 };
          const body = { input: [{ role: 'system', content: text }, ...talk] };
          return [
            { type: 'call-start', callNumber, modelId: 'm' },
            { type: 'round-start', callNumber, round: 0, tools: [] },
            { type: 'request', callNumber, round: 0, url: 'u', headers: {}, body },
            { type: 'request', callNumber, round: 0, url: 'u', headers: {}, body: {}, method: 'GET' },
            { type: 'round-end', callNumber, round: 0, finishReason: 'stop', calls: 0, usage, durationMs: 1 },
            { type: 'call-end', callNumber, finishReason: 'stop', rounds: 1, durationMs: 1 },
          ];
        })
        .map((event, at) => lines.of(event as ObserverEvent, START + at))
        .join('');
    };
    const marksOf = async (...instructions: [string, string]) => {
      const { timeline } = await timelineOf(file(new EventLines('a'), instructions));
      return timeline.calls.map(({ marks }) => marks.map(({ kind, text, round }) => [kind, text, round]));
    };
    expect(await marksOf('It is noon.', 'It is one.')).toEqual([
      [],
      [['cache', 'input[0] (system) changed: 0 of 24,300 tokens were cached', 0]],
    ]);
    expect(await marksOf('Be kind.', 'Be kind.')).toEqual([
      [],
      [['cache', 'nothing changed: 0 of 24,300 tokens were cached', 0]],
    ]);
  });

  describe('of several conversations', () => {
    const usage = { inputTokens: 100, outputTokens: 5 };
    const asks = (content: string) => ({ role: 'user', content: `${content} `.repeat(100) });
    const says = (content: string) => ({ role: 'assistant', content });
    const conversationsOf = async (...bodies: object[]) => {
      const lines = new EventLines('a');
      const events = bodies.flatMap((body, at) => [
        { type: 'call-start', callNumber: at + 1, modelId: 'm' },
        { type: 'round-start', callNumber: at + 1, round: 0, tools: [] },
        { type: 'request', callNumber: at + 1, round: 0, url: 'u', headers: {}, body },
        { type: 'round-end', callNumber: at + 1, round: 0, finishReason: 'stop', usage, responseId: `resp_${at + 1}` },
        { type: 'call-end', callNumber: at + 1, finishReason: 'stop', rounds: 1, durationMs: 1 },
      ]);
      const text = events.map((event, at) => lines.of(event as unknown as ObserverEvent, START + at)).join('');
      const { timeline } = await timelineOf(text);
      return timeline.calls.map(({ conversation }) => conversation);
    };
    const first = { input: [asks('Ducks?')] };
    const second = { input: [asks('Ducks?'), says('Three.'), asks('Sure?')] };

    it.each<[string, object[]]>([
      ['by the messages that a request repeats', [first, { input: [asks('Geese?')] }, second]],
      [
        'by the response that a request goes on from',
        [first, { input: [asks('Geese?')] }, { input: [asks('Sure?')], previous_response_id: 'resp_1' }],
      ],
      [
        'by the conversation that the server keeps',
        [
          { ...first, conversation: { id: 'conv_1' } },
          { input: [asks('Geese?')], conversation: 'conv_2' },
          { input: [asks('Sure?')], conversation: 'conv_1' },
        ],
      ],
    ])('adds up each, %s', async (_, bodies) => {
      const [one, other, again] = await conversationsOf(...bodies);
      expect(one).toMatchObject({ calls: [1, 3], totals: { input: 200, output: 10 } });
      expect(again).toEqual(one);
      expect(other).toBeUndefined();
    });

    it('takes the same first words for two conversations', async () => {
      expect(await conversationsOf(first, first)).toEqual([undefined, undefined]);
    });
  });

  it('has what rounds cost by the price of the app, and the sum if all are known', async () => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    const end = (round: number, cost: object) => ({ type: 'round-end', callNumber: 1, round, usage, ...cost });
    const known = await callWith([1, end(0, { cost: 0.25 })], [2, end(1, { cost: 0.5 })]);
    expect(totalsOf(known.call)).toMatchObject({ cost: 0.75, input: 20, output: 10 });
    const unknown = await callWith([1, end(0, { cost: 0.25 })], [2, end(1, {})]);
    expect(totalsOf(unknown.call).cost).toBeUndefined();
    expect([money(0.000_012_347), money(12_345.678), estimatedTokens(9)]).toEqual(['0.00001235', '12,345.68', 3]);
  });

  it('is made of what a provider tells', async () => {
    const lines = new EventLines('run');
    let file = lines.head(1);
    const fetch = scriptedFetch([{ output: [{ type: 'call', name: 'add', arguments: { a: 2 } }] }, 'Five.']);
    const tools = { add: { inputSchema: { type: 'object' as const }, execute: () => 'x'.repeat(3000) } };
    const onEvent = (event: ObserverEvent): void => void (file += lines.of(event, Date.now()));
    const provider = createResponsesProvider({ apiKey: 'sk-secret-key-x7Qz', fetch, tools, onEvent });
    await provider('m').doGenerate({ prompt: userPrompt('What is 2 + 3?') });
    await provider.close();
    const { timeline, groups } = await timelineOf(file);
    const [call] = timeline.calls;
    expect(call).toMatchObject({ model: 'm', finish: 'stop', rounds: [{ round: 0 }, { round: 1 }] });
    expect(call?.marks.map(({ text }) => text)).toContain('…x7Qz chosen');
    expect(call?.tools).toMatchObject([{ name: 'add', state: 'done', preview: '{"a":2}', chars: 3000 }]);
    expect(call?.bill).toEqual([{ tool: 'add', runs: 1, chars: 3000, tokens: 750 }]);
    // The event has the first 2,000 characters, the next request all.
    expect(groups[call?.group ?? 0]?.[(call?.tools[0]?.sent ?? 0) - 1]).toContain('x'.repeat(3000));
    expect(file).not.toContain('sk-secret-key');
  });
});

describe('a tool of a timeline', () => {
  it('shows who denied it, and when it ran after an approval', async () => {
    const denied = await callWith([
      300,
      { ...place, type: 'tool-approval', approved: false, reason: 'No.', durationMs: 200 },
    ]);
    expect(denied.call.tools).toMatchObject([{ state: 'denied', approval: 'denied: No.', waitMs: 200, from: 300 }]);
    const approved = await callWith(
      [300, { ...place, type: 'tool-approval', approved: true, isEdited: true, durationMs: 200 }],
      [301, { ...place, type: 'tool-start', arguments: {} }],
      [400, { ...place, type: 'tool-end', isError: false, output: 'ok', durationMs: 99 }],
    );
    expect(approved.call.tools).toMatchObject([
      { state: 'done', approval: 'approved, arguments changed', waitMs: 200, from: 301, ms: 99 },
    ]);
  });

  it('that was denied has the arguments that the next request holds', async () => {
    const item = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"/etc/passwd"}' };
    const { call, groups } = await callWith(
      [300, { ...place, type: 'tool-approval', approved: false, durationMs: 200 }],
      [310, { type: 'request', callNumber: 1, round: 1, url: '', headers: {}, body: { input: [item] } }],
    );
    expect(call.tools).toMatchObject([{ state: 'denied', preview: '{"path":"/etc/passwd"}' }]);
    expect(groups[0]?.[(call.tools[0]?.args ?? 0) - 1]).toBe('{"path":"/etc/passwd"}');
  });

  it('waits for the user, is retried, reports progress, comes out of a journal', async () => {
    const { call } = await callWith(
      [10, { ...place, type: 'tool-approval-request', arguments: { a: 1 } }],
      [20, { ...place, callId: 'c2', type: 'tool-start', arguments: {}, replayed: true }],
      [30, { ...place, callId: 'c2', type: 'tool-progress', progress: 1, total: 3, message: 'one' }],
      [40, { ...place, callId: 'c2', type: 'tool-retry', attempt: 1, delayMs: 5, reason: 'lost' }],
      [50, { ...place, callId: 'c2', type: 'tool-end', isError: true, output: 'no', durationMs: 30 }],
    );
    expect(call.tools).toMatchObject([
      { state: 'asked' },
      { state: 'error', replayed: true, notes: ['progress 1/3: one', 'retry 1 in 5 ms: lost'] },
    ]);
  });

  it('that runs again under the id of an earlier one is another line', async () => {
    const run = (from: number) =>
      [
        [from, { ...place, type: 'tool-start', arguments: { from } }],
        [from + 10, { ...place, type: 'tool-end', isError: false, output: String(from), durationMs: 10 }],
        [from + 11, { ...place, type: 'tool-progress', progress: 1 }],
      ] as const;
    const { call } = await callWith(...run(100), ...run(200));
    expect(call.tools.map(({ from, ms }) => [from, ms])).toEqual([
      [100, 10],
      [200, 10],
    ]);
  });
});

describe('what is missing in a file', () => {
  it('is shown as far as it goes: a process that died in the middle', async () => {
    const events = loopEvents({ rounds: 3, toolsPerRound: 2 });
    const file = fileOf(
      events.slice(
        0,
        events.findIndex(([, { type }]) => type === 'tool-end'),
      ),
    );
    const { timeline } = await timelineOf(file);
    expect(timeline.calls).toMatchObject([{ finish: '', tools: [{ state: 'open' }, { state: 'open' }] }]);
    expect(timeline.calls[0]?.ms).toBeGreaterThan(0);
  });

  it('does no harm, whatever lines are lost or mangled', async () => {
    const lines = fileOf(loopEvents({ rounds: 3, toolsPerRound: 2 }))
      .trimEnd()
      .split('\n');
    const mangled = fc.constantFrom(
      '{"run":"run","part":99999999,"value":1}',
      '{',
      '{"run":"run","at":1,"event":{"type":"round-end"}}',
    );
    await fc.assert(
      fc.asyncProperty(fc.subarray(lines, { minLength: 1 }), fc.array(mangled), async (some, more) => {
        const { timeline, groups } = await timelineOf([lines[0], ...some, ...more].join('\n'));
        expect(JSON.parse(JSON.stringify({ timeline, groups }))).toBeTruthy();
      }),
      { numRuns: 100 },
    );
  });

  it('costs no memory: numbers of parts that leap', async () => {
    const { groups, timeline } = await timelineOf(
      `${new EventLines('r').head(1)}{"run":"r","part":900000000,"value":1}\n{"run":"r","at":2,"event":{"type":"request","callNumber":1,"round":0},"lists":{"body.input":[1,900000000]}}\n`,
    );
    expect(groups[1]).toEqual([]);
    expect(timeline.odd).toBe(1);
  });
});

describe('lanes', () => {
  it('hold no two bars at the same time, and are no more than run at once', () => {
    const bar = fc.record({ from: fc.nat(100), ms: fc.nat(50) }).map((each) => ({ ...each, lane: -1 }));
    fc.assert(
      fc.property(fc.array(bar, { maxLength: 40 }), (bars) => {
        const lanes = packLanes(bars);
        const end = ({ from, ms }: { from: number; ms: number }): number => from + Math.max(1, ms);
        for (const [at, a] of bars.entries())
          for (const b of bars.slice(at + 1))
            if (a.lane === b.lane) expect(end(a) <= b.from || end(b) <= a.from).toBe(true);
        const most = Math.max(0, ...bars.map(({ from }) => bars.filter((b) => b.from <= from && from < end(b)).length));
        expect(lanes).toBe(most);
      }),
    );
  });
});
