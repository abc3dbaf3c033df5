import { generateText, stepCountIs, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { calls, reply, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { itemsOfType, offered, outline, outputs } from '../acceptance/support/wire.js';
import { add, asksUser, CHATS, chatting } from './support/approvals.js';
import { fallbackRig } from './support/fallback.js';

const upTo5 = { stopWhen: stepCountIs(5) };

describe('tools that the AI SDK runs, behind withStockFallback', () => {
  it.each([false, true])('run once, whoever answers, and the loop runs none (stock: %j)', async (stock) => {
    const { add: own, runs } = adder();
    const steps = [reply(calls('resp_1', ['add', { a: 2, b: 3 }, 'call_1'])), reply(says('resp_2', 'Five.'))];
    const played = await fallbackRig(steps, { settings: { tools: { add: own } } });
    const tools: ToolSet = await played.provider.tools({ runBy: 'sdk' });
    played.useStock(stock);
    const { text, steps: taken } = await generateText({ model: played.model, tools, prompt: 'Add.', ...upTo5 });
    expect([text, taken.length, runs]).toEqual(['Five.', 2, [{ a: 2, b: 3 }]]);
    expect(played.requests.map(offered)).toEqual([['add'], ['add']]);
    expect(outputs(played.requests[1])).toEqual([['call_1', '5']]);
  });
});

describe.each(Object.entries(CHATS))('a chat that moves between the two ways, kept in %s', (_kept, road) => {
  it('goes on with all calls and outputs, each once', async () => {
    const { add: own, runs } = adder();
    const rounds = [
      calls('resp_1', add(1, 'call_1')),
      says('resp_2', 'Two.'),
      calls('resp_3', add(2, 'call_2')),
      says('resp_4', 'Three.'),
      calls('resp_5', add(3, 'call_3')),
      says('resp_6', 'Four.'),
    ];
    const { chat, requests, provider } = await chatting(road, rounds, { backend: 'openai', tools: { add: own } });
    const ofLoop: ToolSet = await provider.tools();
    await chat.send({ tools: ofLoop });
    chat.say('And two?');
    await chat.send({ tools: await provider.tools({ runBy: 'sdk' }), ...upTo5 });
    chat.say('And three?');
    expect(await chat.send({ tools: ofLoop })).toMatchObject({ text: expect.stringContaining('Four.') });
    expect(runs.map((run) => (run as { a: number }).a)).toEqual([1, 2, 3]);
    expect(outline(requests.at(-1)).filter((line) => /^(call|output)/.test(line))).toEqual([
      'call add',
      'output 2',
      'call add',
      'output 3',
      'call add',
      'output 4',
    ]);
  });

  it.runIf(asksUser)('runs a call that the loop had asked about once, in the loop, after a yes', async () => {
    const { add: own, runs } = adder();
    const { chat, requests, provider } = await chatting(
      road,
      [calls('resp_1', add(4, 'call_1')), says('resp_2', 'Five.')],
      { backend: 'openai', tools: { add: own }, approve: () => 'ask', historySecret: 'a secret of sixteen' },
    );
    await chat.send();
    chat.answer('call_1', { approved: true });
    const tools: ToolSet = await provider.tools({ runBy: 'sdk' });
    expect(await chat.send({ tools, ...upTo5 })).toMatchObject({ text: 'Five.' });
    expect(runs).toEqual([{ a: 4, b: 1 }]);
    expect(itemsOfType(requests[1], 'function_call')).toHaveLength(1);
    expect(outputs(requests[1])).toEqual([['call_1', '5']]);
  });
});
