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
const scenario = fc.record({
  rounds: fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  streams: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
});
type PlannedCall = typeof call extends fc.Arbitrary<infer T> ? T & { readonly callId: string } : never;

/** What the SDK makes of a part when it becomes history. */
function toHistory(part: Part): JsonObject[] {
  const { toolCallId, toolName, providerMetadata: providerOptions } = part;
  const options = providerOptions === undefined ? {} : { providerOptions };
  const named = { toolCallId, toolName, ...options };
  const kept: Part[] =
    part.type === 'tool-call'
      ? [{ type: 'tool-call', input: JSON.parse(String(part['input'])), providerExecuted: true, ...named }]
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
  it('I8 run once after a yes and never otherwise, and every request holds each call with its one output', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ rounds, streams }) => {
        const planned: PlannedCall[][] = rounds.map((made, round) =>
          made.map((one, slot) => ({ ...one, callId: `call_${round}_${slot}` })),
        );
        const all = planned.flat();
        const of = (callId: unknown) => all.find((one) => one.callId === callId);
        const runs: string[] = [];
        const tool = (readOnly: boolean) => ({
          description: 'A tool of the test.',
          readOnly,
          execute: (_args: unknown, { toolCallId }: { toolCallId: string }) => {
            runs.push(toolCallId);
            return `ran ${toolCallId}`;
          },
        });
        const { model, requests } = await rigOf(
          createResponsesProvider,
          [
            ...planned.map((made, round) =>
              reply({
                id: `resp_${round}`,
                output: made.map(({ callId, readOnly }) => ({
                  type: 'call',
                  name: readOnly ? 'read' : 'write',
                  arguments: {},
                  callId,
                })),
              }),
            ),
            reply(says('resp_last', 'Done.')),
          ],
          {
            tools: { read: tool(true), write: tool(false) },
            approve: ({ callId }) => (of(callId)?.asks === true ? 'ask' : true),
          },
        );
        const prompt: JsonObject[] = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }];
        let done = false;
        for (let turn = 0; !done; turn += 1) {
          expect(turn).toBeLessThan(20);
          const options = { prompt: structuredClone(prompt) as unknown as Prompt };
          const isStream = streams[turn % streams.length] === true;
          const parts = (
            isStream
              ? collected((await readAll((await model.doStream(options)).stream)) as unknown as Part[])
              : (await model.doGenerate(options)).content
          ) as readonly Part[];
          prompt.push({ role: 'assistant', content: parts.flatMap(toHistory) });
          const asked = parts.filter(({ type }) => type === 'tool-approval-request');
          const now = asked.filter(({ toolCallId }) => of(toolCallId)?.late !== true);
          const answered = now.length > 0 ? now : asked;
          if (answered.length > 0)
            prompt.push({
              role: 'tool',
              content: answered.map(({ approvalId, toolCallId }) => ({
                type: 'tool-approval-response',
                approvalId: String(approvalId),
                approved: of(toolCallId)?.says === true,
              })),
            });
          done = asked.length === 0;
        }
        const allowed = all.filter((one) => !one.asks || one.says).map(({ callId }) => callId);
        expect(runs.toSorted()).toEqual(allowed.toSorted());
        requests.forEach((request, round) => {
          const before = planned.slice(0, round).flat();
          expect(itemsOfType(request, 'function_call').map((item) => item['call_id'])).toEqual(
            before.map(({ callId }) => callId),
          );
          expect(outputs(request)).toEqual(
            before.map(({ callId, asks, says: yes }) => [
              callId,
              !asks || yes ? `ran ${callId}` : expect.stringContaining('denied'),
            ]),
          );
        });
      }),
      { numRuns: 60 },
    );
  });
});
