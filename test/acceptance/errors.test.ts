import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { ApiError, type ObserverEvent } from 'responses-loop';
import { createGate, errorEvent, errorReply, responseBody, responseEvents } from 'responses-loop/testing';
import { brokenRules, finishOf, partsOf, shape, streamParts, textOf, userPrompt } from './support/parts.js';
import { calls, reply, rig, says, splitBefore } from './support/rig.js';
import { adder, signalTower, toolOf } from './support/tools.js';
import { outputs } from './support/wire.js';

const overloaded = errorEvent({ code: 'server_is_overloaded', message: 'Too busy.' });
const [begun] = splitBefore(responseEvents(says('resp_1', 'Half a')), 'response.output_text.done');
const created = begun.slice(0, 2);

describe('an error before anything visible', () => {
  it.each([
    ['a status', errorReply({ status: 429, code: 'rate_limit_exceeded', message: 'Slow.' }), 429, true],
    ['an error event inside a 200', [...created, overloaded], 503, true],
    [
      'response.failed inside a 200',
      responseEvents({ status: 'failed', error: { code: 'invalid_prompt', message: 'Not this.' } }),
      400,
      false,
    ],
    [
      'an error body inside a 200',
      { json: { error: { code: 'insufficient_quota', message: 'No money.' } } },
      429,
      false,
    ],
  ] as const)(
    '%s rejects doStream as an APICallError that says whether to retry',
    async (_name, step, statusCode, isRetryable) => {
      const { model } = await rig([step]);
      const error: unknown = await model.doStream({ prompt: userPrompt() }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({
        name: 'AI_APICallError',
        statusCode,
        isRetryable,
        url: expect.stringContaining('/v1/responses') as string,
      });
      expect(JSON.stringify((error as ApiError).data)).toMatch(/"code":"\w+"/);
      expect(ApiError.isInstance(error)).toBe(true);
    },
  );

  it('the SDK retries such a call inside a 200 too, and the caller sees only the answer', async () => {
    const { model } = await rig([[...created, overloaded], reply(says('resp_2', 'Here.'))]);
    expect(await streamText({ model, prompt: 'Hello', maxRetries: 1 }).text).toBe('Here.');
  });

  it.each(['end', 'reset'] as const)(
    'a stream that breaks off (%s) before anything visible rejects, retryable',
    async (ending) => {
      const { model } = await rig([{ events: created, ending }]);
      await expect(model.doStream({ prompt: userPrompt() })).rejects.toMatchObject({
        isRetryable: true,
        code: ending === 'end' ? 'stream-truncated' : 'stream-reset',
      });
    },
  );

  it('nothing is printed by default', async () => {
    const printed: unknown[] = [];
    const original = { error: console.error, warn: console.warn, log: console.log };
    Object.assign(console, {
      error: (...args: unknown[]) => printed.push(args),
      warn: (...args: unknown[]) => printed.push(args),
      log: (...args: unknown[]) => printed.push(args),
    });
    try {
      const { model } = await rig([[...begun, overloaded]]);
      await streamParts(model);
    } finally {
      Object.assign(console, original);
    }
    expect(printed).toEqual([]);
  });
});

describe('an error after something was visible', () => {
  it.each([
    ['an error event', [...begun, overloaded], /Too busy/],
    [
      'response.failed',
      [
        ...begun,
        { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'Broke.' } } },
      ],
      /Broke/,
    ],
    ['the end of the stream', { events: begun, ending: 'end' as const }, /ended before the response was complete/],
    ['a reset', { events: begun, ending: 'reset' as const }, /broke off/],
  ] as const)(
    'e: S1-47 I1 I17 %s is an error part between closed parts and finish error',
    async (_name, step, message) => {
      const { model } = await rig([step]);
      const parts = await streamParts(model);
      expect(brokenRules(parts)).toEqual([]);
      expect(textOf(parts)).toBe('Half a');
      expect(shape(parts).slice(-4)).toEqual(['text-delta', 'text-end', 'error', 'finish']);
      expect(partsOf(parts, 'error')[0]?.error).toMatchObject({ message: expect.stringMatching(message) as string });
      expect(finishOf(parts).finishReason).toBe('error');
    },
  );

  it('streamText reports it once and settles every promise', async () => {
    const { model } = await rig([[...begun, overloaded]]);
    const errors: unknown[] = [];
    const result = streamText({ model, prompt: 'Hello', onError: ({ error }) => void errors.push(error) });
    expect(await result.text).toBe('Half a');
    expect(await result.finishReason).toBe('error');
    expect(errors).toMatchObject([{ message: expect.stringContaining('Too busy.') as string }]);
  });

  it('an incomplete response is no error: its text stands, and the reason is told', async () => {
    const { model } = await rig([reply({ output: [{ type: 'text', text: 'Half a' }], status: 'incomplete' })]);
    const result = streamText({ model, prompt: 'Hello' });
    expect(await result.text).toBe('Half a');
    expect(await result.finishReason).toBe('length');
  });
});

describe('errors once a tool has run', () => {
  it.each([400, 401, 500] as const)(
    'a: a follow-up answered with %i is an error part after the outputs, not a silent end',
    async (status) => {
      const { add, runs } = adder();
      const { model } = await rig(
        [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), errorReply({ status, message: 'Follow-up refused.' })],
        {
          tools: { add },
          retry: { maxRetries: 0 },
          toolParts: 'all',
        },
      );
      const parts = await streamParts(model);
      expect(brokenRules(parts)).toEqual([]);
      expect(shape(parts).slice(-3)).toEqual(['tool-result', 'error', 'finish']);
      expect(partsOf(parts, 'error')[0]?.error).toMatchObject({ statusCode: status, isRetryable: false, round: 1 });
      expect(runs).toHaveLength(1);
    },
  );

  it.each(['metadata', 'none'] as const)(
    'doGenerate rejects as not retryable, with what the tools returned (carrier %s)',
    async (carrier) => {
      const { add, runs } = adder();
      const { model } = await rig(
        [reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'])), errorReply({ status: 503 })],
        {
          tools: { add },
          retry: { maxRetries: 0 },
          carrier,
        },
      );
      const error: unknown = await generateText({ model, prompt: 'Add.', maxRetries: 2 }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({
        name: 'AI_APICallError',
        statusCode: 503,
        isRetryable: false,
        completedCalls: [
          {
            callId: 'call_1',
            name: 'add',
            arguments: '{"a":1,"b":1}',
            output: { isError: false, content: [{ type: 'text', text: '2' }] },
          },
        ],
      });
      expect(runs).toHaveLength(1);
    },
  );

  it('as long as no tool has run, doGenerate stays retryable although calls were made', async () => {
    const { add, runs } = adder();
    const failed = responseBody({ ...calls('resp_1', ['add', { a: 1, b: 1 }]), status: 'failed' });
    const { model } = await rig(
      [{ json: failed }, reply(calls('resp_2', ['add', { a: 1, b: 1 }])), reply(says('resp_3', 'Two.'))],
      { tools: { add } },
    );
    expect((await generateText({ model, prompt: 'Add.', maxRetries: 1 })).text).toBe('Two.');
    expect(runs).toHaveLength(1);
  });

  it('a retryable error in a follow-up is retried there, also inside a 200, without running the tool again', async () => {
    const { add, runs } = adder();
    const events: ObserverEvent[] = [];
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), [...created, overloaded], reply(says('resp_3', 'Two.'))],
      {
        tools: { add },
        onEvent: (event) => events.push(event),
      },
    );
    expect(textOf(await streamParts(model))).toBe('Two.');
    expect(runs).toHaveLength(1);
    expect(requests[2]?.text).toBe(requests[1]?.text);
    expect(events.filter((event) => event.type === 'retry')).toMatchObject([{ round: 1, attempt: 1 }]);
  });

  it('a stream that resets after a read-only tool has started is not asked again: the loop goes on from what was complete', async () => {
    const { reached, reach } = signalTower();
    let ran = 0;
    const look = toolOf(
      () => {
        ran += 1;
        reach();
        return 'seen';
      },
      { readOnly: true },
    );
    const [begin] = splitBefore(
      responseEvents(calls('resp_1', ['look', {}, 'call_1'], ['look', { far: true }, 'call_2'])),
      'response.completed',
    );
    const secondCall = begin.findIndex(
      (event) => event.type === 'response.output_item.added' && event['output_index'] === 1,
    );
    const { model, requests } = await rig(
      [{ events: [...begin.slice(0, secondCall + 2), reached], ending: 'reset' }, reply(says('resp_2', 'I saw it.'))],
      {
        tools: { look },
      },
    );
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe('I saw it.');
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(brokenRules(parts)).toEqual([]);
    expect(ran).toBe(1);
    expect(outputs(requests[1])).toEqual([['call_1', 'seen']]);
  });

  it.each(['end', 'reset'] as const)(
    'a stream that breaks off (%s) amid a call, before any tool has started, runs none',
    async (ending) => {
      const { add, runs } = adder();
      const [begin] = splitBefore(
        responseEvents(calls('resp_1', ['add', { a: 1, b: 1 }], ['add', { a: 2, b: 2 }])),
        'response.completed',
      );
      const { model } = await rig([{ events: begin.slice(0, -2), ending }], { tools: { add } });
      const parts = await streamParts(model);
      expect(runs).toEqual([]);
      expect(finishOf(parts).finishReason).toBe('error');
      expect(brokenRules(parts)).toEqual([]);
    },
  );

  it('a response that fails after a read-only tool has started ends in one output, an error and finish', async () => {
    const { reached, reach } = signalTower();
    const gate = createGate();
    const look = toolOf(
      () => {
        reach();
        return gate.released.then(() => 'seen');
      },
      { readOnly: true },
    );
    const [begin] = splitBefore(responseEvents(calls('resp_1', ['look', {}, 'call_1'])), 'response.completed');
    const { model } = await rig([[...begin, reached, overloaded]], { tools: { look }, toolParts: 'all' });
    const parts = await streamParts(model);
    gate.release();
    expect(brokenRules(parts)).toEqual([]);
    expect(shape(parts).slice(-3)).toEqual(['tool-result', 'error', 'finish']);
    expect(partsOf(parts, 'error')[0]?.error).toMatchObject({ isRetryable: false });
  });
});

describe('what happens is told', () => {
  it.each([
    ['refused', [errorReply({ status: 400 })]],
    ['unreadable', [{ html: '<p>Hello</p>' }]],
  ] as const)('a call that is %s at once has a beginning and an end for the observer', async (_name, steps) => {
    const events: ObserverEvent[] = [];
    const { model } = await rig(steps, { onEvent: (event) => events.push(event) });
    await expect(model.doStream({ prompt: userPrompt() })).rejects.toThrow();
    const types = events.map((event) => event.type);
    expect(types).toEqual(['call-start', 'round-start', 'key', 'request', 'response', 'round-end', 'call-end']);
    expect(events.at(-2)).toMatchObject({ finishReason: 'error', round: 0, calls: 0 });
    expect(events.at(-1)).toMatchObject({
      finishReason: 'error',
      error: { code: expect.any(String), message: expect.any(String) },
    });
  });
});
