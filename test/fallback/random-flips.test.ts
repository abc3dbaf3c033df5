import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ResponseDescription } from '../../src/testing.js';
import { reply, says } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';
import { fallbackRig, meaningOf } from '../sdks/support/fallback.js';
import { examples } from '../helpers/nightly.js';

type Output = NonNullable<ResponseDescription['output']>[number];
interface Turn {
  readonly rounds: readonly (readonly ('thought' | 'long thought' | 'text' | 'look' | 'fail' | 'ask')[])[];
  readonly stock: boolean;
  readonly streamed: boolean;
}

const CALLS = new Set(['look', 'fail', 'ask']);
const isCalling = (round: readonly string[]): boolean => round.some((kind) => CALLS.has(kind));

const round = fc.array(fc.constantFrom('thought', 'long thought', 'text', 'look', 'fail', 'ask'), { maxLength: 4 });
const turn: fc.Arbitrary<Turn> = fc.record({
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

const tools = { look: toolOf(() => ({ ducks: 6 })), fail: toolOf(() => Promise.reject(new Error('disk full'))) };
const inputSchema = jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } } });
const client = { ask: tool({ inputSchema, execute: () => 'yes' }) };

async function play(turns: readonly Turn[], stockOf: (turn: Turn) => boolean): Promise<unknown> {
  const steps = [...descriptionsOf(turns), says('resp_last', 'Bye.')].map(reply);
  const rig = await fallbackRig(steps, { settings: { tools } });
  let messages: ModelMessage[] = [];
  const ask = async (streamed: boolean): Promise<void> => {
    messages = [...messages, { role: 'user', content: 'Next.' }];
    const call = { model: rig.model, messages, tools: client, stopWhen: stepCountIs(9) };
    const result = streamed ? streamText(call) : await generateText(call);
    if ('consumeStream' in result) await result.consumeStream();
    messages = [...messages, ...(await result.response).messages];
  };
  for (const one of turns) {
    rig.useStock(stockOf(one));
    await ask(one.streamed);
  }
  rig.useStock(stockOf({ rounds: [], stock: turns.at(-1)?.stock !== true, streamed: false }));
  await ask(false);
  return rig.requests.map(meaningOf);
}

const runs = Number(process.env['FLIP_RUNS'] ?? examples(8, 60));

it('whatever is said and whoever says it, every request means the same', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
      expect(await play(turns, ({ stock }) => stock)).toEqual(await play(turns, () => false));
    }),
    { numRuns: runs, ...((process.env['FLIP_RUNS'] ?? process.env['FC_SEED']) ? {} : { seed: 62 }) },
  );
});
