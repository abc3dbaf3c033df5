import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider } from '../../src/v3.js';
import type { JsonObject } from '../../src/core/json.js';
import type { CallOptions } from './support/parts.js';
import { readAll } from './support/parts.js';
import { reply, rigOf, says } from './support/rig.js';
import { itemsOfType, outputs } from './support/wire.js';

type Part = Readonly<Record<string, unknown>> & { readonly type: string };
type Prompt = CallOptions['prompt'];

/** Whether a call needs the user, what he says, and in which of two goes he says it. */
const call = fc.record({
  asks: fc.boolean(),
  says: fc.boolean(),
  late: fc.boolean(),
  readOnly: fc.boolean(),
});
const round = fc.record({
  made: fc.array(call, { minLength: 1, maxLength: 4 }),
  /** Where among them a call of the caller's stands, if there is one. */
  client: fc.option(fc.nat(4)),
  /** Whether the user has answered by the time the caller has. */
  isQuick: fc.boolean(),
});
const scenario = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
  streams: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  /** Servers may begin anew with `call_0` in every round. */
  restarts: fc.boolean(),
  denials: fc.array(fc.constantFrom('response', 'result', 'both'), { minLength: 1, maxLength: 3 }),
  reason: fc.option(fc.constant('Too dear.'), { nil: undefined }),
});
type Denial = 'response' | 'result' | 'both';

/** A call of the plan; its key is in its arguments, as ids may come again. */
interface PlannedCall {
  readonly key: string;
  readonly name: 'read' | 'write' | 'clock';
  readonly asks: boolean;
  readonly says: boolean;
  readonly late: boolean;
}

function plannedRounds(rounds: readonly (typeof round extends fc.Arbitrary<infer T> ? T : never)[]): PlannedCall[][] {
  return rounds.map(({ made, client }, index) => {
    const all: Omit<PlannedCall, 'key'>[] = made.map(({ readOnly, ...one }) => ({
      ...one,
      name: readOnly ? 'read' : 'write',
    }));
    const clock = { name: 'clock', asks: false, says: false, late: false } as const;
    if (client !== null) all.splice(client, 0, clock);
    return all.map((one, slot) => ({ ...one, key: `${index}_${slot}` }));
  });
}

/** A user's word in the prompt. `generateText` of `ai` 6 and 7 writes a no as the result of the call. */
function toAnswers(request: Part, isYes: boolean, denial: Denial, reason: string | undefined): JsonObject[] {
  const approvalId = String(request['approvalId']);
  const why = reason === undefined ? {} : { reason };
  const response = { type: 'tool-approval-response', approvalId, approved: isYes, ...(isYes ? {} : why) };
  const result = {
    type: 'tool-result',
    toolCallId: String(request['toolCallId']),
    toolName: 'any',
    output: { type: 'execution-denied', ...why, providerOptions: { openai: { approvalId } } },
  };
  if (isYes || denial === 'response') return [response];
  return denial === 'result' ? [result] : [response, result];
}

/** What the SDK makes of a part when it becomes history. */
function toHistory(part: Part): JsonObject[] {
  const { toolCallId, toolName, providerMetadata: providerOptions } = part;
  const options = providerOptions === undefined ? {} : { providerOptions };
  const executed = part['providerExecuted'] === true ? { providerExecuted: true } : {};
  const named = { toolCallId, toolName, ...options };
  const kept: Part[] =
    part.type === 'tool-call'
      ? [{ type: 'tool-call', input: JSON.parse(String(part['input'])), ...executed, ...named }]
      : part.type === 'tool-result'
        ? [{ type: 'tool-result', output: { type: 'text', value: part['result'] }, ...named }]
        : part.type === 'text' || part.type === 'reasoning'
          ? [{ type: part.type, text: part['text'], ...options }]
          : [];
  return kept as unknown as JsonObject[];
}

/** Stream parts with their texts put together. */
function collected(parts: readonly Part[]): Part[] {
  const texts = new Map<unknown, string>();
  for (const part of parts)
    if (part.type.endsWith('-delta')) texts.set(part['id'], (texts.get(part['id']) ?? '') + String(part['delta']));
  return parts.map((part) =>
    part.type === 'text-end' || part.type === 'reasoning-end'
      ? { ...part, type: part.type.slice(0, -4), text: texts.get(part['id']) ?? '' }
      : part,
  );
}

describe('calls that wait for the user', () => {
  it('run once after a yes and never otherwise, and every request holds each call with its one output', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ rounds, streams, restarts, denials, reason }) => {
        const planned = plannedRounds(rounds);
        const all = planned.flat();
        const of = (key: unknown) => all.find((one) => one.key === key);
        const runs: string[] = [];
        const tool = (readOnly: boolean) => ({
          description: 'A tool of the test.',
          readOnly,
          execute: ({ key }: Readonly<Record<string, unknown>>) => {
            runs.push(String(key));
            return `ran ${String(key)}`;
          },
        });
        const { model, requests } = await rigOf(
          createResponsesProvider,
          [
            ...planned.map((made, index) =>
              reply({
                id: `resp_${index}`,
                output: made.map(({ key, name }, slot) => ({
                  type: 'call',
                  name,
                  arguments: { key },
                  callId: restarts ? `call_${slot}` : `call_${key}`,
                })),
              }),
            ),
            reply(says('resp_last', 'Done.')),
          ],
          {
            tools: { read: tool(true), write: tool(false) },
            approve: ({ arguments: { key } }) => (of(key)?.asks === true ? 'ask' : true),
          },
        );
        const prompt: JsonObject[] = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }];
        const tools = [{ type: 'function', name: 'clock', inputSchema: { type: 'object', properties: {} } }] as const;
        let done = false;
        for (let turn = 0; !done; turn += 1) {
          expect(turn).toBeLessThan(30);
          const options = { prompt: structuredClone(prompt) as unknown as Prompt, tools: [...tools] };
          const isStream = streams[turn % streams.length] === true;
          const parts = (
            isStream
              ? collected((await readAll((await model.doStream(options)).stream)) as unknown as Part[])
              : (await model.doGenerate(options)).content
          ) as readonly Part[];
          prompt.push({ role: 'assistant', content: parts.flatMap(toHistory) });
          const keys = new Map<unknown, string>();
          for (const part of parts) if (part.type === 'tool-call') keys.set(part['toolCallId'], keyIn(part['input']));
          const fromClient = parts.filter(({ type, toolName }) => type === 'tool-call' && toolName === 'clock');
          const asked = parts.filter(({ type }) => type === 'tool-approval-request');
          const plannedOf = ({ toolCallId }: Part) => of(keys.get(toolCallId));
          const isSlow = fromClient.some((part) => !isQuickIn(rounds, keys.get(part['toolCallId'])));
          const now = asked.filter((request) => plannedOf(request)?.late !== true);
          const answered = isSlow ? [] : now.length > 0 ? now : asked;
          const content = [
            ...answered.flatMap((request, nth) =>
              toAnswers(
                request,
                plannedOf(request)?.says === true,
                denials[(turn + nth) % denials.length] ?? 'both',
                reason,
              ),
            ),
            ...fromClient.map(({ toolCallId }) => ({
              type: 'tool-result',
              toolCallId: String(toolCallId),
              toolName: 'clock',
              output: { type: 'text', value: `ran ${keys.get(toolCallId)}` },
            })),
          ];
          if (content.length > 0) prompt.push({ role: 'tool', content });
          done = content.length === 0;
        }
        const allowed = all.filter((one) => isOurs(one) && (!one.asks || one.says)).map(({ key }) => key);
        expect(runs.toSorted()).toEqual(allowed.toSorted());
        expect(requests).toHaveLength(planned.length + 1);
        requests.forEach((request, index) => {
          const before = planned.slice(0, index).flat();
          const called = itemsOfType(request, 'function_call');
          expect(called.map((item) => keyIn(item['arguments']))).toEqual(before.map(({ key }) => key));
          expect(outputs(request)).toEqual(
            before.map(({ key, asks, says: yes }, nth) => [
              called[nth]?.['call_id'],
              !asks || yes
                ? `ran ${key}`
                : expect.stringMatching(reason === undefined ? /denied|not allow/ : /Too dear/),
            ]),
          );
        });
      }),
      { numRuns: 100 },
    );
  });
});

function keyIn(args: unknown): string {
  return (JSON.parse(args as string) as { key: string }).key;
}

function isOurs({ name }: PlannedCall): boolean {
  return name !== 'clock';
}

function isQuickIn(rounds: readonly { readonly isQuick: boolean }[], key: string | undefined): boolean {
  return rounds[Number(key?.split('_')[0])]?.isQuick === true;
}
