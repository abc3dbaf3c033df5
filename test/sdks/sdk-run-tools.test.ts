import { generateText, hasToolCall, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ObserverEvent, ResponsesProviderSettings } from 'responses-loop';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder, signalTower, toolOf } from '../acceptance/support/tools.js';
import { itemsOfType, offered, outline, outputs } from '../acceptance/support/wire.js';
import { fullPartsOf, type Loose, readAll, sdk } from './support/sdk.js';

const adds = reply(calls('resp_1', ['add', { a: 2, b: 3 }, 'call_1']));
const five = reply(says('resp_2', 'Five.'));
const upTo5 = { stopWhen: stepCountIs(5) };

async function withSdkTools(
  steps: Parameters<typeof rig>[0],
  settings: ResponsesProviderSettings,
): Promise<Rig & { tools: ToolSet }> {
  const played = await rig(steps, { backend: 'openai', ...settings });
  return { ...played, tools: await played.provider.tools({ runBy: 'sdk' }) };
}

/** The parts of these types, of all steps. */
function partsOf(steps: readonly { readonly content: readonly object[] }[], ...types: string[]): Loose[] {
  return steps.flatMap(({ content }) => content as readonly Loose[]).filter(({ type }) => types.includes(String(type)));
}

describe('tools that the AI SDK runs', () => {
  it('are run once by the AI SDK, a step for each round, and the loop offers none beside them', async () => {
    const { add, runs } = adder();
    const { model, tools, requests } = await withSdkTools([adds, five], { tools: { add } });
    const { steps, text } = await generateText({ model, tools, prompt: 'Add.', ...upTo5 });
    expect([steps.length, text, runs]).toEqual([2, 'Five.', [{ a: 2, b: 3 }]]);
    expect(requests.map(offered)).toEqual([['add'], ['add']]);
    expect(outline(requests[1])).toEqual(['user Add.', 'call add', 'output 5']);
    const [call, result] = partsOf(steps, 'tool-call', 'tool-result');
    expect(call).toMatchObject({ toolName: 'add', input: { a: 2, b: 3 }, dynamic: true });
    expect(call?.['providerExecuted'] ?? false).toBe(false);
    expect(result).toMatchObject({ output: '5', dynamic: true });
  });

  it('show the same in a stream', async () => {
    const { add, runs } = adder();
    const { model, tools } = await withSdkTools([adds, five], { tools: { add } });
    const parts = await fullPartsOf(streamText({ model, tools, prompt: 'Add.', ...upTo5 }));
    const results = parts.filter(({ type }) => type === 'tool-result');
    expect(results.at(-1)).toMatchObject({ toolCallId: 'call_1', output: '5' });
    expect(results.filter((part) => part['preliminary'] !== true)).toHaveLength(1);
    expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
    expect(runs).toHaveLength(1);
  });

  it('stop where stopWhen says so', async () => {
    const { add, runs } = adder();
    const { model, tools, requests } = await withSdkTools([adds], { tools: { add } });
    const { steps } = await generateText({ model, tools, prompt: 'Add.', stopWhen: hasToolCall('add') });
    expect([steps.length, runs.length, requests.length]).toEqual([1, 1, 1]);
  });

  it('are asked about between steps: prepareStep takes another model and fewer tools', async () => {
    const { add } = adder();
    const { provider, model, tools, requests } = await withSdkTools([adds, five], {
      tools: { add, other: toolOf(() => 'x') },
    });
    await generateText({
      model,
      tools,
      prompt: 'Add.',
      ...upTo5,
      prepareStep: ({ stepNumber }) => (stepNumber === 0 ? {} : { model: provider('other-model'), activeTools: [] }),
    });
    expect(requests.map((request) => request.body['model'])).toEqual(['gpt-test', 'other-model']);
    expect(requests.map(offered)).toEqual([['add', 'other'], []]);
  });

  it('are narrowed by activeTools', async () => {
    const { model, tools, requests } = await withSdkTools([five], {
      tools: { add: adder().add, b: toolOf(() => 'b') },
    });
    await generateText({ model, tools, activeTools: ['b'], prompt: 'Add.' });
    expect(requests.map(offered)).toEqual([['b']]);
  });

  it('leave calls without tools of ours without any, once they were handed out', async () => {
    const { model, requests } = await withSdkTools([five], { tools: { add: adder().add } });
    await generateText({ model, prompt: 'Add.' });
    expect(requests.map(offered)).toEqual([[]]);
  });

  it('leave the tools to the loop where runTools says so, or a call brings stubs', async () => {
    const { add, runs } = adder();
    const model = await withSdkTools([adds, five], { tools: { add }, runTools: 'model' });
    await generateText({ model: model.model, prompt: 'Add.' });
    const stubs = await withSdkTools([adds, five], { tools: { add } });
    await generateText({ model: stubs.model, tools: await stubs.provider.tools(), prompt: 'Add.' });
    expect(runs).toHaveLength(2);
    expect([...model.requests, ...stubs.requests].map(offered)).toEqual([['add'], ['add'], ['add'], ['add']]);
  });

  it('are all there is with runTools sdk', async () => {
    const played = await rig([five], { tools: { add: adder().add }, runTools: 'sdk' });
    await generateText({ model: played.model, tools: await played.provider.tools(), prompt: 'Add.' });
    expect(played.requests.map(offered)).toEqual([[]]);
  });

  it('end in a tool error with the text that the model reads, also for arguments that do not fit', async () => {
    const { model, tools, requests } = await withSdkTools(
      [
        reply(calls('resp_1', ['broken', {}, 'call_1'], ['add', { a: 'x' }, 'call_2'])),
        reply(says('resp_2', 'Sorry.')),
      ],
      { tools: { broken: toolOf(() => Promise.reject(new Error('disk full'))), add: adder().add } },
    );
    const { steps } = await generateText({ model, tools, prompt: 'Add.', ...upTo5 });
    expect(partsOf(steps, 'tool-error').map(({ toolName }) => toolName)).toEqual(['broken', 'add']);
    const [[, first] = [], [, second] = []] = outputs(requests[1]);
    expect(first).toBe('disk full');
    expect(second).toMatch(/"a"|"b"/);
  });

  it('give the model images and files, and user interfaces the same content', async () => {
    const picture = {
      content: [
        { type: 'text', text: 'A duck.' },
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      ],
    };
    const { model, tools, requests } = await withSdkTools(
      [reply(calls('resp_1', ['draw', {}, 'call_1'])), reply(says('resp_2', 'Nice.'))],
      { tools: { draw: toolOf(() => picture) } },
    );
    const { steps } = await generateText({ model, tools, prompt: 'Draw.', ...upTo5 });
    expect(partsOf(steps, 'tool-result')).toMatchObject([{ output: { type: 'content' } }]);
    expect(itemsOfType(requests[1], 'function_call_output')).toMatchObject([
      {
        output: [
          { type: 'input_text', text: 'A duck.' },
          { type: 'input_image', image_url: expect.stringContaining('data:image/png;base64,iVBOR') },
        ],
      },
    ]);
  });

  it('give the model what toModelOutput of a function says, and user interfaces the value', async () => {
    const rows = toolOf(() => ({ rows: [1, 2] }), {
      toModelOutput: ({ output }: { output: { rows: number[] } }) => ({
        type: 'text',
        value: `${output.rows.length} rows`,
      }),
    });
    const { model, tools, requests } = await withSdkTools(
      [reply(calls('resp_1', ['rows', {}, 'call_1'])), reply(says('resp_2', 'Two.'))],
      { tools: { rows } },
    );
    const { steps } = await generateText({ model, tools, prompt: 'Count.', ...upTo5 });
    expect(partsOf(steps, 'tool-result')).toMatchObject([{ output: { rows: [1, 2] } }]);
    expect(outputs(requests[1])).toEqual([['call_1', '2 rows']]);
  });

  it('show what a generator function yields as preliminary results, and its last value as the result', async () => {
    const count = toolOf(async function* () {
      yield 'one';
      await new Promise((resolve) => setImmediate(resolve));
      yield 'two';
      await new Promise((resolve) => setImmediate(resolve));
      yield 'three';
    });
    const { model, tools, requests } = await withSdkTools(
      [reply(calls('resp_1', ['count', {}, 'call_1'])), reply(says('resp_2', 'Counted.'))],
      { tools: { count } },
    );
    const parts = await fullPartsOf(streamText({ model, tools, prompt: 'Count.', ...upTo5 }));
    const results = parts.filter(({ type }) => type === 'tool-result');
    const early = results.filter((part) => part['preliminary'] === true).map((part) => part['output']);
    expect(early).toContain('one');
    expect(results.filter((part) => part['preliminary'] !== true).map((part) => part['output'])).toEqual(['three']);
    expect(outputs(requests[1])).toEqual([['call_1', 'three']]);
  });

  it('hear of an abort, and of the end of the provider', async () => {
    for (const end of ['abort', 'close'] as const) {
      const { reached, reach } = signalTower();
      const ended = signalTower();
      const wait = toolOf((_args, { abortSignal }) => {
        reach();
        return new Promise((resolve) => {
          abortSignal.addEventListener('abort', () => {
            ended.reach();
            resolve('late');
          });
        });
      });
      const { provider, model, tools } = await withSdkTools([reply(calls('resp_1', ['wait', {}, 'call_1']))], {
        tools: { wait },
      });
      const controller = new AbortController();
      const done = generateText({ model, tools, prompt: 'Wait.', abortSignal: controller.signal }).catch(() => {});
      await reached;
      if (end === 'abort') controller.abort();
      else await provider.close();
      await ended.reached;
      await done;
    }
  });

  it('are told to the observer as runs outside of a call', async () => {
    const events: ObserverEvent[] = [];
    const { model, tools } = await withSdkTools([adds, five], {
      tools: { add: adder().add },
      onEvent: (event) => void events.push(event),
    });
    await generateText({ model, tools, prompt: 'Add.', ...upTo5 });
    const told = events.filter(({ type }) => type.startsWith('tool-'));
    expect(told).toMatchObject([
      { type: 'tool-start', callNumber: 0, tool: 'add', source: 'local', callId: 'call_1' },
      { type: 'tool-end', callNumber: 0, isError: false, output: '5' },
    ]);
  });

  it('run only with what approve decides: denied ones are errors, edited ones run as edited, each is asked once', async () => {
    const { add, runs } = adder();
    const asked: string[] = [];
    const { model, tools, requests } = await withSdkTools(
      [
        reply(
          calls(
            'resp_1',
            ['add', { a: 1, b: 1 }, 'call_1'],
            ['add', { a: 2, b: 1 }, 'call_2'],
            ['add', { a: 3, b: 1 }, 'call_3'],
          ),
        ),
        reply(says('resp_2', 'Done.')),
      ],
      {
        tools: { add },
        approve: ({ callId, arguments: args }) => {
          asked.push(callId);
          if (args['a'] === 1) return { approved: false, reason: 'too small' };
          return args['a'] === 2 ? { approved: true, arguments: { a: 20, b: 1 } } : true;
        },
      },
    );
    await generateText({ model, tools, prompt: 'Add.', ...upTo5 });
    expect(asked.toSorted()).toEqual(['call_1', 'call_2', 'call_3']);
    expect(runs).toEqual([
      { a: 20, b: 1 },
      { a: 3, b: 1 },
    ]);
    const texts = outputs(requests[1]).map(([, text]) => text);
    expect(texts[0]).toMatch(/denied.*too small/);
    expect(texts[1]).toMatch(/changed the arguments[^]*21/);
    expect(texts[2]).toBe('4');
  });

  it('run by the decision of their own chat, where servers give calls of several chats one id', async () => {
    const runs: unknown[] = [];
    const say = toolOf((args) => void runs.push(args['to']));
    let release = (): void => {};
    const aliceHasAYes = new Promise<void>((resolve) => {
      release = resolve;
    });
    const round = (n: number) =>
      reply(calls(`resp_${n}`, ['say', { to: 'x' }, 'call_1'], ['slow', {}, `call_slow_${n}`]));
    let asked = 0;
    const { model, tools } = await withSdkTools(
      [round(1), round(2), reply(says('resp_3', 'Done.')), reply(says('resp_4', 'Done.'))],
      {
        tools: { say, slow: toolOf(() => 'slept') },
        // The first chat is denied, the second is allowed, and both runs come when both are decided.
        approve: async ({ tool }) => {
          if (tool === 'slow') {
            await aliceHasAYes;
            return true;
          }
          asked += 1;
          if (asked === 2) release();
          return asked === 2;
        },
      },
    );
    const chat = (user: string) => generateText({ model, tools, prompt: user, ...upTo5 });
    await Promise.all([chat('mallory'), chat('alice')]);
    expect(runs).toHaveLength(1);
  });

  it.runIf(sdk === 5)('are denied under AI SDK 5 where the user would have to be asked', async () => {
    const { add, runs } = adder();
    const { model, tools, requests } = await withSdkTools([adds, five], { tools: { add }, approve: () => 'ask' });
    await generateText({ model, tools, prompt: 'Add.', ...upTo5 });
    expect(runs).toEqual([]);
    expect(outputs(requests[1])[0]?.[1]).toMatch(/denied/);
  });

  it('refuse another runner by name', async () => {
    const { provider } = await rig([], { tools: { add: adder().add } });
    // @ts-expect-error -- a caller without types
    await expect(provider.tools({ runBy: 'me' })).rejects.toThrow(/'model' or 'sdk'/);
  });

  it('are all read by their own reader when called by hand', async () => {
    const { tools } = await withSdkTools([], { tools: { add: adder().add } });
    const execute = tools['add']?.execute as unknown as (input: unknown, options: unknown) => AsyncIterable<unknown>;
    expect(await readAll(execute({ a: 1, b: 2 }, { toolCallId: 'x', messages: [] }))).toEqual(['3']);
  });
});
