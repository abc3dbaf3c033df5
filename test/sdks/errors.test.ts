import { APICallError, generateText, jsonSchema, RetryError, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { errorEvent, errorReply, responseEvents } from 'responses-loop/testing';
import { calls, reply, rig, says, splitBefore } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';
import { fullPartsOf, sdk, showsAll, spec, uiChunksOf } from './support/sdk.js';

const overloaded = errorEvent({ code: 'server_is_overloaded', message: 'Too busy.' });
const [begun] = splitBefore(responseEvents(says('resp_1', 'Half a')), 'response.output_text.done');
const [, , ...midText] = begun;
const created = begun.slice(0, 2);

const failing = errorReply({ status: 500, message: 'Broken.', headers: { 'retry-after-ms': '1' } });
const quick = { retry: { initialDelayMs: 1 } };

async function thrownBy(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('errors before anything visible', () => {
  it.each(['stream', 'generate'] as const)(
    'a 401 is an APICallError to this SDK, and is not retried (%s)',
    async (road) => {
      const { model, requests } = await rig([errorReply({ status: 401, message: 'No such key.' })]);
      const errors: unknown[] = [];
      if (road === 'generate') errors.push(await thrownBy(generateText({ model, prompt: 'Hello' })));
      else
        await streamText({ model, prompt: 'Hello', onError: ({ error }) => void errors.push(error) }).consumeStream();
      expect(errors).toHaveLength(1);
      expect(APICallError.isInstance(errors[0])).toBe(true);
      expect(errors[0]).toMatchObject({
        statusCode: 401,
        isRetryable: false,
        message: expect.stringContaining('No such key.') as string,
      });
      expect(requests).toHaveLength(1);
    },
  );

  it.each([
    ['a 500', failing],
    ['an error event inside a 200', [...created, overloaded]],
    ['a stream that breaks off', { events: created, ending: 'reset' as const }],
  ])('%s is retried by the SDK, and only the answer is seen', async (_name, step) => {
    const { model, requests } = await rig([step, reply(says('resp_2', 'Here.'))]);
    const errors: unknown[] = [];
    const result = streamText({
      model,
      prompt: 'Hello',
      maxRetries: 1,
      onError: ({ error }) => void errors.push(error),
    });
    expect(await result.text).toBe('Here.');
    expect([errors, requests.length]).toEqual([[], 2]);
  });

  it('what fails in every attempt is a RetryError with each APICallError in it', async () => {
    const { model } = await rig([failing, failing]);
    const error = await thrownBy(generateText({ model, prompt: 'Hello', maxRetries: 1 }));
    expect(RetryError.isInstance(error)).toBe(true);
    const { errors, lastError } = error as RetryError;
    expect(errors.map((one) => APICallError.isInstance(one))).toEqual([true, true]);
    expect(lastError).toMatchObject({ statusCode: 500, isRetryable: true });
  });
});

describe('an error after text', () => {
  it.each([
    ['an error event', [...created, ...midText, overloaded], 'Too busy.'],
    ['a reset', { events: begun, ending: 'reset' as const }, 'broke off'],
  ])(
    '%s is an error part before finish, onError is told once, and every promise settles',
    async (_name, step, said) => {
      const { model, requests } = await rig([step]);
      const errors: unknown[] = [];
      const result = streamText({ model, prompt: 'Hello', onError: ({ error }) => void errors.push(error) });
      const parts = await fullPartsOf(result);
      expect(errors).toMatchObject([{ message: expect.stringContaining(said) as string }]);
      expect(parts.filter(({ type }) => type === 'error')).toHaveLength(1);
      const reason = spec === 'v4' && said === 'broke off' ? 'interrupted' : 'error';
      expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: reason });
      expect(await Promise.all([result.text, result.finishReason])).toEqual(['Half a', reason]);
      expect(await result.steps).toHaveLength(1);
      expect(requests).toHaveLength(1);
    },
  );

  it('a stream that was cut is named so by AI SDK 7 with its own models, and no step follows', async () => {
    const step = { events: begun, ending: 'end' as const };
    const { model, requests } = await rig([step]);
    const errors: unknown[] = [];
    const result = streamText<ToolSet>({
      model,
      prompt: 'Hello',
      tools: { look: { inputSchema: jsonSchema({ type: 'object' }), execute: () => 'a duck' } },
      stopWhen: () => false,
      onError: ({ error }) => void errors.push(error),
    });
    const chunks = await uiChunksOf(result);
    const reason = spec === 'v4' ? 'interrupted' : 'error';
    expect(await Promise.all([result.text, result.finishReason])).toEqual(['Half a', reason]);
    expect(errors).toMatchObject([
      { message: expect.stringContaining('ended before the response was complete') as string },
    ]);
    // A user interface is told of it under every version.
    expect(chunks.filter(({ type }) => type === 'error')).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  it('generateText rejects with it', async () => {
    const { model } = await rig([{ status: 200, json: { error: { code: 'server_error', message: 'Broken.' } } }]);
    const error = await thrownBy(generateText({ model, prompt: 'Hello', maxRetries: 0 }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining('Broken.') as string });
  });
});

describe('after a loop tool has run', () => {
  it.each(['stream', 'generate'] as const)(
    'a follow-up that keeps failing never makes the SDK run the tool again (%s)',
    async (road) => {
      const { add, runs } = adder();
      const { model, requests } = await rig(
        [reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'])), failing, failing, failing],
        { tools: { add }, ...quick },
      );
      const errors: unknown[] = [];
      const options = { model, prompt: 'Add.', maxRetries: 3 };
      if (road === 'generate') errors.push(await thrownBy(generateText(options)));
      else {
        const result = streamText({ ...options, onError: ({ error }) => void errors.push(error) });
        await result.consumeStream();
        expect(await result.finishReason).toBe('error');
      }
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({ message: expect.stringContaining('Broken.') as string });
      expect([runs.length, requests.length]).toEqual([1, 4]);
    },
  );

  // Told to, `ai` 7 begins the step anew after any error part and does not look whether the error may be retried.
  it.runIf(sdk === 7).fails('nor does it with streamRetries of ai 7', async () => {
    const { add, runs } = adder();
    const { model } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'])),
        failing,
        reply(calls('resp_2', ['add', { a: 1, b: 1 }, 'call_2'])),
        reply(says('resp_3', 'Two.')),
      ],
      { tools: { add }, retry: { maxRetries: 0 } },
    );
    const options = { model, prompt: 'Add.', streamRetries: 1, onError: () => {} };
    await streamText(options).consumeStream();
    expect(runs).toHaveLength(1);
  });

  it('a follow-up that fails once is asked again by the loop, without another step or run', async () => {
    const { add, runs } = adder();
    const { model } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), failing, reply(says('resp_2', 'Two.'))],
      { tools: { add }, ...quick },
    );
    const result = streamText({ model, prompt: 'Add.' });
    expect(await result.text).toBe('Two.');
    expect([runs.length, (await result.steps).length]).toEqual([1, 1]);
  });
});

describe('a loop tool that fails', () => {
  it('is a tool-error part with V3 and V4, never an error of the stream, and the model is told', async () => {
    const broken = toolOf(() => Promise.reject(new Error('disk full')));
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['broken', {}, 'call_1'])), reply(says('resp_2', 'Sorry.'))],
      { tools: { broken } },
    );
    const errors: unknown[] = [];
    const result = streamText({ model, prompt: 'Go.', onError: ({ error }) => void errors.push(error) });
    const parts = await fullPartsOf(result);
    expect(parts.filter(({ type }) => type === 'tool-error')).toMatchObject(
      showsAll ? [{ toolName: 'broken', toolCallId: 'call_1', error: 'disk full' }] : [],
    );
    expect([errors, await result.text]).toEqual([[], 'Sorry.']);
    expect(outputs(requests[1])).toEqual([['call_1', expect.stringContaining('disk full') as string]]);
  });
});
