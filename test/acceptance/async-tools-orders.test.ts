import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createScriptedServer, type ResponseDescription, type ScriptedRequest } from 'responses-loop/testing';
import { answer, VERSIONS, user } from './support/any-version.js';
import { brokenPairs } from './support/go-back.js';
import { replyTo } from './support/rig.js';
import { signalTower, toolOf } from './support/tools.js';
import { asString } from '../../src/util/guards.js';

type Output = NonNullable<ResponseDescription['output']>[number];

/** An async call: the round in which the model makes it, and the request that its function waits for. */
interface Drawn {
  readonly round: number;
  readonly endsAt: number;
  readonly ends: 'well' | 'throws';
}

const ROUNDS = 4;
const drawn = fc.record<Drawn>({
  round: fc.nat(ROUNDS - 1),
  endsAt: fc.nat(ROUNDS + 1),
  ends: fc.constantFrom('well', 'well', 'throws'),
});
const story = fc.record({
  calls: fc.array(drawn, { minLength: 1, maxLength: 5 }),
  /** Rounds in which the model also calls a function that it waits for. */
  plain: fc.array(fc.boolean(), { minLength: ROUNDS, maxLength: ROUNDS }),
  version: fc.constantFrom(...(['v2', 'v3', 'v4'] as const)),
  method: fc.constantFrom(...(['doStream', 'doGenerate'] as const)),
});

const idOf = (at: number): string => `call_slow_${at}`;

/** Faults of a request. An async call may be without its output. */
function faultsOf({ input }: ScriptedRequest, asyncIds: ReadonlySet<string>): string[] {
  const open = new Set([...asyncIds].map((id) => `function_call ${id} without its output`));
  return brokenPairs(input).filter((fault) => !open.has(fault));
}

it('async functions that end in any order have one output each, no request breaks a pair, and none runs twice', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ calls, plain, version, method }) => {
      const towers = calls.map(() => signalTower());
      const runs: string[] = [];
      const requests: ScriptedRequest[] = [];
      const asyncIds = new Set(calls.map((_, at) => idOf(at)));
      await using server = await createScriptedServer({
        steps: [],
        otherwise: (request) => {
          const round = requests.push(request) - 1;
          const output = round < ROUNDS ? outputOf(round) : [said];
          // Without another call the loop waits for them, and no further request could release them.
          const isWaiting = !output.some(({ type }) => type === 'call');
          for (const [at, { endsAt }] of calls.entries()) if (endsAt <= round || isWaiting) towers[at]?.reach();
          return replyTo(request, { id: `resp_${round}`, output });
        },
      });
      const slow = toolOf(
        async (_, { toolCallId }) => {
          const at = Number(toolCallId.split('_').at(-1));
          runs.push(toolCallId);
          await towers[at]?.reached;
          if (calls[at]?.ends === 'throws') throw new Error(`no ${toolCallId}`);
          return `result of ${toolCallId}`;
        },
        { async: true },
      );
      await using provider = VERSIONS[version]({
        baseURL: server.baseURL,
        apiKey: 'test',
        backend: 'openai',
        tools: { slow, quick: toolOf(() => 'quick') },
      });
      const parts = await answer(provider('gpt-test'), method, { prompt: [user('Go.')] });

      expect(requests.flatMap((request) => faultsOf(request, asyncIds))).toEqual([]);
      expect(runs.toSorted()).toEqual([...asyncIds].filter((id) => wasMade(id)).toSorted());
      const outputs = new Map(
        (requests.at(-1)?.input ?? [])
          .filter((item) => item['type'] === 'function_call_output')
          .map((item) => [asString(item['call_id']) ?? '', JSON.stringify(item['output'])]),
      );
      for (const [at, { ends }] of calls.entries()) {
        if (!wasMade(idOf(at))) continue;
        expect(outputs.get(idOf(at))).toContain(ends === 'well' ? `result of ${idOf(at)}` : `no ${idOf(at)}`);
        const shown = parts.filter((part) => part.type === 'tool-result' && part['toolCallId'] === idOf(at));
        expect(shown).toHaveLength(version === 'v2' ? 0 : 1);
      }

      function outputOf(round: number): Output[] {
        const made = calls.flatMap((call, at): Output[] =>
          call.round === round ? [{ type: 'item', item: openCall(at) }] : [],
        );
        const quick: Output[] = plain[round]
          ? [{ type: 'call', name: 'quick', arguments: {}, callId: `call_quick_${round}` }]
          : [];
        return [...made, ...quick, ...(made.length + quick.length === 0 ? [said] : [])];
      }
      /** The model is not asked again after words that nothing is open behind. */
      function wasMade(id: string): boolean {
        return requests.some(({ input }) => input.some((item) => item['call_id'] === id)) || runs.includes(id);
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);

const said: Output = { type: 'text', text: 'Meanwhile.' };

const openCall = (at: number) => ({
  id: `fc_${idOf(at)}`,
  type: 'function_call',
  status: 'completed',
  call_id: idOf(at),
  name: 'slow',
  arguments: JSON.stringify({ at }),
  async: true,
});
