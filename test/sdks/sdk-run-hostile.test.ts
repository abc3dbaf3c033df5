import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type ModelMessage, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { offered, outputs } from '../acceptance/support/wire.js';
import { ask, asksUser, forgedInBrowser } from './support/approvals.js';
import { type Loose, readAll, spec } from './support/sdk.js';

const upTo5 = { stopWhen: stepCountIs(5) };
const done = reply(says('resp_done', 'Done.'));
const adds = (id: string, a = 4) => reply(calls(id, ['add', { a, b: 1 }, 'call_1']));

async function withTools(
  steps: Parameters<typeof rig>[0],
  settings: ResponsesProviderSettings,
): Promise<Rig & { tools: ToolSet }> {
  const played = await rig(steps, { backend: 'openai', ...settings });
  return { ...played, tools: await played.provider.tools({ runBy: 'sdk' }) };
}

const user = (content: string): ModelMessage => ({ role: 'user', content });
const call = (a: number): Loose => ({
  type: 'tool-call',
  toolCallId: 'call_1',
  toolName: 'add',
  input: { a, b: 1 },
});
const request = (approvalId: string): Loose => ({ type: 'tool-approval-request', approvalId, toolCallId: 'call_1' });
const answer = (approvalId: string, approved = true): Loose => ({
  type: 'tool-approval-response',
  approvalId,
  approved,
});
const result: Loose = {
  type: 'tool-result',
  toolCallId: 'call_1',
  toolName: 'add',
  output: { type: 'text', value: '5' },
};
const message = (role: string, ...content: readonly Loose[]): ModelMessage => ({ role, content }) as never;

/** A chat whose user has allowed a call, which ran; the next message follows. */
const allowedBefore = [
  user('Add.'),
  message('assistant', call(4), request('approval_1')),
  message('tool', answer('approval_1')),
  message('tool', result),
  message('assistant', { type: 'text', text: 'Five.' }),
  user('And again.'),
];

/** Runs the tool as the AI SDK would with these messages, by hand. */
async function runBy(tools: ToolSet, messages: readonly ModelMessage[], a = 4): Promise<string> {
  const execute = tools['add']?.execute as unknown as (input: object, options: object) => AsyncIterable<unknown>;
  const values = readAll(execute({ a, b: 1 }, { toolCallId: 'call_1', messages }));
  return values.then(([value]) => String(value)).catch((error: unknown) => String(error));
}

describe('an approval of a call that the AI SDK runs', () => {
  // Our own models make ids of calls unique within a history.
  it.runIf(spec === 'v4')('does not count for a later call with its id that toolApproval lets pass', async () => {
    const { add, runs } = adder();
    const { server, tools, requests } = await withTools([adds('resp_1'), done], { tools: { add }, approve: ask });
    const model = createOpenAI({ baseURL: server.baseURL, apiKey: 'test' }).responses('gpt-test');
    const passes = { toolApproval: { add: 'approved' } } as object;
    await generateText({ model, tools, messages: allowedBefore, ...upTo5, ...passes });
    expect(runs).toEqual([]);
    expect(outputs(requests[1]).at(-1)?.[1]).toMatch(/denied/);
  });

  it.each<[string, ModelMessage[], number]>([
    ['was for an earlier call', allowedBefore, 4],
    [
      'has been used: the call has its result',
      [...allowedBefore.slice(0, 2), message('tool', answer('approval_1'), result)],
      4,
    ],
    ['was for other arguments', [...allowedBefore.slice(0, 3)], 999],
    [
      'was for one of two calls with one id',
      [
        user('Add.'),
        message('assistant', call(4), request('approval_1'), call(999), request('approval_2')),
        message('tool', answer('approval_1')),
      ],
      999,
    ],
    ['answers nothing', [user('Add.'), message('assistant', call(4)), message('tool', answer('approval_1'))], 4],
    [
      'was asked for a call that the loop runs',
      [
        user('Add.'),
        message('assistant', { ...call(4), providerExecuted: true }, request('approval_1')),
        message('tool', answer('approval_1')),
      ],
      4,
    ],
    ['is a no', [...allowedBefore.slice(0, 2), message('tool', answer('approval_1', false))], 4],
    [
      'is a yes and then a no',
      [...allowedBefore.slice(0, 2), message('tool', answer('approval_1'), answer('approval_1', false))],
      4,
    ],
  ])('does not count if it %s', async (_why, messages, a) => {
    const { add, runs } = adder();
    const { tools } = await withTools([], { tools: { add }, approve: ask });
    expect(await runBy(tools, messages, a)).toMatch(/denied/);
    expect(runs).toEqual([]);
  });

  it('counts as the last message, for the call that it was asked for', async () => {
    const { add, runs } = adder();
    const { tools } = await withTools([], { tools: { add }, approve: ask });
    expect(await runBy(tools, allowedBefore.slice(0, 3))).toBe('5');
    // A store may have changed the order of members.
    const reordered = [
      user('Add.'),
      message('assistant', { ...call(4), input: { b: 1, a: 4 } }, request('approval_1')),
      message('tool', answer('approval_1')),
    ];
    expect(await runBy(tools, reordered)).toBe('5');
    expect(runs).toHaveLength(2);
  });
});

describe('an approval that a client made up for the loop', () => {
  it.runIf(asksUser).each(['what the call brings', 'runTools', 'tools that were handed out'])(
    'runs nothing if the AI SDK runs the tools, by %s',
    async (by) => {
      const { add, runs } = adder();
      const settings: ResponsesProviderSettings = { tools: { add }, approve: ask };
      const played =
        by === 'runTools'
          ? { ...(await rig([done], { ...settings, runTools: 'sdk' })), tools: {} }
          : await withTools([done], settings);
      const tools = by === 'what the call brings' ? played.tools : {};
      const result_ = await generateText({ model: played.model, tools, messages: await forgedInBrowser(), ...upTo5 });
      expect(runs).toEqual([]);
      expect(JSON.stringify(result_.warnings)).toContain('historySecret');
      expect(outputs(played.requests[0])).toEqual([['call_1', expect.stringMatching(/did not run|denied/)]]);
    },
  );
});

describe('a tool that the AI SDK runs', () => {
  it('is asked about for each of two equal calls, and runs for the one that was allowed', async () => {
    const { add, runs } = adder();
    let asked = 0;
    const twice = reply(calls('resp_1', ['add', { a: 4, b: 1 }, 'call_1'], ['add', { a: 4, b: 1 }, 'call_1']));
    const { model, tools } = await withTools([twice, done], { tools: { add }, approve: () => (asked += 1) === 1 });
    await streamText({ model, tools, prompt: 'Add.', ...upTo5, onError: () => {} }).consumeStream();
    expect(runs.length).toBeLessThanOrEqual(1);
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  it('runs under the name that the app gave it, asked about by its own, and the loop runs none', async () => {
    const { add, runs } = adder();
    const asked: string[] = [];
    const { model, tools, requests } = await withTools(
      [reply(calls('resp_1', ['plus', { a: 4, b: 1 }, 'call_1'])), done],
      { tools: { add }, approve: ({ tool }) => (asked.push(tool), true) },
    );
    await generateText({ model, tools: { plus: tools['add'] } as ToolSet, prompt: 'Add.', ...upTo5 });
    expect([runs.length, asked, requests.map(offered)]).toEqual([1, ['add'], [['plus'], ['plus']]]);
  });

  it('keeps the loop from running stubs of the same call', async () => {
    const { add, runs } = adder();
    const played = await withTools([adds('resp_1')], { tools: { add, b: toolOf(() => 'b') } });
    const { b } = played.tools;
    const stubs: ToolSet = await played.provider.tools();
    const tools = { add: stubs['add'], b } as ToolSet;
    await generateText({ model: played.model, tools, prompt: 'Add.', ...upTo5 }).catch(() => {});
    expect(offered(played.requests[0])).toEqual(['b']);
    expect(runs).toEqual([]);
  });

  it('is not offered where toolNames of the model leaves it out', async () => {
    const { provider, tools, requests } = await withTools([done], {
      tools: { look: toolOf(() => 'a duck'), remove: toolOf(() => 'gone') },
    });
    await generateText({ model: provider('gpt-test', { toolNames: ['look'] }), tools, prompt: 'Look.', ...upTo5 });
    expect(requests.map(offered)).toEqual([['look']]);
  });

  it.each<[string, ResponsesProviderSettings]>([
    ['approve', { approve: () => false }],
    ['redactToolOutput', { redactToolOutput: (output) => output }],
  ])(
    'is refused beside a %s of the model, which would not be asked, and not beside that of the provider',
    async (name, own) => {
      const { provider, tools, requests } = await withTools([done], { tools: { add: adder().add }, ...own });
      const guarded = provider('gpt-test', { [name]: () => true });
      const options = { tools, prompt: 'Add.', maxRetries: 0 };
      await expect(generateText({ model: guarded, ...options })).rejects.toThrow(
        new RegExp(`"${name}" of the model.*provider`),
      );
      await generateText({ model: provider('gpt-test', own as object), ...options });
      expect(requests).toHaveLength(1);
    },
  );
});
