import { generateText, jsonSchema, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { offered, outline, outputs } from '../acceptance/support/wire.js';
import { fullPartsOf, showsAll } from './support/sdk.js';

const ROADS = ['stream', 'generate'] as const;
const askSchema = { type: 'object', properties: { question: { type: 'string' } } } as const;

const own = (a: number, callId: string) => ({ type: 'call', name: 'add', arguments: { a, b: 1 }, callId }) as const;
const theirs = (question: string, callId: string) =>
  ({ type: 'call', name: 'ask', arguments: { question }, callId }) as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;

/** A tool of the caller's that answers, and remembers what it was asked. */
function asker(): { readonly tools: ToolSet; readonly asked: string[] } {
  const asked: string[] = [];
  const ask = tool({
    inputSchema: jsonSchema<{ question: string }>(askSchema),
    execute: ({ question }) => {
      asked.push(question);
      return `yes to ${question}`;
    },
  });
  return { tools: { ask }, asked };
}

async function play(road: (typeof ROADS)[number], { model }: Rig, tools: ToolSet) {
  const options = { model, prompt: 'Go.', tools, stopWhen: stepCountIs(9) };
  const result = road === 'stream' ? streamText(options) : await generateText(options);
  const steps = await result.steps;
  return { steps, reasons: steps.map(({ finishReason }) => finishReason), text: await result.text };
}

describe.each(ROADS)('rounds with calls of ours and of the caller’s, on the %s road', (road) => {
  it.each([
    ['own first', [own(1, 'call_own'), theirs('A?', 'call_client')]],
    ['client first', [theirs('A?', 'call_client'), own(1, 'call_own')]],
  ] as const)('we run ours, the SDK runs theirs, and the second call carries both (%s)', async (_name, output) => {
    const { add, runs } = adder();
    const { tools, asked } = asker();
    const played = await rig([reply({ id: 'resp_1', output }), reply(says('resp_2', 'Done.'))], { tools: { add } });
    const { reasons, text: said } = await play(road, played, tools);
    expect([said, reasons]).toEqual(['Done.', ['tool-calls', 'stop']]);
    expect([runs.length, asked]).toEqual([1, ['A?']]);
    expect(played.requests).toHaveLength(2);
    expect(new Map(outputs(played.requests[1]))).toEqual(
      new Map([
        ['call_own', '2'],
        ['call_client', 'yes to A?'],
      ]),
    );
    expect(outline(played.requests[1])).toHaveLength(5);
    expect(offered(played.requests[1]).toSorted()).toEqual(['add', 'ask']);
  });

  it.each([
    ['before', ['mcp_list_tools', 'function_call', 'function_call_output']],
    ['behind', ['function_call', 'function_call_output', 'mcp_list_tools']],
  ] as const)(
    'an item of the server %s the caller’s call keeps its place, without tools of ours',
    async (where, types) => {
      const { tools } = asker();
      const listed = {
        type: 'item' as const,
        item: { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'maps', tools: [] },
      };
      const call = theirs('A?', 'call_1');
      const output = where === 'before' ? [listed, call] : [call, listed];
      const played = await rig([reply({ id: 'resp_1', output }), reply(says('resp_2', 'Done.'))]);
      await play(road, played, tools);
      expect(played.requests[1]?.input.slice(1).map(({ type }) => type)).toEqual(types);
    },
  );

  it('several of them in a row: every call is followed by its one output, in order, and nothing is said twice', async () => {
    const { add } = adder();
    const { tools } = asker();
    const played = await rig(
      [
        reply({ id: 'resp_1', output: [text('First I add.'), own(1, 'call_1')] }),
        reply({ id: 'resp_2', output: [text('Add and ask.'), own(2, 'call_2'), theirs('A?', 'call_3')] }),
        reply({ id: 'resp_3', output: [own(3, 'call_4')] }),
        reply({ id: 'resp_4', output: [own(4, 'call_5'), theirs('B?', 'call_6')] }),
        reply(says('resp_5', 'Done.')),
      ],
      { tools: { add } },
    );
    const { reasons } = await play(road, played, tools);
    expect(reasons).toEqual(['tool-calls', 'tool-calls', 'stop']);
    const last = played.requests[4];
    expect(outputs(last)).toEqual([
      ['call_1', '2'],
      ['call_2', '3'],
      ['call_3', 'yes to A?'],
      ['call_4', '4'],
      ['call_5', '5'],
      ['call_6', 'yes to B?'],
    ]);
    expect(outline(last).filter((line) => line.startsWith('says'))).toEqual(['says First I add.', 'says Add and ask.']);
    expect(unanswered(last?.input ?? [])).toEqual([]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
  ])(
    'a call of theirs in a response that was cut short (%s) is not run, and no step follows',
    async (reason, ending) => {
      const { tools, asked } = asker();
      const output = [text('Hm.'), theirs('A?', 'call_client')];
      const played = await rig([reply({ id: 'resp_1', status: 'incomplete', incompleteReason: reason, output })], {
        tools: { add: adder().add },
      });
      const { reasons } = await play(road, played, tools);
      expect([asked, reasons, played.requests.length]).toEqual([[], [ending], 1]);
    },
  );

  it('a server that counts its calls anew in every response gives no id a second time', async () => {
    const { add } = adder();
    const { tools } = asker();
    const played = await rig(
      [
        reply({ id: 'resp_1', output: [own(1, 'call_0'), theirs('A?', 'call_1')] }),
        reply({ id: 'resp_2', output: [own(2, 'call_0'), theirs('B?', 'call_1')] }),
        reply(says('resp_3', 'Done.')),
      ],
      { tools: { add } },
    );
    const { steps } = await play(road, played, tools);
    const ids = steps.flatMap((step) => step.toolCalls.map(({ toolCallId }) => toolCallId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(outputs(played.requests[2]).map(([, output]) => output)).toEqual(['2', 'yes to A?', '3', 'yes to B?']);
  });

  it('a client tool without execute ends the call, and its output comes with the next one', async () => {
    const { add } = adder();
    const played = await rig(
      [
        reply({ id: 'resp_1', output: [own(1, 'call_own'), theirs('A?', 'call_client')] }),
        reply(says('resp_2', 'Done.')),
      ],
      { tools: { add } },
    );
    const tools: ToolSet = { ask: { inputSchema: jsonSchema(askSchema) } };
    const { steps, reasons } = await play(road, played, tools);
    expect(reasons).toEqual(['tool-calls']);
    const called = steps.flatMap((step) => step.toolCalls).filter(({ toolName }) => toolName === 'ask');
    expect(called).toMatchObject([{ toolCallId: 'call_client', input: { question: 'A?' } }]);
    const { messages } = (steps[0] as NonNullable<(typeof steps)[0]>).response;
    await generateText({
      model: played.model,
      tools,
      messages: [
        { role: 'user', content: 'Go.' },
        ...messages,
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_client',
              toolName: 'ask',
              output: { type: 'text', value: 'yes to A?' },
            },
          ],
        },
      ],
    });
    expect(outline(played.requests[1])).toEqual(['user Go.', 'call add', 'call ask', 'output 2', 'output yes to A?']);
  });
});

/** Calls that no output follows, and outputs that follow no call. */
function unanswered(input: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  const called = input.filter((item) => item['type'] === 'function_call').map((item) => item['call_id']);
  const answered = input.filter((item) => item['type'] === 'function_call_output').map((item) => item['call_id']);
  return [
    ...called.filter((callId) => !answered.includes(callId)),
    ...answered.filter((callId) => !called.includes(callId)),
    ...(called.length === answered.length ? [] : ['not as many outputs as calls']),
  ];
}

describe('the parts of a mixed round', () => {
  it('are the result of ours, then the call of theirs, then the result of theirs', async () => {
    const { tools } = asker();
    const { model } = await rig(
      [
        reply({ id: 'resp_1', output: [theirs('A?', 'call_client'), own(1, 'call_own')] }),
        reply(says('resp_2', 'Done.')),
      ],
      { tools: { add: adder().add } },
    );
    const parts = await fullPartsOf(streamText({ model, prompt: 'Go.', tools, stopWhen: stepCountIs(5) }));
    const order = parts
      .filter(({ type }) => ['tool-call', 'tool-result', 'finish-step', 'error'].includes(type))
      .map((part) => [part.type, part['toolName']]);
    expect(order).toEqual([
      ...(showsAll
        ? [
            ['tool-call', 'add'],
            ['tool-result', 'add'],
          ]
        : []),
      ['tool-call', 'ask'],
      ['tool-result', 'ask'],
      ['finish-step', undefined],
      ['finish-step', undefined],
    ]);
  });

  it('with a tool of the same name on both sides the caller’s keeps it, and ours is renamed', async () => {
    const { add, runs } = adder();
    const mine: unknown[] = [];
    const tools: ToolSet = {
      add: tool({
        inputSchema: jsonSchema<object>({ type: 'object' }),
        execute: (args) => (mine.push(args), 'theirs'),
      }),
    };
    const played = await rig([reply({ id: 'resp_1', output: [own(1, 'call_1')] }), reply(says('resp_2', 'Done.'))], {
      tools: { add },
    });
    await generateText({ model: played.model, prompt: 'Go.', tools, stopWhen: stepCountIs(5) });
    expect([mine.length, runs.length]).toEqual([1, 0]);
    expect(outputs(played.requests[1])).toEqual([['call_1', 'theirs']]);
    expect(new Set(offered(played.requests[0])).size).toBe(2);
  });
});
