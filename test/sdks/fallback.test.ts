import { generateText, type ModelMessage, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { calls, reply, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { outline, outputs } from '../acceptance/support/wire.js';
import { add, ask, asksUser, CHATS } from './support/approvals.js';
import { choicesIn, fallbackRig } from './support/fallback.js';
import { fullPartsOf, messagesOf, showsAll } from './support/sdk.js';
import { question } from './support/turns.js';

const steps = () => [
  reply(calls('resp_1', add(4, 'call_1'))),
  reply(says('resp_2', 'Five.')),
  reply(says('resp_3', 'Bye.')),
];

describe('a call answered by the stock provider', () => {
  it('is told in the parts that our own would have, metadata of the choice apart', async () => {
    const told = await Promise.all(
      [false, true].map(async (useStock) => {
        const { model, provider } = await fallbackRig(steps().slice(0, 2), {
          useStock,
          settings: { tools: { add: adder().add } },
        });
        const tools = (await provider.tools()) as ToolSet;
        const result = streamText<ToolSet>({ model, prompt: question, tools });
        const parts = await fullPartsOf(result);
        return parts.map(({ type, toolName, input, output, text, finishReason }) => ({
          type,
          toolName,
          input,
          output,
          text,
          finishReason,
        }));
      }),
    );
    const [ours, theirs] = told.map((parts) => parts.filter(({ type }) => !/-delta$|^raw$/.test(type)));
    expect(theirs).toEqual(ours);
  });

  it('has tools that are said not to be strict: a server that is told nothing takes them for strict', async () => {
    const { model, requests } = await fallbackRig(steps().slice(0, 2), {
      useStock: true,
      settings: { tools: { add: adder().add } },
    });
    await generateText({ model, prompt: question });
    expect(requests.map(({ body }) => body['tools'])).toMatchObject([[{ strict: false }], [{ strict: false }]]);
  });

  it('sends sealed reasoning under the id it was given, which servers compare with the seal', async () => {
    const thinks = {
      id: 'resp_1',
      output: [
        { type: 'reasoning', id: 'rs_real', summary: ['Hm.'], encrypted: 'sealed' },
        { type: 'text', text: 'Yes?' },
      ],
    } as const;
    const rig = await fallbackRig([reply(thinks), reply(says('resp_2', 'Bye.'))]);
    const first = await generateText({ model: rig.model, prompt: question });
    rig.useStock(true);
    const messages = [{ role: 'user', content: question } as const, ...(await messagesOf(first))];
    await generateText({ model: rig.model, messages: [...messages, { role: 'user', content: 'Go on.' }] });
    expect(rig.requests[1]?.input[1]).toMatchObject({ type: 'reasoning', id: 'rs_real', encrypted_content: 'sealed' });
  });

  it('shows loop tools as the version does', async () => {
    const { model } = await fallbackRig(steps().slice(0, 2), {
      useStock: true,
      settings: { tools: { add: adder().add } },
    });
    const { content } = await generateText({ model, prompt: question });
    expect(content.some(({ type }) => type === 'tool-result')).toBe(showsAll);
  });
});

describe.runIf(asksUser).each(Object.entries(CHATS))('a call that needs the user, kept in %s', (_kept, road) => {
  it.each([
    ['asked about under the primary, answered under the stock provider', [false, true]],
    ['asked about under the stock provider, answered under the primary', [true, false]],
    ['asked about and answered under the stock provider', [true, true]],
  ])('runs once after a yes: %s', async (_name, [first, second]) => {
    const { add: own, runs } = adder();
    const rig = await fallbackRig(steps(), { settings: { tools: { add: own }, approve: ask } });
    const chat = road(rig);
    rig.useStock(first === true);
    expect(await chat.send()).toMatchObject({ finishReason: 'tool-calls', asked: ['call_1'] });
    expect(runs).toEqual([]);
    chat.answer('call_1', { approved: true });
    rig.useStock(second === true);
    expect(await chat.send()).toMatchObject({ text: 'Five.', finishReason: 'stop' });
    expect(runs).toEqual([{ a: 4, b: 1 }]);
    expect(outputs(rig.requests[1])).toEqual([['call_1', '5']]);
    chat.say('Thanks.');
    rig.useStock(first === true);
    await chat.send();
    expect(outline(rig.requests[2])).toEqual([
      `user ${question}`,
      'call add',
      'output 5',
      'says Five.',
      'user Thanks.',
    ]);
    expect(runs).toHaveLength(1);
  });

  it('never runs after a no that the other provider is told', async () => {
    const { add: own, runs } = adder();
    const rig = await fallbackRig(steps().slice(0, 2), { settings: { tools: { add: own }, approve: ask } });
    const chat = road(rig);
    await chat.send();
    chat.answer('call_1', { approved: false, reason: 'Too dear.' });
    rig.useStock(true);
    await chat.send();
    expect(runs).toEqual([]);
    expect(outputs(rig.requests[1])).toEqual([['call_1', expect.stringContaining('Too dear')]]);
  });
});

describe('a conversation that the raw stock provider began', () => {
  it('goes on under either, with what its tools said', async () => {
    const history: ModelMessage[] = [
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: [
          {
            type: 'reasoning',
            text: 'Hm.',
            providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' } },
          },
          {
            type: 'tool-call',
            toolCallId: 'c1',
            toolName: 'clock',
            input: {},
            providerOptions: { openai: { itemId: 'fc_1' } },
          },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'clock', output: { type: 'text', value: 'noon' } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Noon.', providerOptions: { openai: { itemId: 'msg_1' } } }],
      },
      { role: 'user', content: 'Sure?' },
    ];
    const rig = await fallbackRig([reply(says('resp_1', 'Yes.')), reply(says('resp_2', 'Yes.'))]);
    for (const stock of [false, true]) {
      rig.useStock(stock);
      const result = await generateText({ model: rig.model, messages: history });
      expect(await messagesOf(result)).toHaveLength(1);
    }
    const lived = [`user ${question}`, 'thinks sealed', 'call clock', 'output noon', 'says Noon.', 'user Sure?'];
    expect(rig.requests.map(outline)).toEqual([lived, lived]);
    expect(choicesIn(rig.events)).toEqual(['primary: flag', 'stock: flag']);
  });
});
