import { describe, expect, it } from 'vitest';
import type { ObserverEvent, ResponsesProviderSettings } from 'responses-loop';
import { responseEvents, type ScriptedEvent, type ScriptedStep } from 'responses-loop/testing';
import {
  brokenRules,
  finishOf,
  partsOf,
  reasoningOf,
  roundsOf,
  streamParts,
  textOf,
} from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { itemsOfType, outline, outputs } from '../acceptance/support/wire.js';

const ANSWER = 'The lighthouse stands at the end of the pier, and its lamp is lit at dusk.';
const ON = { retry: { maxContinuations: 1 } } satisfies ResponsesProviderSettings;

/** The events of a response up to a piece of its text, at which the connection breaks. */
function cutAt(text: string, shown: string, id = 'resp_1'): ScriptedEvent[] {
  const rest = text.slice(shown.length);
  const events = responseEvents({ id, output: [{ type: 'text', text: [shown, rest] }] });
  const at = events.findLastIndex((event) => event.type === 'response.output_text.delta');
  return events.slice(0, at);
}

const SHOWN = ANSWER.slice(0, 40);
const broken: ScriptedStep = { events: cutAt(ANSWER, SHOWN), ending: 'reset' };
const rest = reply(says('resp_2', ANSWER.slice(40)));
const USAGE = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };

describe('a stream that breaks off behind shown text', () => {
  it.each<[string, ScriptedStep]>([
    ['the connection breaks', broken],
    ['the stream ends without a terminal event', { events: cutAt(ANSWER, SHOWN) }],
    [
      'the server reports an error that may pass',
      [...cutAt(ANSWER, SHOWN), { type: 'error', code: 'server_error', message: 'Try again.' }],
    ],
    [
      'the response fails',
      [
        ...cutAt(ANSWER, SHOWN),
        {
          type: 'response.failed',
          response: { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'Down.' }, usage: USAGE },
        },
      ],
    ],
  ])('goes on where it stopped: %s', async (_name, first) => {
    const events: ObserverEvent[] = [];
    const { model, requests } = await rig([first, rest], { ...ON, onEvent: (event) => events.push(event) });
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe(ANSWER);
    expect(brokenRules(parts)).toEqual([]);
    expect(partsOf(parts, 'error')).toEqual([]);
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(roundsOf(parts).map(({ finishReason }) => finishReason)).toEqual(['error', 'stop']);
    expect(finishOf(parts).providerMetadata?.['responses-loop']?.['warnings']).toEqual([
      expect.stringMatching(/^The model was asked to continue its text, because round 0 broke off: /),
    ]);
    expect(outline(requests[1]).slice(0, 2)).toEqual(['user Hello', `says ${SHOWN}`]);
    expect(outline(requests[1])[2]).toMatch(
      /^user Your last message broke off.*\n\nThe lighthouse stands at the end of the$/s,
    );
    expect(events.filter(({ type }) => type === 'continuation')).toMatchObject([
      { callNumber: 1, round: 0, shownChars: 40 },
    ]);
  });

  it('goes on after a silence that was too long', async () => {
    const silent: ScriptedStep = { events: cutAt(ANSWER, SHOWN), ending: 'stall' };
    const { model } = await rig([silent, rest], { ...ON, timeouts: { idleMs: 300 } });
    expect(textOf(await streamParts(model))).toBe(ANSWER);
  });

  it('ends with the error unless the setting allows it', async () => {
    const { model } = await rig([broken]);
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe(SHOWN);
    expect(finishOf(parts).finishReason).toBe('error');
  });

  it('is not asked for a third time: the error of the second request ends the call', async () => {
    const again: ScriptedStep = { events: cutAt(ANSWER, ANSWER.slice(0, 60), 'resp_2'), ending: 'reset' };
    const { model } = await rig([broken, again], { retry: { maxContinuations: 5 } });
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe(ANSWER.slice(0, 60));
    expect(partsOf(parts, 'error')).toHaveLength(1);
    expect(finishOf(parts).finishReason).toBe('error');
    expect(brokenRules(parts)).toEqual([]);
  });

  it.each([
    [1, 'error', 3],
    [2, 'stop', 4],
  ] as const)(
    'maxContinuations: %i counts them in a call, which ends with %j',
    async (maxContinuations, reason, asked) => {
      const { add } = adder();
      const secondBreak: ScriptedStep = { events: cutAt('It is three.', 'It is', 'resp_3'), ending: 'reset' };
      const steps = [
        broken,
        reply(calls('resp_2', ['add', { a: 1, b: 2 }, 'call_1'])),
        secondBreak,
        reply(says('resp_4', 'It is three.')),
      ];
      const { model, requests } = await rig(steps.slice(0, asked), { retry: { maxContinuations }, tools: { add } });
      expect(finishOf(await streamParts(model)).finishReason).toBe(reason);
      expect(requests).toHaveLength(asked);
    },
  );

  it('adds up the tokens of both requests, as far as the server told them', async () => {
    const failed = [
      ...cutAt(ANSWER, SHOWN),
      {
        type: 'response.failed',
        response: { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: '' }, usage: USAGE },
      },
    ];
    const { model } = await rig([failed, reply({ ...says('resp_2', ANSWER.slice(40)), usage: USAGE })], ON);
    expect(finishOf(await streamParts(model)).usage).toMatchObject({ inputTokens: 6, outputTokens: 8 });
  });

  it('keeps no reasoning that was not finished, and the sealed one that led to the text', async () => {
    const events = responseEvents({
      id: 'resp_1',
      output: [
        { type: 'reasoning', encrypted: 'sealed-one', summary: ['Lamps.'] },
        { type: 'text', text: SHOWN },
        { type: 'reasoning', encrypted: 'sealed-two', summary: ['More lamps.'] },
      ],
    });
    const at = events.findLastIndex((event) => event.type === 'response.reasoning_summary_text.delta');
    const { model, requests } = await rig([{ events: events.slice(0, at + 1), ending: 'reset' }, rest], {
      ...ON,
      backend: 'openai',
    });
    const parts = await streamParts(model);
    expect([reasoningOf(parts), textOf(parts)]).toEqual(['Lamps.More lamps.', ANSWER]);
    expect(outline(requests[1]).slice(0, 3)).toEqual(['user Hello', 'thinks sealed-one', `says ${SHOWN}`]);
    expect(itemsOfType(requests[1], 'reasoning')).toHaveLength(1);
  });
});

describe('calls of a round that breaks off', () => {
  const ROUND = responseEvents({
    id: 'resp_1',
    output: [
      { type: 'text', text: SHOWN },
      { type: 'call', name: 'write', arguments: { to: 'log' }, callId: 'call_1' },
    ],
  });
  const behind = (type: string) => ROUND.slice(0, ROUND.findLastIndex((event) => event.type === type) + 1);
  const brokenOff = (events: typeof ROUND, tools: ResponsesProviderSettings['tools']) =>
    rig([{ events, ending: 'reset' }, rest], { ...ON, tools, toolParts: 'all' });

  it('half of a call is dropped', async () => {
    const write = toolOf(() => 'written');
    const events = behind('response.function_call_arguments.delta');
    const { model, requests } = await brokenOff(events, { write });
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe(ANSWER);
    expect(partsOf(parts, 'tool-call')).toEqual([]);
    expect(itemsOfType(requests[1], 'function_call')).toEqual([]);
  });

  it('a whole call that has not started never runs, and the model reads so', async () => {
    let runs = 0;
    const write = toolOf(() => (runs += 1));
    const events = behind('response.output_item.done');
    const { model, requests } = await brokenOff(events, { write });
    const parts = await streamParts(model);
    expect([runs, textOf(parts)]).toEqual([0, ANSWER]);
    expect(brokenRules(parts)).toEqual([]);
    expect(outputs(requests[1])).toEqual([['call_1', 'Not run: the response failed.']]);
  });

  it('a read-only tool that has started is answered, and the model is not asked to go on with its text', async () => {
    const look = toolOf(() => 'seen', { readOnly: true });
    const events = responseEvents({
      id: 'resp_1',
      output: [
        { type: 'text', text: SHOWN },
        { type: 'call', name: 'look', arguments: {}, callId: 'call_1' },
      ],
    });
    const steps = [{ events: events.slice(0, -1), ending: 'reset' } as const, reply(says('resp_2', 'Seen.'))];
    const { model, requests } = await rig(steps, { ...ON, tools: { look } });
    await streamParts(model);
    expect(outline(requests[1])).toEqual(['user Hello', `says ${SHOWN}`, 'call look', 'output seen']);
  });

  it('nothing goes on behind a tool that has started, if the server calls the response failed', async () => {
    const look = toolOf(() => 'seen', { readOnly: true });
    const events = responseEvents({
      id: 'resp_1',
      output: [
        { type: 'text', text: SHOWN },
        { type: 'call', name: 'look', arguments: {}, callId: 'call_1' },
      ],
    });
    const failure = { type: 'error', code: 'server_error', message: 'Down.' };
    const { model } = await rig([[...events.slice(0, -1), new Promise((go) => setTimeout(go, 50)), failure]], {
      ...ON,
      tools: { look },
    });
    expect(finishOf(await streamParts(model)).finishReason).toBe('error');
  });

  it("nothing goes on behind a whole call of the client's, which may have begun to run it", async () => {
    const events = behind('response.output_item.done');
    const { model } = await rig([{ events, ending: 'reset' }], ON);
    const write = { type: 'function', name: 'write', inputSchema: { type: 'object' } } as const;
    expect(finishOf(await streamParts(model, { tools: [write] })).finishReason).toBe('error');
  });
});

describe('what is never continued', () => {
  it('a structured answer: two pieces may not be one JSON', async () => {
    const json = '{"city":"Paris","river":"Seine"}';
    const { model } = await rig([{ events: cutAt(json, json.slice(0, 12)), ending: 'reset' }], ON);
    const parts = await streamParts(model, { responseFormat: { type: 'json' } });
    expect([textOf(parts), finishOf(parts).finishReason]).toEqual([json.slice(0, 12), 'error']);
  });

  it.each([
    ['a conversation that the server keeps', { providerOptions: { openai: { conversation: 'conv_1' } } }],
    [
      'a tool of the server that may have acted',
      { tools: [{ type: 'provider-defined', id: 'openai.code_interpreter', name: 'python', args: {} }] as const },
    ],
  ])('%s', async (_name, options) => {
    const { model } = await rig([broken], ON);
    const parts = await streamParts(model, options as Parameters<typeof streamParts>[1]);
    expect(finishOf(parts).finishReason).toBe('error');
  });

  it('an error that does not pass', async () => {
    const refused = [...cutAt(ANSWER, SHOWN), { type: 'error', code: 'invalid_prompt', message: 'No.' }];
    const { model } = await rig([refused], ON);
    expect(finishOf(await streamParts(model)).finishReason).toBe('error');
  });

  it('a stream that showed only reasoning', async () => {
    const events = responseEvents({ id: 'resp_1', output: [{ type: 'reasoning', text: 'Hm.' }] }).slice(0, -2);
    const { model } = await rig([{ events, ending: 'reset' }], ON);
    expect(finishOf(await streamParts(model)).finishReason).toBe('error');
  });

  it('a call that the user has stopped, also while the model goes on', async () => {
    const controller = new AbortController();
    const { model, server } = await rig([broken, { none: 'stall' }], ON);
    const done = streamParts(model, { abortSignal: controller.signal });
    const request = await server.waitForRequest(1);
    controller.abort();
    const parts = await done;
    await request.closed;
    expect(textOf(parts)).toBe(SHOWN);
    expect(partsOf(parts, 'finish')).toEqual([]);
  });
});
