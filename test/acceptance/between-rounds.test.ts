import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  afterTool,
  costBudget,
  createResponsesProvider,
  createSteering,
  type Journal,
  type ResponsesProviderSettings,
  type RoundToPrepare,
  tokenBudget,
} from 'responses-loop';
import { errorReply } from 'responses-loop/testing';
import { calls, reply, rig, says } from './support/rig.js';
import { adder, signalTower, toolOf } from './support/tools.js';
import { offered, outline } from './support/wire.js';

const adds = (n: number) => reply(calls(`resp_${n}`, ['add', { a: n, b: 1 }, `call_${n}`]));
const done = reply(says('resp_done', 'Done.'));

const play = async (steps: Parameters<typeof rig>[0], settings: ResponsesProviderSettings) => {
  const played = await rig(steps, { backend: 'openai', ...settings });
  const result = await generateText({ model: played.model, prompt: 'Add.' });
  const metadata = result.providerMetadata?.['responses-loop'];
  return { ...played, result, metadata };
};

describe('prepareRound', () => {
  it('sees each follow-up round with the calls, outputs and tokens before it', async () => {
    const seen: RoundToPrepare[] = [];
    await play([adds(1), adds(2), done], {
      tools: { add: adder().add },
      price: ({ totalTokens = 0 }) => totalTokens / 2,
      prepareRound: (round) => void seen.push(round),
    });
    expect(seen.map(({ roundNumber, modelId, tools }) => [roundNumber, modelId, tools])).toEqual([
      [1, 'gpt-test', ['add']],
      [2, 'gpt-test', ['add']],
    ]);
    expect(seen[1]).toMatchObject({
      rounds: [{ responseId: 'resp_1' }, { responseId: 'resp_2' }],
      calls: [{ callId: 'call_2', name: 'add', arguments: '{"a":2,"b":1}', output: { isError: false } }],
    });
    expect(seen[1]?.cost).toBe((seen[1]?.usage.totalTokens ?? Number.NaN) / 2);
  });

  it('adds messages of the user behind the outputs, which stay for all rounds to come', async () => {
    const { requests } = await play([adds(1), adds(2), done], {
      tools: { add: adder().add },
      prepareRound: ({ roundNumber }) =>
        roundNumber === 1 ? { addMessages: ['Hurry.', { role: 'user', content: 'Please.' }] } : undefined,
    });
    const first = ['user Add.', 'call add', 'output 2', 'user Hurry.', 'user Please.'];
    expect(outline(requests[1])).toEqual(first);
    expect(outline(requests[2])).toEqual([...first, 'call add', 'output 3']);
  });

  it('changes tools, tool choice, model and reasoning effort for one round alone', async () => {
    const { requests } = await play([adds(1), adds(2), done], {
      tools: { add: adder().add, other: toolOf(() => 'x') },
      prepareRound: ({ roundNumber }) =>
        roundNumber === 1
          ? { activeTools: ['add'], toolChoice: 'required', model: 'gpt-5.1-mini', reasoningEffort: 'low' }
          : undefined,
    });
    expect(requests.map(offered)).toEqual([['add', 'other'], ['add'], ['add', 'other']]);
    expect(requests.map(({ body }) => body['model'])).toEqual(['gpt-test', 'gpt-5.1-mini', 'gpt-test']);
    expect(requests.map(({ body }) => body['tool_choice'] ?? 'auto')).toEqual(['auto', 'required', 'auto']);
    expect(requests.map(({ body }) => body['reasoning'])).toEqual([undefined, { effort: 'low' }, undefined]);
  });

  it('a tool that a round does not offer does not run in it, and the model reads which ones there are', async () => {
    const { add, runs } = adder();
    const { requests } = await play([adds(1), adds(2), done], {
      tools: { add, other: toolOf(() => 'x') },
      prepareRound: ({ roundNumber }) => (roundNumber === 1 ? { activeTools: ['other'] } : undefined),
    });
    expect(runs).toHaveLength(1);
    expect(outline(requests[2]).at(-1)).toMatch(/other/);
    const none = await play([adds(1), adds(2), done], {
      tools: { add },
      prepareRound: ({ roundNumber }) => (roundNumber === 1 ? { activeTools: [] } : undefined),
    });
    expect(runs).toHaveLength(2);
    expect(none.requests.map(offered)).toEqual([['add'], [], ['add']]);
  });

  it('ends the loop at once, or after a round in which the model answers', async () => {
    const tools = { add: adder().add };
    const now = await play([adds(1)], { tools, prepareRound: () => ({ stop: 'now' }) });
    expect([now.result.finishReason, now.metadata?.['stoppedBy']]).toEqual(['tool-calls', 'prepareRound']);
    const answer = await play([adds(1), done], { tools, prepareRound: () => ({ stop: 'answer' }) });
    expect([answer.result.text, answer.metadata?.['stoppedBy']]).toEqual(['Done.', 'prepareRound']);
    expect(answer.requests[1]?.body['tool_choice']).toBe('none');
  });

  it('is waited for, and its rejection ends the call with its own error', async () => {
    const { add, runs } = adder();
    const failing = play([adds(1)], { tools: { add }, prepareRound: () => Promise.reject(new Error('no budget')) });
    await expect(failing).rejects.toThrow('no budget');
    expect(runs).toHaveLength(1);
  });

  it.each([
    [{ activeTools: ['nosuch'] }, /activeTools.*tools of this call: add/],
    [{ tools: [] }, /"tools", which it cannot.*addMessages/],
    [{ stop: 'later' }, /"answer" or "now"/],
    [{ addMessages: ['ok', ''] }, /addMessages/],
    [{ toolChoice: { type: 'tool', toolName: 'nosuch' } }, /toolChoice/],
    ['x', /an object or nothing/],
  ])('refuses %j by name', async (returned, message) => {
    const failing = play([adds(1)], { tools: { add: adder().add }, prepareRound: () => returned as object });
    await expect(failing).rejects.toThrow(message);
  });

  it('an abort does not wait for it', async () => {
    const { reached, reach } = signalTower();
    const { model } = await rig([adds(1)], {
      tools: { add: adder().add },
      prepareRound: () => {
        reach();
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const call = generateText({ model, prompt: 'Add.', abortSignal: controller.signal });
    await reached;
    controller.abort();
    await expect(call).rejects.toThrow(/abort/i);
  });

  it('is not asked again for a round that a journal has, and the round is the same', async () => {
    const records = new Map<string, unknown>();
    let crash = true;
    const journal: Journal = {
      step: async ({ key }, run) => {
        if (key === '0/round/2' && crash) throw new Error('the process died');
        if (!records.has(key)) records.set(key, JSON.parse(JSON.stringify(await run())));
        return records.get(key) as never;
      },
    };
    const asked: number[] = [];
    const settings: ResponsesProviderSettings = {
      backend: 'openai',
      tools: { add: adder().add },
      journal: () => ({ step: (step, run) => journal.step(step, run) }),
      prepareRound: ({ roundNumber }) => {
        asked.push(roundNumber);
        return { addMessages: [`Note ${roundNumber}.`] };
      },
    };
    const { model, requests } = await rig([adds(1), adds(2), done], settings);
    await expect(generateText({ model, prompt: 'Add.', maxRetries: 0 })).rejects.toThrow('the process died');
    crash = false;
    await generateText({ model, prompt: 'Add.' });
    expect(asked).toEqual([1, 2]);
    expect([...records.keys()]).toContain('0/between/2');
    expect(outline(requests[2]).filter((line) => line.startsWith('user'))).toEqual([
      'user Add.',
      'user Note 1.',
      'user Note 2.',
    ]);
  });
});

describe('stopWhen', () => {
  it('ends a loop after a tool, as hasToolCall does between steps', async () => {
    const { result, metadata, requests } = await play([adds(1)], {
      tools: { add: adder().add },
      stopWhen: afterTool('add'),
    });
    expect([result.finishReason, metadata?.['stoppedBy'], requests.length]).toEqual([
      'tool-calls',
      'afterTool(add)',
      1,
    ]);
  });

  it('lets the model answer once at a budget of tokens or money', async () => {
    const tools = { add: adder().add };
    for (const settings of [
      { stopWhen: [afterTool('nosuch'), tokenBudget(1)] },
      { stopWhen: costBudget(5), price: () => 5 },
      // An unknown cost may be any.
      { stopWhen: costBudget(5) },
    ]) {
      const { result, requests } = await play([adds(1), done], { tools, ...settings });
      expect(result.text).toBe('Done.');
      expect(requests[1]?.body['tool_choice']).toBe('none');
    }
  });

  it('goes on below a budget, and counts each round by its own model', async () => {
    const models: string[] = [];
    await play([adds(1), adds(2), done], {
      tools: { add: adder().add },
      stopWhen: costBudget(5),
      price: (_usage, modelId) => {
        models.push(modelId);
        return 1;
      },
      prepareRound: ({ roundNumber }) => (roundNumber === 1 ? { model: 'mini' } : undefined),
    });
    expect(models.slice(-2)).toEqual(['gpt-test', 'mini']);
  });

  it('refuses what is no condition when the provider is created', () => {
    expect(() => createResponsesProvider({ stopWhen: 'add' as never })).toThrow(/"stopWhen" must be a function/);
    expect(() => createResponsesProvider({ steering: {} as never })).toThrow(/createSteering/);
  });
});

describe('steering', () => {
  it('brings a text into the call under way, before its next round', async () => {
    const steering = createSteering();
    const { reached, reach } = signalTower();
    let release = (): void => {};
    const wait = toolOf(() => {
      reach();
      return new Promise((resolve) => {
        release = () => resolve('waited');
      });
    });
    const { model, requests } = await rig([reply(calls('resp_1', ['wait', {}, 'call_1'])), done], {
      tools: { wait },
      steering,
    });
    expect(await steering.steer('Too early.')).toBe('undelivered');
    const { text } = streamText({ model, prompt: 'Wait.' });
    void Promise.resolve(text).catch(() => {});
    await reached;
    expect(steering.isOpen).toBe(true);
    const steered = steering.steer('Use the other file.');
    release();
    expect(await text).toBe('Done.');
    expect(await steered).toBe('delivered');
    expect(outline(requests[1]).at(-1)).toBe('user Use the other file.');
    expect(await steering.steer('Too late.')).toBe('undelivered');
    expect(steering.isOpen).toBe(false);
  });

  it.each<[string, ResponsesProviderSettings, Parameters<typeof rig>[0]]>([
    ['prepareRound ends the loop', { prepareRound: () => ({ stop: 'now' }) }, []],
    ['prepareRound fails', { prepareRound: () => Promise.reject(new Error('no')) }, []],
    ['a condition ends the loop', { stopWhen: () => true }, []],
    ['the next round cannot be opened', {}, [() => errorReply({ status: 400 })]],
  ])('hands back a text that waits where %s', async (_when, settings, more) => {
    const steering = createSteering();
    let steered: Promise<string> | undefined;
    const talk = toolOf(() => {
      steered = steering.steer('Lost?');
      return 'talked';
    });
    const first = reply(calls('resp_1', ['talk', {}, 'call_1']));
    const { model } = await rig([first, ...more], { tools: { talk }, steering, ...settings });
    await generateText({ model, prompt: 'Talk.', maxRetries: 0 }).catch(() => {});
    expect(await steered).toBe('undelivered');
  });

  it('two calls with one handle: a text is read by one of them, once', async () => {
    const steering = createSteering();
    const outcomes: Promise<string>[] = [];
    const talk = toolOf(() => {
      if (outcomes.length === 0) outcomes.push(steering.steer('Once.'));
      return 'talked';
    });
    const step = (n: number) => reply(calls(`resp_${n}`, ['talk', {}, `call_${n}`]));
    const { model, requests } = await rig([step(1), step(2), done, done], { tools: { talk }, steering });
    await Promise.all([generateText({ model, prompt: 'One.' }), generateText({ model, prompt: 'Two.' })]);
    expect(await Promise.all(outcomes)).toEqual(['delivered']);
    expect(requests.flatMap(outline).filter((line) => line === 'user Once.')).toHaveLength(1);
  });

  it('hands back a text for which no round came, also after an abort and an error', async () => {
    const steering = createSteering();
    const { model } = await rig([() => ({ json: { error: { message: 'no' } }, status: 400 })], {
      tools: { add: adder().add },
      steering,
    });
    const call = generateText({ model, prompt: 'Add.' }).catch(() => 'failed');
    await new Promise((resolve) => setImmediate(resolve));
    const steered = steering.isOpen ? steering.steer('Hello?') : Promise.resolve('undelivered');
    expect(await call).toBe('failed');
    expect(await steered).toBe('undelivered');
    expect(steering.isOpen).toBe(false);
    await expect(steering.steer(' ')).rejects.toThrow(/not empty/);
  });
});
