import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import { describe, expect, it } from 'vitest';

import {
  createReplayServer,
  createScriptedServer,
  recordFetch,
  replayFetch,
  responseBody,
  responseEvents,
  scriptedFetch,
} from '../../src/testing.js';
import { post } from './support/conversation.js';

const URL = 'https://anywhere.test/v1/responses';
const slip = (step: unknown): never => step as never;
const output = (...items: readonly unknown[]): unknown => ({ output: items });
const circle: Record<string, unknown> = {};
circle['self'] = circle;

const KINDS = 'output, events, bytes, json, html, none';

/** Steps that a person may write by mistake, and what is said of them behind their place. */
const SLIPS: readonly (readonly [step: unknown, said: string])[] = [
  [undefined, ' is undefined, but must be a text, a list of events, or an object with one of '],
  [5, ' is 5, but must be a text, a list of events, '],
  [{ outputs: [] }, ` has "outputs", but must have one of ${KINDS}.`],
  [{}, ` has nothing, but must have one of ${KINDS}.`],
  [{ json: {}, html: '' }, ` has json and html, but must have one of ${KINDS}.`],
  [{ output: 'Hello.' }, '.output is "Hello.", but must be a list.'],
  [{ output: [], headers: {} }, ' has "headers", which is none of output, id, model, '],
  [{ output: [], status: 200 }, '.status is 200, but must be one of completed, incomplete, failed, none.'],
  [
    output('Hello.'),
    '.output[0] is "Hello.", but must be an object with a type: text, refusal, reasoning, call, item.',
  ],
  [
    output({ type: 'text', text: '' }, { type: 'tool-call' }),
    '.output[1].type is "tool-call", but must be one of text, refusal, reasoning, call, item.',
  ],
  [output({ type: 'text' }), '.output[0].text is undefined, but must be a text or a list of texts.'],
  [output({ type: 'call', arguments: {} }), '.output[0].name is undefined, but must be a text.'],
  [
    output({ type: 'call', name: 'add', args: {} }),
    '.output[0] has "args", which is none of type, name, arguments, callId, id.',
  ],
  [output({ type: 'call', name: 'add' }), '.output[0].arguments is undefined, but must be an object, a text or a list'],
  [output({ type: 'item' }), '.output[0].item is undefined, but must be an object with a type.'],
  [output({ type: 'reasoning', summary: 'Why.' }), '.output[0].summary is "Why.", but must be a list.'],
  [['Hello.'], '[0] is "Hello.", but must be an event: an object with a type, or a promise.'],
  [
    [{ type: 'text', text: 'Hello.' }],
    '[0] has the type "text", which is not an event: put the output of a response into { output: [ … ] }.',
  ],
  [{ events: [{ data: 1 }] }, '.events[0] is {"data":1}, but must be an event: an object with a type, or a promise.'],
  [{ bytes: [5] }, '.bytes[0] is 5, but must be a text, bytes, or a promise.'],
  [{ bytes: '', ending: 'stop' }, '.ending is "stop", but must be one of end, reset, stall.'],
  [{ bytes: '', rechunk: 5 }, '.rechunk is 5, but must be a function.'],
  [{ bytes: '', delayMs: '5' }, '.delayMs is "5", but must be a number or a list of numbers.'],
  [{ json: {}, status: 99 }, '.status is 99, but must be a whole number from 200 to 599.'],
  [{ json: {}, headers: { 'x-a': '…' } }, '.headers is {"x-a":"…"}, but must be headers that can be sent.'],
  [{ json: undefined }, '.json is undefined, but must be JSON.'],
  [{ json: circle }, '.json is an object, but must be JSON.'],
  [{ html: 5 }, '.html is 5, but must be a text.'],
  [{ none: 'break' }, '.none is "break", but must be one of reset, stall.'],
  [{ none: 'reset', status: 500 }, ' has "status", which is none of none, after.'],
];

describe('a script with a slip', () => {
  it.each(SLIPS)('is refused when it is made: %j', async (step, said) => {
    const steps = ['Hello.', slip(step)];
    expect(() => scriptedFetch(steps)).toThrow(TypeError);
    expect(() => scriptedFetch(steps)).toThrow(`steps[1]${said}`);
    await expect(createScriptedServer({ steps })).rejects.toThrow(`steps[1]${said}`);
    const isLeftOut = step === undefined;
    if (!isLeftOut) expect(() => scriptedFetch([], { otherwise: slip(step) })).toThrow(`otherwise${said}`);
  });

  it.each(SLIPS)('is a problem where a function gives it: %j', async (step, said) => {
    const fetch = scriptedFetch([() => slip(step)]);
    const response = await fetch(URL, post());
    expect(response.status).toBe(417);
    expect(await response.text()).toContain(JSON.stringify(`steps[0]()${said}`).slice(1, -1));
    expect(fetch.problems).toEqual([expect.stringContaining(`steps[0]()${said}`)]);
  });

  it.each(['hello', undefined, { steps: ['hello'] }, 'hello'.length])('is a list, which %j is not', (steps) => {
    expect(() => scriptedFetch(slip(steps))).toThrow(/^scriptedFetch takes a list of steps, such as \['Hello\.'\]\.$/);
  });

  it.each([[['hello']], ['hello'], [{ steps: 'hello' }]])(
    'is given to a server as its steps, not as %j',
    async (options) => {
      await expect(createScriptedServer(slip(options))).rejects.toThrow(
        "createScriptedServer takes a list of steps, such as { steps: ['Hello.'] }.",
      );
    },
  );

  it('is refused where a response is described by itself', () => {
    const described = { output: [slip({ type: 'tool-call' })] };
    for (const write of [responseEvents, responseBody]) {
      expect(() => write(described)).toThrow(`${write.name}: description.output[0].type is "tool-call"`);
    }
  });

  it('is none where members are there and undefined, as in code that passes options on', async () => {
    const none = { status: undefined, headers: undefined, after: undefined };
    const fetch = scriptedFetch(
      [
        { output: [{ type: 'text', text: 'a', id: undefined, phase: undefined }], id: undefined, status: undefined },
        { json: { text: 'b' }, ...none },
        { bytes: 'c', rechunk: undefined, delayMs: undefined, ending: undefined, ...none },
      ],
      { otherwise: undefined, fetch: undefined },
    );
    const said = [];
    for (let at = 0; at < 3; at += 1) said.push(await (await fetch(URL, post())).text());
    expect(said).toEqual([expect.stringContaining('"id":"resp_1"'), '{"text":"b"}', 'c']);
  });
});

describe('a step that cannot be played', () => {
  it('is a readable answer, not a broken connection, as long as nothing was sent', async () => {
    const event = { type: 'ping', size: 5n as never };
    const fetch = scriptedFetch([[event]]);
    await using server = await createScriptedServer({ steps: [[event]] });
    for (const answer of [fetch(URL, post()), globalThis.fetch(`${server.baseURL}/responses`, post())]) {
      const response = await answer;
      expect([response.status, await response.text()]).toEqual([
        417,
        expect.stringContaining('steps[0] could not be played: TypeError: Do not know how to serialize a BigInt'),
      ]);
    }
    expect(() => fetch.assertDone()).toThrow('steps[0] could not be played');
  });

  it('breaks the connection where something was', async () => {
    const rechunk = (): never => {
      throw new Error('no idea');
    };
    const fetch = scriptedFetch([{ bytes: 'abc', rechunk }]);
    await expect((await fetch(URL, post())).text()).rejects.toThrow('terminated');
    expect(fetch.problems).toEqual(['steps[0] could not be played: Error: no idea']);
  });
});

describe('a script that does not fit', () => {
  it.each([
    ['ran dry', [], 'Request 1 came, but the script has no steps.'],
    [
      'has a step that throws',
      [
        () => {
          throw new Error('no idea');
        },
      ],
      'steps[0] threw: Error: no idea',
    ],
    ['has a step with a slip', [() => slip({ outputs: [] })], 'steps[0]() has "outputs"'],
  ])('is told at once when it %s: nobody sends the request again', async (_, steps, said) => {
    const fetch = scriptedFetch(steps);
    const model = createResponsesProvider({ apiKey: 'test', fetch })('any');
    await expect(generateText({ model, prompt: 'Hello' })).rejects.toThrow(said);
    expect(fetch.requests).toHaveLength(1);
  });
});

/** A misspelled option: what the message names. */
describe('an option that a function does not know', () => {
  const typo = (options: object): never => options as never;
  it.each([
    [
      'createScriptedServer',
      () => createScriptedServer(typo({ step: ['Hello.'] })),
      '"step", which is none of steps, otherwise.',
    ],
    [
      'scriptedFetch',
      () => scriptedFetch([], typo({ other: 'Hello.' })),
      '"other", which is none of otherwise, fetch.',
    ],
    [
      'replay',
      () => replayFetch('fixtures/one-tool', typo({ matching: 'strict' })),
      '"matching", which is none of rechunk, timing, match, ignore.',
    ],
    ['replay', () => createReplayServer('fixtures/one-tool', typo({ ignores: [] })), '"ignores", which is none of '],
    [
      'recordFetch',
      () => recordFetch('fixtures/none', typo({ secret: ['sk-1'] })),
      '"secret", which is none of title, source, notes, overwrite, secrets, sealed, fetch.',
    ],
  ])('is refused by %s with its name and the known ones', async (caller, call, said) => {
    await expect(async () => call()).rejects.toThrow(`${caller}: options has ${said}`);
  });

  it.each([
    ['scriptedFetch: options.fetch is 5, but must be a function.', () => scriptedFetch([], typo({ fetch: 5 }))],
    [
      'replay: options.fetch is "none", but must be a function.',
      () => replayFetch('fixtures/one-tool', typo({ fetch: 'none' })),
    ],
    [
      'replay: options.match is "exact", but must be one of strict, lenient.',
      () => replayFetch('fixtures/one-tool', typo({ match: 'exact' })),
    ],
    [
      'recordFetch: options.secrets is "sk-1", but must be a list.',
      () => recordFetch('fixtures/none', typo({ secrets: 'sk-1' })),
    ],
    ['recordFetch: options is null, but must be an object.', () => recordFetch('fixtures/none', null as never)],
  ])('%s', (said, call) => {
    expect(call).toThrow(said);
  });
});
