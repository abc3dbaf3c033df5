import { describe, expect, it } from 'vitest';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import {
  brokenRules,
  finishOf,
  type Part,
  partsOf,
  readAll,
  streamParts,
  userPrompt,
} from '../acceptance/support/parts.js';
import { calls, reply, rig, rigOf, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { encodeEvents, type ResponseDescription, responseEvents } from '../../src/testing.js';
import { failureOf } from '../provider/support/talk.js';

const many = (count: number, name = 'add') =>
  calls('resp_1', ...Array.from({ length: count }, (_, n) => [name, { a: n, b: n }, `call_${n}`] as const));
const client = { type: 'function', name: 'ask', inputSchema: { type: 'object', properties: {} } } as const;
const LIMIT = {
  code: 'limit',
  message: 'A round may make 128 calls, and this one made more (limit: limits.callsPerRound).',
};

function errorOf(parts: readonly Part[]): unknown {
  return partsOf(parts, 'error')[0]?.error;
}

describe('a round with more calls than callsPerRound', () => {
  it('runs none of them and ends the call', async () => {
    const { add, runs } = adder();
    const { model } = await rig([reply(many(129))], { tools: { add } });
    const parts = await streamParts(model);
    expect(runs).toEqual([]);
    expect(errorOf(parts)).toMatchObject(LIMIT);
    expect(finishOf(parts).finishReason).toBe('error');
    expect(brokenRules(parts)).toEqual([]);
  });

  it('rejects a generated answer, not to be asked for again', async () => {
    const { add, runs } = adder({ readOnly: true });
    const { model } = await rig([reply(many(129))], { tools: { add } });
    const error = await failureOf(model.doGenerate({ prompt: userPrompt() }));
    expect(error).toMatchObject(LIMIT);
    expect(error.isRetryable ?? false).toBe(false);
    expect(runs).toEqual([]);
  });

  it('counts a wrapper that has no calls inside', async () => {
    const { add, runs } = adder();
    const { model } = await rig([reply(many(129, 'parallel'))], { tools: { add } });
    expect(errorOf(await streamParts(model))).toMatchObject(LIMIT);
    expect(runs).toEqual([]);
  });

  it('hands none of them to the client', async () => {
    const { model } = await rig([reply(many(129, 'ask'))]);
    const parts = await streamParts(model, { tools: [client] });
    expect(partsOf(parts, 'tool-call')).toEqual([]);
    expect(errorOf(parts)).toMatchObject(LIMIT);
  });

  it('is no such round with just as many', async () => {
    const { add, runs } = adder({ readOnly: true });
    const { model } = await rig([reply(many(128)), reply(says('resp_2', 'Ok.'))], { tools: { add } });
    expect(finishOf(await streamParts(model)).finishReason).toBe('stop');
    expect(runs).toHaveLength(128);
  });

  it.each([
    ['the settings', { limits: { callsPerRound: 3 } }],
    ['those of the model', { models: { 'gpt-*': { limits: { callsPerRound: 3 } } } }],
  ])('counts by %s', async (_name, settings) => {
    const { add, runs } = adder();
    const { model } = await rig([reply(many(4))], { tools: { add }, ...settings });
    expect(errorOf(await streamParts(model))).toMatchObject({ message: expect.stringContaining('may make 3 calls') });
    expect(runs).toEqual([]);
  });

  it('counts what a wrapper stands for', async () => {
    const { add, runs } = adder();
    const uses = Array.from({ length: 4 }, () => ({ recipient_name: 'functions.add', parameters: { a: 1, b: 1 } }));
    const wrapped = calls('resp_1', ['multi_tool_use.parallel', { tool_uses: uses }]);
    const { model } = await rig([reply(wrapped)], { tools: { add }, limits: { callsPerRound: 3 } });
    expect(errorOf(await streamParts(model))).toMatchObject({ code: 'limit' });
    expect(runs).toEqual([]);
  });

  it('ends tools that had started early, once more calls are announced', async () => {
    const ended: string[] = [];
    const look = toolOf(
      (_args, { abortSignal }) =>
        new Promise((resolve) => {
          abortSignal?.addEventListener('abort', () => {
            ended.push('aborted');
            resolve('too late');
          });
        }),
      { readOnly: true },
    );
    // The stream goes on for ever: it is not read to an end that does not come.
    const bytes = responseEvents(many(4, 'look'))
      .slice(0, -1)
      .map((event) => encodeEvents([event]));
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const next = bytes.shift();
        await new Promise((resolve) => setTimeout(resolve, 1));
        controller.enqueue(next ?? encodeEvents([{ type: 'response.in_progress' }]));
      },
      cancel() {
        cancelled = true;
      },
    });
    const { model } = await rig([], {
      tools: { look },
      limits: { callsPerRound: 2 },
      fetch: async () => new Response(body),
    });
    expect(errorOf(await streamParts(model))).toMatchObject({ code: 'limit' });
    expect(ended).toEqual(['aborted', 'aborted']);
    await expect.poll(() => cancelled).toBe(true);
  });

  it('says what ran in the rounds before', async () => {
    const { add, runs } = adder();
    const { model } = await rig([reply(calls('resp_0', ['add', { a: 1, b: 1 }])), reply(many(3))], {
      tools: { add },
      limits: { callsPerRound: 2 },
    });
    const error = errorOf(await streamParts(model));
    expect(error).toMatchObject({ code: 'limit', isRetryable: false, completedCalls: [{ name: 'add' }] });
    expect(runs).toHaveLength(1);
  });

  it.each(['all', 'none'] as const)('leaves a history that can be sent (toolParts: %s)', async (toolParts) => {
    const { add, runs } = adder();
    const crowd = { ...many(6), output: [{ type: 'text', text: 'Hm.' }, ...(many(6).output ?? [])] } as const;
    const { fetch, inputs } = inOneChunk([crowd, says('r', 'Ok.')]);
    const settings = { tools: { add }, limits: { callsPerRound: 5 }, toolParts, fetch };
    const { model } = await rigOf(createV3, [], settings);
    const { stream } = await model.doStream({ prompt: userPrompt() });
    const content = historyOf(await readAll(stream));
    const { stream: again } = await model.doStream({
      prompt: [...userPrompt(), { role: 'assistant', content }, ...userPrompt('Go on')] as never,
    });
    await readAll(again);
    const idsOf = (type: string) => inputs[1]?.filter((item) => item.type === type).map((item) => item.call_id);
    expect(idsOf('function_call')).toHaveLength(6);
    expect(idsOf('function_call_output')).toEqual(idsOf('function_call'));
    expect(runs).toEqual([]);
  });
});

/** Answers with one response after the other, each in a single chunk: a border at the call that breaks a limit would cut it. */
function inOneChunk(answers: readonly ResponseDescription[]) {
  const inputs: { readonly type?: string; readonly call_id?: string }[][] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    const { input } = JSON.parse(init?.body as string) as { input: (typeof inputs)[number] };
    const description = answers[inputs.push(input) - 1] ?? {};
    const headers = { 'content-type': 'text/event-stream' };
    return new Response(encodeEvents(responseEvents(description)) as BodyInit, { headers });
  };
  return { fetch, inputs };
}

/** What an app keeps of a stream. */
function historyOf(parts: readonly object[]): unknown[] {
  return parts.flatMap((part): object[] => {
    const { type, toolCallId, toolName, input, result, providerMetadata } = part as Readonly<Record<string, unknown>>;
    const meta = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
    if (type === 'tool-call') return [{ type, toolCallId, toolName, input: JSON.parse(String(input)), ...meta }];
    if (type === 'tool-result')
      return [{ type, toolCallId, toolName, output: { type: 'json', value: result }, ...meta }];
    if (type === 'text-end') return [{ type: 'text', text: 'Hm.', ...meta }];
    return type === 'reasoning-end' ? [{ type: 'reasoning', text: '', ...meta }] : [];
  });
}
