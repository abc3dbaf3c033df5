import type { ModelMessage } from 'ai';
import { asRecords } from '../../src/util/guards.js';
import { errorFacts, type Facts } from './facts.js';
import { callOf, messagesOf } from './observe-sdk.js';
import { requestFacts } from './request-facts.js';
import type { Scenario } from './scenarios/scenario.js';
import type { Side, Sides } from './sides.js';

/** Who answers a turn and who the next one, and how. */
export interface Turns {
  readonly first: Side;
  readonly next: Side;
  readonly streaming: boolean;
  /** Leaves the requests of the first one out, where that is the same one for both. */
  readonly onlyNext?: boolean;
}

const QUESTION: ModelMessage = { role: 'user', content: 'Ducks?' };

/** Everything that is sent in a turn, and the first request of the next one, which is made of the SDK's own messages. */
export async function observeTurns(turns: Turns, scenario: Scenario, sides: Sides): Promise<Facts> {
  const { first, next, streaming, onlyNext = false } = turns;
  const fetch = scenario.answer(streaming);
  if (fetch === undefined) throw new Error(`${scenario.name} has no such answer.`);
  try {
    const answer = await answerOf(first(fetch), scenario, sides, streaming);
    const before = fetch.requests.length;
    const messages = [QUESTION, ...answer, nextMessage(scenario, answer)];
    const { prompt: _prompt, ...call } = callOf(next(fetch), scenario, sides);
    const failed = await errorOf(sides.ai.generateText({ ...call, messages, stopWhen: sides.ai.stepCountIs(1) }));
    const looked = onlyNext ? fetch.requests.slice(before) : fetch.requests;
    const requests = looked.map(({ body }) => requestFacts(body));
    return fetch.requests.length > before ? { requests } : { requests, failed };
  } catch (error) {
    return { rejects: errorFacts(error) };
  }
}

/** A recording has no answer to the next turn; what counts is what it was asked. */
async function errorOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return errorFacts(error);
  }
}

async function answerOf(
  model: ReturnType<Side>,
  scenario: Scenario,
  sides: Sides,
  streaming: boolean,
): Promise<ModelMessage[]> {
  const call = callOf(model, scenario, sides);
  if (!streaming) return messagesOf(await sides.ai.generateText(call), sides);
  const result = sides.ai.streamText({ ...call, onError: () => {} });
  await result.consumeStream();
  return messagesOf(result, sides);
}

function nextMessage({ next }: Scenario, answer: readonly ModelMessage[]): ModelMessage {
  const asked = answer
    .flatMap(({ content }) => asRecords(content))
    .filter((part) => part['type'] === 'tool-approval-request');
  if (next === 'asks' || asked.length === 0) return { role: 'user', content: 'And?' };
  const content = asked.map(({ approvalId }) => ({
    type: 'tool-approval-response',
    approvalId,
    approved: next === 'approves',
    providerExecuted: true,
  }));
  // `ai` 5, whose types these are, has no approvals.
  return { role: 'tool', content } as unknown as ModelMessage;
}
