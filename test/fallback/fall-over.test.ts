import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { Journal } from '../../src/journal/journal.js';
import { responseEvents, type ScriptedStep } from '../../src/testing.js';
import { Circuit } from '../../src/fallback/circuit.js';
import { reply, says, splitBefore } from '../acceptance/support/rig.js';
import { choicesIn, fallbackRig, type FallbackRigSettings } from '../sdks/support/fallback.js';

const prompt = 'Hello?';
const down: ScriptedStep = { status: 500, json: { error: { message: 'down', code: 'server_error' } } };
const answer = reply(says('resp_1', 'Hi.'));
const always = { useStock: false, fallOver: true } as const;

describe('falling over to the stock provider', () => {
  const FAILURES: readonly (readonly [name: string, step: ScriptedStep])[] = [
    ['an error status', down],
    ['an error inside a 200', [{ type: 'error', error: { code: 'server_error', message: 'down' } }]],
    ['a refusal of the request', { status: 400, json: { error: { message: 'no', code: 'invalid_request' } } }],
    ['something that is no response', { html: '<html>hello</html>' }],
    ['a stream that ends at once', []],
  ];

  it.each(FAILURES)('answers where the primary fails by %s', async (_name, failure) => {
    const { model, events } = await fallbackRig([failure, answer], always);
    const { text, warnings, providerMetadata } = await generateText({ model, prompt, maxRetries: 0 });
    expect(text).toBe('Hi.');
    expect(JSON.stringify(warnings)).toContain('The primary provider failed; using the stock provider');
    expect(choicesIn(events)).toEqual(['primary: flag', 'stock: failure']);
    expect(providerMetadata?.['responses-loop']?.['fallback']).toEqual({ uses: 'stock', because: 'failure' });
    const told = events.find((event) => event.type === 'fallback' && event.uses === 'stock');
    expect(told).toMatchObject({ error: expect.stringMatching(/./) as unknown });
  });

  it.each([true, false])('errors have the server’s `data`, whoever asks (stock: %s)', async (useStock) => {
    const { model } = await fallbackRig([down], { useStock });
    const error = await generateText({ model, prompt, maxRetries: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ data: { error: { code: 'server_error', message: 'down' } } });
  });

  it.each([true, false])('facts of the response come out, whoever asks (stock: %s)', async (useStock) => {
    const fields = { reasoning: { effort: 'low', summary: null, context: 'current_turn' } };
    const { model } = await fallbackRig([reply({ ...says('resp_1', 'Hi.'), fields })], { useStock });
    const { providerMetadata, response } = await generateText({ model, prompt, maxRetries: 0 });
    expect(providerMetadata?.['openai']).toMatchObject({ serviceTier: 'default', reasoningContext: 'current_turn' });
    expect(response.body).toMatchObject({ id: 'resp_1', object: 'response' });
  });

  it('answers where the primary cannot be reached', async () => {
    const { model } = await fallbackRig([answer], {
      ...always,
      settings: { fetch: () => Promise.reject(new TypeError('fetch failed')) },
    });
    expect((await generateText({ model, prompt, maxRetries: 0 })).text).toBe('Hi.');
  });

  const STAYS: readonly (readonly [name: string, settings: FallbackRigSettings])[] = [
    ['it is not asked for', { useStock: false }],
    ['it is switched off', { useStock: false, fallOver: false }],
    ['its rule says no', { useStock: false, fallOver: { when: (error) => !error.message.includes('down') } }],
  ];

  it.each(STAYS)('does not happen where %s', async (_name, settings) => {
    const { model, events } = await fallbackRig([down], settings);
    await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toThrow(/down/);
    expect(choicesIn(events)).toEqual(['primary: flag']);
  });

  it('does not happen after the first part: what was shown stays, and the error is a part', async () => {
    const [begun] = splitBefore(
      responseEvents({ output: [{ type: 'text', text: 'Half of it.' }] }),
      'response.output_text.done',
    );
    const { model, events } = await fallbackRig([begun], always);
    const errors: unknown[] = [];
    const result = streamText({ model, prompt, maxRetries: 0, onError: ({ error }) => void errors.push(error) });
    await result.consumeStream();
    expect(errors).toHaveLength(1);
    expect(choicesIn(events)).toEqual(['primary: flag']);
  });

  it('does not happen after an abort', async () => {
    const controller = new AbortController();
    const { model, events } = await fallbackRig([], {
      ...always,
      settings: {
        fetch: () => {
          controller.abort();
          return Promise.reject(new DOMException('aborted', 'AbortError'));
        },
      },
    });
    await expect(generateText({ model, prompt, abortSignal: controller.signal })).rejects.toThrow(/abort/i);
    expect(choicesIn(events)).toEqual(['primary: flag']);
  });

  it('does not happen for a prompt that cannot be sent', async () => {
    const { model, events } = await fallbackRig([], always);
    const asked = model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: '' }] }] });
    await expect(asked).rejects.toMatchObject({ code: 'invalid-prompt' });
    expect(choicesIn(events)).toEqual(['primary: flag']);
  });

  it.each([{ store: true }, { conversation: 'conv_1' }, { previousResponseId: 'resp_0' }])(
    'does not happen where the server may keep what it began: %j',
    async (openai) => {
      const { model, events } = await fallbackRig([down], always);
      await expect(generateText({ model, prompt, maxRetries: 0, providerOptions: { openai } })).rejects.toThrow(/down/);
      expect(choicesIn(events)).toEqual(['primary: flag']);
    },
  );

  it('tells both failures where the stock provider fails too', async () => {
    const { model } = await fallbackRig([down, { status: 400, json: { error: { message: 'no such model' } } }], always);
    await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 500,
      message: expect.stringMatching(/down.*stock provider failed as well: no such model/) as unknown,
    });
  });

  it('asks the stock provider at once after several failures, then tries the primary again', async () => {
    const { model, events } = await fallbackRig([down, answer, down, answer, answer, answer, answer], {
      useStock: false,
      fallOver: { failures: 2, restMs: 50 },
    });
    for (let n = 0; n < 3; n += 1) await generateText({ model, prompt, maxRetries: 0 });
    expect(choicesIn(events).slice(-1)).toEqual(['stock: circuit']);
    await new Promise((resolve) => setTimeout(resolve, 60));
    for (let n = 0; n < 2; n += 1) await generateText({ model, prompt, maxRetries: 0 });
    expect(choicesIn(events).slice(-2)).toEqual(['primary: flag', 'primary: flag']);
  });

  it('lets another call try the primary where a journal rejected the one that did', async () => {
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const waiting: ScriptedStep = () => {
      isAsked();
      return new Promise(() => {});
    };
    const broken: Journal = {
      step: async (_step, run) => {
        run().catch(() => {});
        await asked;
        throw new Error('no disk');
      },
    };
    let journal: Journal | undefined;
    const { model, events } = await fallbackRig([down, answer, waiting, answer], {
      useStock: false,
      fallOver: { failures: 1, restMs: 0 },
      settings: { journal: () => journal },
    });
    await generateText({ model, prompt, maxRetries: 0 });
    journal = broken;
    await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toThrow('no disk');
    journal = undefined;
    await generateText({ model, prompt, maxRetries: 0 });
    expect(choicesIn(events).at(-1)).toBe('primary: flag');
  });

  it('counts each model for itself', async () => {
    const { provider, events } = await fallbackRig([down, answer, answer, answer], {
      useStock: false,
      fallOver: { failures: 1, restMs: 60_000 },
    });
    await generateText({ model: provider('a'), prompt, maxRetries: 0 });
    await generateText({ model: provider('a'), prompt, maxRetries: 0 });
    await generateText({ model: provider('b'), prompt, maxRetries: 0 });
    expect(choicesIn(events).slice(-2)).toEqual(['stock: circuit', 'primary: flag']);
  });
});

describe('a circuit', () => {
  function circuit(failures = 2) {
    const clock = { now: 0 };
    return { clock, circuit: new Circuit({ failures, restMs: 100, now: () => clock.now }) };
  }

  it('opens after failures in a row, not in sum', () => {
    const { circuit: breaker } = circuit();
    breaker.enter()?.failed();
    breaker.enter()?.succeeded();
    breaker.enter()?.failed();
    breaker.enter()?.failed();
    expect(breaker.enter()).toBeUndefined();
  });

  it('lets one call try when it has rested, and the others when that went well', () => {
    const { circuit: breaker, clock } = circuit(1);
    breaker.enter()?.failed();
    clock.now = 100;
    const attempt = breaker.enter();
    expect([attempt !== undefined, breaker.enter()]).toEqual([true, undefined]);
    attempt?.succeeded();
    expect([breaker.enter(), breaker.enter()]).not.toContain(undefined);
  });

  it('rests again when the try fails', () => {
    const { circuit: breaker, clock } = circuit(3);
    for (let n = 0; n < 3; n += 1) breaker.enter()?.failed();
    clock.now = 100;
    breaker.enter()?.failed();
    clock.now = 199;
    expect(breaker.enter()).toBeUndefined();
    clock.now = 200;
    expect(breaker.enter()).toBeDefined();
  });

  it('lets another call try when the one that tried says nothing', () => {
    const { circuit: breaker, clock } = circuit(1);
    breaker.enter()?.failed();
    clock.now = 100;
    breaker.enter()?.left();
    expect(breaker.enter()).toBeDefined();
  });

  it.each(['failed', 'left'] as const)('one call tries, however many come back late (%s)', (how) => {
    const { circuit: breaker, clock } = circuit(1);
    const late = [breaker.enter(), breaker.enter(), breaker.enter()];
    late.pop()?.failed();
    clock.now = 100;
    const attempt = breaker.enter();
    for (const call of late) call?.[how]();
    expect(breaker.enter()).toBeUndefined();
    attempt?.left();
    expect(breaker.enter()).toBeDefined();
  });

  it('rests no longer because many fail at once', () => {
    const { circuit: breaker, clock } = circuit(1);
    const calls = Array.from({ length: 200 }, () => breaker.enter());
    for (const call of calls) {
      call?.failed();
      clock.now += 1;
    }
    expect(breaker.enter()).toBeDefined();
  });

  it('takes one word of a call, whatever it says behind that', () => {
    const { circuit: breaker } = circuit(2);
    const call = breaker.enter();
    for (let n = 0; n < 3; n += 1) call?.failed();
    call?.left();
    expect(breaker.enter()).toBeDefined();
  });
});
