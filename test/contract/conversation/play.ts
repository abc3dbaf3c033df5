import type { ModelMessage, ToolSet } from 'ai';
import type { JsonObject } from '../../../src/core/json.js';
import { type ScriptedStep, scriptedFetch } from '../../../src/testing.js';
import { asRecords } from '../../../src/util/guards.js';
import type { Family } from '../families/family.js';
import { type Answer, says, stepOf } from '../families/written.js';
import type { Model } from '../model.js';
import { callOf, messagesOf } from '../observe-sdk.js';
import { scenarioOf } from '../scenarios/from-families.js';
import type { Sides } from '../sides.js';

export type Writer = 'stock' | 'ours';

/** One request of a conversation. */
export interface Sent {
  readonly turn: number;
  readonly by: Writer;
  readonly input: readonly JsonObject[];
}

/** What was sent, and what went wrong. */
export interface Played {
  readonly requests: readonly Sent[];
  /** Turns that took another number of requests than they have answers: what they should have said was not said. */
  readonly broken: ReadonlyMap<number, string>;
}

/** Makes the model for a turn, which answers over this `fetch`. */
export type ModelOf = (by: Writer, fetch: typeof globalThis.fetch) => Model;

const MORE: Answer = { id: 'resp_more', output: [says('More.')] };

/** Plays the turns, each by the provider that the pattern names, and asks once more at the end. */
export async function play(
  turns: readonly Family[],
  pattern: readonly Writer[],
  modelOf: ModelOf,
  sides: Sides,
): Promise<Played> {
  const requests: Sent[] = [];
  const broken = new Map<number, string>();
  let messages: ModelMessage[] = [];
  const tools: ToolSet = {};
  for (const [turn, by] of pattern.entries()) {
    const family = turns[turn] ?? { name: 'goodbye', answers: [{ id: 'resp_bye', output: [says('Bye.')] }] };
    const fetch = answering(family);
    const scenario = scenarioOf(family);
    const call = callOf(modelOf(by, fetch), scenario, sides);
    Object.assign(tools, call.tools);
    const ask = async (): Promise<void> => {
      const { prompt: _prompt, ...rest } = call;
      const result = sides.ai.streamText({ ...rest, messages, tools: { ...tools }, onError: () => {} });
      await result.consumeStream();
      messages = [...messages, ...(await messagesOf(result, sides))];
    };
    messages = [...messages, { role: 'user', content: `Turn ${turn + 1}` }];
    try {
      await ask();
      const answers = approvals(messages.at(-1), family);
      if (answers !== undefined) {
        messages = [...messages, answers];
        await ask();
      }
    } catch {
      broken.set(turn, `${by} fails behind what the other one wrote`);
    }
    const expected = family.answers.length + (family.approved === undefined ? 0 : 1);
    if (!broken.has(turn) && fetch.requests.length !== expected)
      broken.set(turn, `${by} takes ${fetch.requests.length} requests, not ${expected}: ${family.name}`);
    requests.push(...fetch.requests.map(({ input }) => ({ turn, by, input: input as JsonObject[] })));
  }
  return { requests, broken };
}

function answering({ answers, approved }: Family) {
  const step =
    (answer: Answer): ScriptedStep =>
    (request) =>
      stepOf(answer, request.body['stream'] === true);
  const all = approved === undefined ? answers : [...answers, approved.answer];
  return scriptedFetch(all.map(step), { otherwise: step(MORE) });
}

/** The user's decision, where the last message asks for one. */
function approvals(last: ModelMessage | undefined, { approved }: Family): ModelMessage | undefined {
  const asked = asRecords(last?.content).filter(({ type }) => type === 'tool-approval-request');
  if (asked.length === 0) return undefined;
  const content = asked.map(({ approvalId }) => ({
    type: 'tool-approval-response',
    approvalId,
    approved: approved?.decision === true,
    providerExecuted: true,
  }));
  // `ai` 5, whose types these are, has no approvals.
  return { role: 'tool', content } as unknown as ModelMessage;
}
