import {
  generateText,
  jsonSchema,
  type ModelMessage,
  stepCountIs,
  streamText,
  tool,
  type ToolSet,
  type UIMessage,
} from 'ai';
import { describe, expect, inject, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import type { ResponseDescription } from 'responses-loop/testing';
import { reply, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { choicesIn, type FallbackRig, fallbackRig, meaningOf } from './support/fallback.js';
import { type Generated, messagesOf, type Streamed, toModelMessages, uiMessageOf } from './support/sdk.js';
import { stored } from './support/turns.js';

const thought = (summary: readonly string[], encrypted: string) => ({ type: 'reasoning', summary, encrypted }) as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;
const call = (name: string, callId: string, args = {}) => ({ type: 'call', name, arguments: args, callId }) as const;

/** Six turns, each with the rounds it takes: every kind of thing that one provider may write and the other has to read. */
const TURNS: readonly (readonly ResponseDescription[])[] = [
  [
    {
      id: 'r1',
      output: [
        thought(['I add.', 'Twice.'], 'sealed 1'),
        call('add', 'c1', { a: 1, b: 1 }),
        call('add', 'c2', { a: 2, b: 2 }),
      ],
    },
    { id: 'r2', output: [thought(['Done.'], 'sealed 2'), text('Two and four.')] },
  ],
  [{ id: 'r3', output: [thought([], 'sealed 3'), text('Hello.')] }],
  [
    { id: 'r4', output: [text('Let me look.'), call('find', 'c3', { what: 'ducks' })] },
    { id: 'r5', output: [thought(['And add.'], 'sealed 5'), call('add', 'c4', { a: 3, b: 3 })] },
    { id: 'r6', output: [{ ...text('Six ducks.'), phase: 'final_answer' }] },
  ],
  [
    { id: 'r7', output: [thought(['The caller knows.'], 'sealed 7'), call('ask', 'c5', { question: '?' })] },
    says('r8', 'He says yes.'),
  ],
  [
    { id: 'r9', output: [call('broken', 'c6')] },
    { id: 'r10', output: [thought(['It broke.'], 'sealed 10'), text('It broke.')] },
  ],
  [
    {
      id: 'r11',
      output: [
        thought(['Both.'], 'sealed 11'),
        call('add', 'c7', { a: 4, b: 4 }),
        call('ask', 'c8', { question: '!' }),
      ],
    },
    says('r12', 'Eight, and yes.'),
  ],
];

/** Steps of the AI SDK in each turn: the caller's tool makes two of one. */
const STEPS = [1, 1, 1, 2, 1, 2];

const ANSWERS = ['Two and four.', 'Hello.', 'Let me look.Six ducks.', 'He says yes.', 'It broke.', 'Eight, and yes.'];

const tools = {
  add: adder().add,
  find: toolOf(() => ({ ducks: 6 })),
  broken: toolOf(() => Promise.reject(new Error('disk full'))),
};

/** The caller's own tool, which the AI SDK runs between two steps. */
const ask = tool({
  inputSchema: jsonSchema<{ question: string }>({ type: 'object', properties: { question: { type: 'string' } } }),
  execute: () => 'yes',
});

type Layout = (
  model: FallbackRig['model'],
  use: (turn: number) => void,
) => Promise<{ texts: string[]; messages: ModelMessage[] }>;

const stopWhen = stepCountIs(5);

interface AskOptions {
  readonly model: FallbackRig['model'];
  readonly messages: ModelMessage[];
  readonly tools: ToolSet;
  readonly stopWhen: typeof stopWhen;
}

function responseMessages(run: (options: AskOptions) => Promise<Streamed | Generated>): Layout {
  return async (model, use) => {
    let messages: ModelMessage[] = [];
    const texts: string[] = [];
    for (const turn of TURNS.keys()) {
      use(turn);
      messages = [...messages, { role: 'user', content: `Question ${turn}` }];
      const result = await run({ model, messages, tools: { ask }, stopWhen });
      messages = stored([...messages, ...(await messagesOf(result))]);
      texts.push(await result.text);
    }
    return { texts, messages };
  };
}

/** What an app keeps of its conversation, in the ways it can keep it. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  'response messages of streamText': responseMessages(async (options) => {
    const result = streamText<ToolSet>(options);
    await result.consumeStream();
    return result;
  }),
  'response messages of generateText': responseMessages(async (options) => generateText<ToolSet>(options)),
  'UI messages': async (model, use) => {
    let messages: UIMessage[] = [];
    const texts: string[] = [];
    for (const turn of TURNS.keys()) {
      use(turn);
      messages = [...messages, { id: `u${turn}`, role: 'user', parts: [{ type: 'text', text: `Question ${turn}` }] }];
      const result = streamText<ToolSet>({
        model,
        messages: await toModelMessages(messages),
        tools: { ask },
        stopWhen,
      });
      messages = stored([...messages, await uiMessageOf(result)]);
      texts.push(await result.text);
    }
    return { texts, messages: await toModelMessages(messages) };
  },
};

/** Plays the six turns with the flag as the pattern says, and gives back what a seventh turn sends. */
async function play(
  layout: Layout,
  pattern: readonly boolean[],
  last: boolean,
  settings: ResponsesProviderSettings = {},
) {
  const steps = [...TURNS.flat(), says('r13', 'Bye.')].map(reply);
  const rig = await fallbackRig(steps, { settings: { tools, ...settings } });
  const { texts, messages } = await layout(rig.model, (turn) => rig.useStock(pattern[turn] === true));
  rig.useStock(last);
  const { text: bye } = await generateText({
    model: rig.model,
    messages: [...messages, { role: 'user', content: 'Thanks.' }],
    tools: { ask },
  });
  expect(texts).toEqual(ANSWERS);
  expect(bye).toBe('Bye.');
  expect(choicesIn(rig.events).filter((choice) => choice === 'stock: flag')).toHaveLength(
    [...pattern.slice(0, TURNS.length), last].reduce((sum, stock, turn) => sum + (stock ? (STEPS[turn] ?? 1) : 0), 0),
  );
  const dropped = rig.events.filter((event) => event.type === 'warning' && event.message.includes('metadata'));
  expect(dropped).toEqual([]);
  return rig.requests.map(meaningOf);
}

const ALL = Array.from({ length: 2 ** TURNS.length }, (_, bits) =>
  TURNS.map((_turn, turn) => ((bits >> turn) & 1) === 1),
);

/** With every pairing of SDK and specification: one flip forward or back between any two turns, and one at each of them. */
const SOME = ALL.filter((pattern) => {
  const flips = pattern.filter((stock, turn) => turn > 0 && stock !== pattern[turn - 1]).length;
  return flips === 1 || flips === TURNS.length - 1;
});

const PATTERNS = inject('pairing') === undefined ? ALL : SOME;

describe('flipping the flag between any two turns', () => {
  for (const [name, layout] of Object.entries(LAYOUTS))
    it(`loses nothing of what is signed, whoever answered (${name})`, { timeout: 120_000 }, async () => {
      const settings = { historySecret: 'a secret of sixteen' };
      const expected = await play(layout, [], false);
      for (const pattern of SOME) expect(await play(layout, pattern, pattern[0] !== true, settings)).toEqual(expected);
    });

  for (const [name, layout] of Object.entries(LAYOUTS))
    it(`loses nothing in either direction (${name})`, { timeout: 120_000 }, async () => {
      const expected = await play(layout, [], false);
      expect(expected).toHaveLength(TURNS.flat().length + 1);
      for (const pattern of PATTERNS) {
        const said = pattern.map((stock) => (stock ? 'S' : 'P')).join('');
        expect({ said, requests: await play(layout, pattern, pattern[0] !== true) }).toEqual({
          said,
          requests: expected,
        });
      }
    });
});
