import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool, type UserContent } from 'ai';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ResponseDescription } from '../../src/testing.js';
import { reply, says } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';
import { fallbackRig, meaningOf } from '../sdks/support/fallback.js';
import { defined } from '../../src/util/defined.js';
import { examples } from '../helpers/nightly.js';

type Output = NonNullable<ResponseDescription['output']>[number];
const PIXEL = 'iVBORw0KGgo=';

interface Turn {
  readonly question: UserContent;
  readonly rounds: readonly (readonly string[])[];
  readonly stock: boolean;
  readonly streamed: boolean;
}

/** Room for whole conversations, or for a few rounds of one. */
interface Chat {
  readonly turns: readonly Turn[];
  readonly maxLoopChars: number | undefined;
}

const CALLS = new Set(['look', 'fail', 'ask', 'draw']);
const isCalling = (round: readonly string[]): boolean => round.some((kind) => CALLS.has(kind));

const providerOptions = fc.constantFrom(
  undefined,
  { openai: { imageDetail: 'low' } },
  { openai: { promptCacheBreakpoint: { mode: 'explicit' } } },
  { 'responses-loop': { imageDetail: 'high', promptCacheBreakpoint: { mode: 'explicit' } } },
  { anthropic: { cacheControl: { type: 'ephemeral' } } },
);
const PDF = { type: 'file', mediaType: 'application/pdf' } as const;
const part: fc.Arbitrary<Exclude<UserContent, string>[number]> = fc
  .tuple(
    fc.constantFrom(
      { type: 'text', text: 'Next.' } as const,
      { type: 'image', image: PIXEL } as const,
      { type: 'image', image: new URL('https://ducks.test/duck.png'), mediaType: 'image/png' } as const,
      { ...PDF, data: 'file-duck' },
      { ...PDF, data: 'JVBERi0=' },
      { ...PDF, data: 'JVBERi0=', filename: 'ducks.pdf' },
      { ...PDF, data: new URL('https://ducks.test/ducks.pdf') },
      { type: 'file', data: PIXEL, mediaType: 'image/png', filename: 'duck.png' } as const,
    ),
    providerOptions,
  )
  .map(([made, options]) => (options === undefined ? made : { ...made, providerOptions: options }));

const said = fc.constantFrom('thought', 'long thought', 'text', 'look', 'fail', 'ask', 'draw');
const round = fc.array(said, { maxLength: 4 });
const turn: fc.Arbitrary<Turn> = fc.record({
  question: fc.oneof(fc.constant('Next.'), fc.array(part, { minLength: 1, maxLength: 3 })),
  rounds: fc.array(round.filter(isCalling), { maxLength: 3 }),
  stock: fc.boolean(),
  streamed: fc.boolean(),
});

/** What the server answers, round by round: each turn ends in words. */
function descriptionsOf(turns: readonly Turn[]): ResponseDescription[] {
  let count = 0;
  const next = (): number => (count += 1);
  const OUTPUTS: Readonly<Record<string, () => Output>> = {
    thought: () => ({ type: 'reasoning', summary: ['Hm.'], encrypted: `sealed ${next()}` }),
    'long thought': () => ({ type: 'reasoning', summary: ['Hm.', 'So.'], encrypted: `sealed ${next()}` }),
    text: () => ({ type: 'text', text: `Text ${next()}.` }),
  };
  const toOutput = (kind: string): Output =>
    OUTPUTS[kind]?.() ?? { type: 'call', name: kind, arguments: { n: next() }, callId: `call_${count}` };
  return turns.flatMap(({ rounds }) => [
    ...rounds.map((kinds) => ({ id: `resp_${next()}`, output: kinds.map(toOutput) })),
    { id: `resp_${next()}`, output: [toOutput('thought'), toOutput('text')] },
  ]);
}

const chat: fc.Arbitrary<Chat> = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
  maxLoopChars: fc.constantFrom(undefined, 700),
});

const tools = {
  look: toolOf(() => ({ ducks: 6 })),
  fail: toolOf(() => Promise.reject(new Error('disk full'))),
  draw: toolOf(() => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] })),
};
const inputSchema = jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } } });
const client = { ask: tool({ inputSchema, execute: () => 'yes' }) };

async function play({ turns, maxLoopChars }: Chat, stockOf: (turn: Turn) => boolean): Promise<unknown> {
  const steps = [...descriptionsOf(turns), says('resp_last', 'Bye.')].map(reply);
  const rig = await fallbackRig(steps, { settings: { tools, ...defined({ maxLoopChars }) } });
  let messages: ModelMessage[] = [];
  const ask = async ({ streamed, question }: Turn): Promise<void> => {
    messages = [...messages, { role: 'user', content: question }];
    const call = { model: rig.model, messages, tools: client, stopWhen: stepCountIs(9) };
    const result = streamed ? streamText(call) : await generateText(call);
    if ('consumeStream' in result) await result.consumeStream();
    messages = [...messages, ...(await result.response).messages];
  };
  for (const one of turns) {
    rig.useStock(stockOf(one));
    await ask(one);
  }
  const last: Turn = { question: 'Next.', rounds: [], stock: turns.at(-1)?.stock !== true, streamed: false };
  rig.useStock(stockOf(last));
  await ask(last);
  return rig.requests.map(meaningOf);
}

const runs = Number(process.env['FLIP_RUNS'] ?? examples(8, 60));

it('whatever is said and whoever says it, every request means the same', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(chat, async (one) => {
      expect(await play(one, ({ stock }) => stock)).toEqual(await play(one, () => false));
    }),
    { numRuns: runs, ...((process.env['FLIP_RUNS'] ?? process.env['FC_SEED']) ? {} : { seed: 62 }) },
  );
});
