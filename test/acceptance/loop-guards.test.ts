import { generateText, streamText } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { ApiError, type ObserverEvent } from 'responses-loop';
import { brokenRules, finishOf, partsOf, roundsOf, streamParts, textOf } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder, toolOf } from './support/tools.js';
import { outputs } from './support/wire.js';

const never = new Promise<never>(() => {});

describe('onUnknownTool', () => {
  const steps = () => [reply(calls('r1', ['missing', { a: 1 }, 'c1'])), reply(says('r2', 'Fine.'))];

  it('names the model the tools there are', async () => {
    const { add } = adder();
    const { model, requests } = await rig(steps(), { tools: { add } });
    await generateText({ model, prompt: 'Go.' });
    expect(outputs(requests[1])).toEqual([['c1', 'There is no tool named "missing". The tools are: add.']]);
  });

  it("'client' hands the call to the caller although loop tools were offered", async () => {
    const { add } = adder();
    const { model } = await rig([reply(calls('r1', ['missing', {}, 'c1']))], {
      tools: { add },
      onUnknownTool: 'client',
    });
    const parts = await streamParts(model);
    expect(partsOf(parts, 'tool-call')).toMatchObject([{ toolName: 'missing' }]);
    expect(partsOf(parts, 'tool-call')[0]?.providerExecuted).toBeUndefined();
    expect(finishOf(parts).finishReason).toBe('tool-calls');
  });

  it("'error' answers the model although no tools were offered", async () => {
    const { model, requests } = await rig(steps(), { onUnknownTool: 'error' });
    await generateText({ model, prompt: 'Go.' });
    expect(outputs(requests[1])[0]?.[1]).toMatch(/no tool named "missing"/);
  });
});

describe('the guard against going round in circles', () => {
  const look = (n: number) => reply(calls(`r${n}`, ['look', n % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 }, `c${n}`]));

  it('closes the call after rounds in a row that only repeat earlier calls with the same results', async () => {
    const { model, requests } = await rig([look(1), look(2), look(3), reply(says('r4', 'Enough.'))], {
      tools: { look: toolOf(() => 'the same') },
      maxRepeatedRounds: 2,
    });
    const result = await generateText({ model, prompt: 'Go.' });
    expect(result.text).toBe('Enough.');
    expect(requests[3]?.body['tool_choice']).toBe('none');
    expect(JSON.stringify(result.warnings)).toContain('maxRepeatedRounds (2)');
  });

  it('sees circles of several calls in turn', async () => {
    const turn = (n: number) => reply(calls(`r${n}`, [n % 2 ? 'look' : 'wait', {}, `c${n}`]));
    const { model, requests } = await rig([turn(1), turn(2), turn(3), turn(4), reply(says('r5', 'Enough.'))], {
      tools: { look: toolOf(() => 'a'), wait: toolOf(() => 'b') },
      maxRepeatedRounds: 2,
    });
    await generateText({ model, prompt: 'Go.' });
    expect(requests[4]?.body['tool_choice']).toBe('none');
  });

  it('lets a model wait for something that changes, and repeat a call after something new happened', async () => {
    let looks = 0;
    const { model, requests } = await rig(
      [look(1), look(2), reply(calls('r3', ['step', {}, 'c3'])), look(4), reply(says('r5', 'There.'))],
      {
        tools: { look: toolOf(() => (looks++ < 2 ? 'not yet' : 'now')), step: toolOf(() => 'stepped') },
        maxRepeatedRounds: 2,
      },
    );
    expect((await generateText({ model, prompt: 'Go.' })).text).toBe('There.');
    expect(requests.every((request) => request.body['tool_choice'] !== 'none')).toBe(true);
  });
});

describe('timeouts.totalMs', () => {
  it('ends the call while a tool runs: its output says why, nothing is asked again, and the error is no abort', async () => {
    const { add } = adder();
    const { model, requests } = await rig([reply(calls('r1', ['add', { a: 1, b: 1 }, 'c1'], ['slow', {}, 'c2']))], {
      tools: { add, slow: toolOf(() => never) },
      timeouts: { totalMs: 150 },
    });
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(finishOf(parts).finishReason).toBe('error');
    const [error] = partsOf(parts, 'error').map((part) => part.error);
    expect(error).toMatchObject({ isRetryable: false, message: expect.stringContaining('timeouts.totalMs') });
    expect((error as ApiError).completedCalls).toMatchObject([
      { callId: 'c1', output: { content: [{ text: '2' }] } },
      { callId: 'c2', output: { isError: true, content: [{ text: expect.stringContaining('150 ms in total') }] } },
    ]);
    expect(roundsOf(parts)).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  it('ends the call while the model writes: what was opened is closed, and the error is a part', async () => {
    const started = [
      { type: 'response.created', response: { id: 'r1' } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm1' } },
      { type: 'response.output_text.delta', output_index: 0, item_id: 'm1', delta: 'Half' },
    ];
    const { model } = await rig([{ events: started, ending: 'stall' }], { timeouts: { totalMs: 150 } });
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(textOf(parts)).toBe('Half');
    expect(finishOf(parts).finishReason).toBe('error');
    expect(partsOf(parts, 'error')[0]?.error).toMatchObject({ code: 'timeout' });
  });

  it('rejects before anything was visible, and is not retried by the SDK', async () => {
    const { model, requests } = await rig([{ events: [], ending: 'stall' }], { timeouts: { totalMs: 2_000 } });
    await expect(generateText({ model, prompt: 'Go.' })).rejects.toMatchObject({ code: 'timeout' });
    expect(requests).toHaveLength(1);
  });

  it('leaves calls alone that are quick enough', async () => {
    const { model } = await rig([reply(says('r1', 'Hi.'))], { timeouts: { totalMs: 20_000 } });
    expect((await generateText({ model, prompt: 'Go.' })).text).toBe('Hi.');
  });
});

describe('retry.maxToolRetries', () => {
  const failing = (times: number) => {
    let failed = 0;
    return vi.fn(() => {
      failed += 1;
      if (failed <= times) throw new Error(`failure ${failed}`);
      return 'finally';
    });
  };
  const steps = () => [reply(calls('r1', ['try', {}, 'c1'])), reply(says('r2', 'Done.'))];

  it.each([
    ['read-only', { readOnly: true }],
    ['idempotent', { idempotent: true }],
  ])('tries a %s tool again, and says so', async (_kind, marks) => {
    const execute = failing(2);
    const events: ObserverEvent[] = [];
    const { model, requests } = await rig(steps(), {
      tools: { try: toolOf(execute, marks) },
      retry: { maxToolRetries: 2 },
      onEvent: (event) => events.push(event),
    });
    await generateText({ model, prompt: 'Go.' });
    expect(execute).toHaveBeenCalledTimes(3);
    expect(outputs(requests[1])).toEqual([['c1', 'finally']]);
    expect(events.filter(({ type }) => type === 'tool-retry')).toMatchObject([
      { attempt: 1, reason: 'failure 1' },
      { attempt: 2, reason: 'failure 2' },
    ]);
  });

  it('never tries any other tool again, nor any tool unasked', async () => {
    const writing = failing(1);
    const one = await rig(steps(), { tools: { try: toolOf(writing) }, retry: { maxToolRetries: 5 } });
    await generateText({ model: one.model, prompt: 'Go.' });
    expect(writing).toHaveBeenCalledTimes(1);
    const reading = failing(1);
    const two = await rig(steps(), { tools: { try: toolOf(reading, { readOnly: true }) } });
    await generateText({ model: two.model, prompt: 'Go.' });
    expect(reading).toHaveBeenCalledTimes(1);
    expect(outputs(two.requests[1])).toEqual([['c1', 'failure 1']]);
  });

  it('an error that the tool returns is its answer, not a failure', async () => {
    const execute = vi.fn(() => ({ isError: true, content: [{ type: 'text', text: 'no such file' }] }));
    const { model } = await rig(steps(), {
      tools: { try: toolOf(execute, { readOnly: true }) },
      retry: { maxToolRetries: 3 },
    });
    await generateText({ model, prompt: 'Go.' });
    expect(execute).toHaveBeenCalledTimes(1);
  });
});

describe('redactToolOutput', () => {
  const steps = () => [reply(calls('r1', ['card', {}, 'c1'])), reply(says('r2', 'Done.'))];
  const card = toolOf(() => ({ number: '4111111111111111' }));

  it('what it takes out is seen by nobody: not the model, not the parts, not the events', async () => {
    const events: ObserverEvent[] = [];
    const { model, requests } = await rig(steps(), {
      tools: { card },
      toolParts: 'all',
      redactToolOutput: ({ isError, content }) => ({
        isError,
        content: content.map((part) =>
          part.type === 'text' ? { ...part, text: part.text.replaceAll(/\d{16}/g, '[card]') } : part,
        ),
      }),
      onEvent: (event) => events.push(event),
    });
    const parts = await streamParts(model);
    expect(outputs(requests[1])).toEqual([['c1', '{"number":"[card]"}']]);
    expect(JSON.stringify([parts, events, requests.map(({ body }) => body)])).not.toContain('4111');
  });

  it('sees notes about changed arguments too, and lets nothing else through', async () => {
    const events: ObserverEvent[] = [];
    const hide = (text: string) => text.replaceAll(/\d{16}/g, '[card]');
    const number = '4242424242424242';
    const failing = toolOf(() => Promise.reject(new Error(`card ${number} bad`)), { readOnly: true });
    const { model, requests } = await rig(
      [reply(calls('r1', ['card', {}, 'c2'], ['failing', {}, 'c3'])), reply(says('r2', 'Done.'))],
      {
        tools: { card: toolOf(() => 'fine'), failing },
        retry: { maxToolRetries: 1 },
        approve: ({ tool }) => ({ approved: true, ...(tool === 'card' ? { arguments: { number } } : {}) }),
        redactToolOutput: (output) => ({
          isError: output.isError,
          content: output.content.map((part) => (part.type === 'text' ? { ...part, text: hide(part.text) } : part)),
        }),
        onEvent: (event) => events.push(event),
      },
    );
    await generateText({ model, prompt: 'Go.' });
    expect(JSON.stringify(outputs(requests[1]))).not.toContain(number);
    const said = events.filter(({ type }) => type === 'tool-end' || type === 'tool-retry');
    expect(said).toHaveLength(3);
    expect(JSON.stringify(said)).not.toContain(number);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('4111111111111111'))],
    ['returns something else', () => 'oops' as never],
  ])('an output whose redaction %s is kept back whole', async (_name, redactToolOutput) => {
    const { model, requests } = await rig(steps(), { tools: { card }, redactToolOutput });
    await generateText({ model, prompt: 'Go.' });
    expect(outputs(requests[1])).toEqual([['c1', 'The tool ran, but its output is kept back: redacting it failed.']]);
  });
});

describe('toolTotalTimeoutMs', () => {
  it('is the time of all attempts together', async () => {
    let attempts = 0;
    const { model, requests } = await rig([reply(calls('r1', ['slow', {}, 'c1'])), reply(says('r2', 'Done.'))], {
      tools: { slow: toolOf(() => ((attempts += 1), never), { readOnly: true }) },
      toolTimeoutMs: 60,
      toolTotalTimeoutMs: 150,
      retry: { maxToolRetries: 9 },
    });
    await generateText({ model, prompt: 'Go.' });
    expect(attempts).toBeLessThan(3);
    expect(outputs(requests[1])[0]?.[1]).toMatch(/longer than 150 ms in total/);
  });

  it('ends a tool that reports progress for ever', async () => {
    async function* busy() {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        yield 'still at it';
      }
    }
    const { model, requests } = await rig([reply(calls('r1', ['busy', {}, 'c1'])), reply(says('r2', 'Done.'))], {
      tools: { busy: toolOf(() => busy()) },
      toolTimeoutMs: 1_000,
      toolTotalTimeoutMs: 80,
    });
    const result = streamText({ model, prompt: 'Go.' });
    expect(await result.text).toBe('Done.');
    expect(outputs(requests[1])[0]?.[1]).toMatch(/longer than 80 ms in total/);
  });
});
