import { stepCountIs } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponseDescription } from 'responses-loop/testing';
import { calls, type Rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { itemsOfType, outputs } from '../acceptance/support/wire.js';
import { add, ask, asksUser, CHATS, chatting, clock, mixedRound, serverAsks } from './support/approvals.js';
import { sdk } from './support/sdk.js';
import type { TurnOptions } from './support/turns.js';

/** The server keeps the conversation: it refuses an output that it has, and a turn without one that it waits for. */
const kept: TurnOptions = { providerOptions: { openai: { conversation: 'conv_1' } } };
const keptWithClock: TurnOptions = { ...kept, tools: { clock }, stopWhen: stepCountIs(5) };

/** Every output that was sent, in all requests together. */
function allOutputs(requests: Rig['requests']): [string, string][] {
  return requests.flatMap(outputs).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const twoCalls = [calls('resp_1', add(4, 'call_1'), add(1, 'call_2')), says('resp_2', 'Done.')];

const wrapper: ResponseDescription = calls('resp_1', [
  'multi_tool_use.parallel',
  {
    tool_uses: [
      { recipient_name: 'functions.add', parameters: { a: 1, b: 1 } },
      { recipient_name: 'functions.add', parameters: { a: 2, b: 1 } },
    ],
  },
  'call_W',
]);

describe.runIf(asksUser).each(Object.entries(CHATS))('a conversation kept by the server, and in %s', (inChat, road) => {
  const isUi7 = sdk === 7 && inChat === 'UI messages';

  it.each([
    ['a yes', true, '2'],
    ['a no', false, expect.stringMatching(/denied|not allow/)],
  ])('gets every output once after %s to one call and then a yes to the other', async (_which, isYes, output) => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(road, twoCalls, { tools: { add: own }, approve: ask });
    await chat.send(kept);
    chat.answer('call_2', { approved: isYes });
    expect(await chat.send(kept)).toMatchObject({ finishReason: 'tool-calls', asked: ['call_1'] });
    expect(requests).toHaveLength(1);
    chat.answer('call_1', { approved: true });
    expect(await chat.send(kept)).toMatchObject({ text: 'Done.' });
    expect(allOutputs(requests)).toEqual([
      ['call_1', '5'],
      ['call_2', output],
    ]);
    expect(runs).toHaveLength(isYes ? 2 : 1);
  });

  async function answeredAfterTheCaller(isYes: boolean) {
    const { add: own, runs } = adder();
    const rounds = [mixedRound, says('resp_2', 'Done.')];
    const { chat, requests } = await chatting(road, rounds, { tools: { add: own }, approve: ask });
    await chat.send(keptWithClock);
    expect([runs, requests.length]).toEqual([[], 1]);
    chat.answer('call_1', { approved: isYes });
    expect(await chat.send(keptWithClock)).toMatchObject({ text: 'Done.' });
    return { runs, sent: allOutputs(requests) };
  }

  it('gets every output once where the caller has answered a call before the user said yes', async () => {
    const { runs, sent } = await answeredAfterTheCaller(true);
    expect(sent).toEqual([
      ['call_1', '5'],
      ['call_2', 'noon'],
    ]);
    expect(runs).toHaveLength(1);
  });

  // `ai` 7 writes the denial behind both messages of the repeated request.
  it('gets every output once where the caller has answered a call before the user said no', async () => {
    const { runs, sent } = await answeredAfterTheCaller(false);
    expect(sent).toEqual([
      ['call_1', expect.stringMatching(/denied|not allow/)],
      ['call_2', 'noon'],
    ]);
    expect(runs).toEqual([]);
  });

  it('does not get the outputs of earlier rounds again, nor of earlier turns', async () => {
    const { add: own } = adder();
    const rounds = [
      calls('resp_1', add(7, 'call_1')),
      calls('resp_2', add(1, 'call_2'), add(4, 'call_3')),
      calls('resp_3', add(2, 'call_4')),
      says('resp_4', 'Done.'),
      says('resp_5', 'Bye.'),
    ];
    const { chat, requests } = await chatting(road, rounds, {
      tools: { add: own },
      approve: ({ callId }) => (callId === 'call_3' ? 'ask' : true),
    });
    await chat.send(kept);
    chat.answer('call_3', { approved: true });
    await chat.send(kept);
    chat.say('Thanks.');
    expect(await chat.send(kept)).toMatchObject({ text: 'Bye.' });
    expect(requests.map((request) => new Map(outputs(request)))).toEqual([
      new Map(),
      new Map([['call_1', '8']]),
      new Map([
        ['call_2', '2'],
        ['call_3', '5'],
      ]),
      new Map([['call_4', '3']]),
      new Map(),
    ]);
    expect(allOutputs(requests)).toHaveLength(4);
  });

  it('gets a request that was passed over answered as interrupted, once', async () => {
    const { add: own, runs } = adder();
    const rounds = [calls('resp_1', add(4, 'call_1')), says('resp_2', 'Fine.'), says('resp_3', 'Bye.')];
    const { chat, requests } = await chatting(road, rounds, { tools: { add: own }, approve: ask });
    await chat.send(kept);
    chat.say('Forget it.');
    await chat.send(kept);
    chat.say('Thanks.');
    await chat.send(kept);
    // `ai` 7 takes a request out of a UI message's history that the user has passed over.
    expect(allOutputs(requests)).toEqual(isUi7 ? [] : [['call_1', expect.stringContaining('interrupted')]]);
    expect(runs).toEqual([]);
  });

  it.each([
    ['at once', [['call_W_0', 'call_W_1']]],
    ['one after the other', [['call_W_0'], ['call_W_1']]],
    ['the other way round', [['call_W_1'], ['call_W_0']]],
  ])('gets one output for a wrapper whose calls are allowed %s', async (_when, goes) => {
    const { add: own, runs } = adder();
    const rounds = [wrapper, says('resp_2', 'Done.')];
    const { chat, requests } = await chatting(road, rounds, { tools: { add: own }, approve: ask });
    expect(await chat.send(kept)).toMatchObject({ asked: ['call_W_0', 'call_W_1'] });
    for (const answered of goes) {
      expect(requests).toHaveLength(1);
      for (const callId of answered) chat.answer(callId, { approved: true });
      await chat.send(kept);
    }
    expect(runs).toHaveLength(2);
    expect(allOutputs(requests)).toEqual([['call_W', expect.stringMatching(/^(2\n3|3\n2)$/)]]);
  });

  it('gets one output for a wrapper of which one call is denied', async () => {
    const { add: own, runs } = adder();
    const rounds = [wrapper, says('resp_2', 'Done.')];
    const { chat, requests } = await chatting(road, rounds, { tools: { add: own }, approve: ask });
    await chat.send(kept);
    chat.answer('call_W_0', { approved: false });
    chat.answer('call_W_1', { approved: true });
    await chat.send(kept);
    expect(runs).toEqual([{ a: 2, b: 1 }]);
    expect(allOutputs(requests)).toEqual([['call_W', expect.stringMatching(/denied|not allow/)]]);
    expect(allOutputs(requests)[0]?.[1]).toContain('3');
  });

  it.each([
    ['a yes', { conversation: 'conv_1' }, true],
    ['a no', { conversation: 'conv_1' }, false],
    ['a no', { previousResponseId: 'resp_1' }, false],
  ])('gets %s to its own request beside the output of a call, once, with %j', async (_which, openai, approved) => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(road, [serverAsks, says('resp_2', 'Done.')], { tools: { add: own } });
    await chat.send({ providerOptions: { openai } });
    expect([runs.length, requests.length]).toEqual([1, 1]);
    chat.answer('mcpr_1', { approved });
    await chat.send({ providerOptions: { openai } });
    expect(allOutputs(requests)).toEqual([['call_1', '5']]);
    expect(requests.flatMap((request) => itemsOfType(request, 'mcp_approval_response'))).toEqual([
      expect.objectContaining({ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: approved }),
    ]);
    // What the server has asked is in its chain.
    expect(requests.flatMap((request) => itemsOfType(request, 'mcp_approval_request'))).toEqual([]);
  });
});
