import { generateText, type ModelMessage, streamText, type ToolSet } from 'ai';
import { messagesSoFar, type ResponsesProviderSettings } from 'responses-loop';
import type { ResponseDescription, ScriptedRequest } from 'responses-loop/testing';
import { reply, type Rig, rig, says } from '../../acceptance/support/rig.js';
import { messagesOf, toModelMessages, uiMessageOf } from './sdk.js';

export const question = 'What is it?';
const thanks = 'Thanks.';

export type TurnOptions = Partial<Omit<Parameters<typeof streamText<ToolSet>>[0], 'prompt' | 'messages' | 'model'>>;
export type Road = (rig: Rig, options: TurnOptions) => Promise<ModelMessage[]>;

/** What an app keeps of a turn, in the ways it can keep it; all of them may go through a store. */
export const ROADS: Readonly<Record<string, Road>> = {
  'response.messages of streamText': async ({ model }, options) => {
    const result = streamText<ToolSet>({ model, ...options, prompt: question });
    await result.consumeStream();
    return stored([{ role: 'user', content: question }, ...(await messagesOf(result))]);
  },
  'messagesSoFar of a stream': async ({ model }, options) => {
    const { fullStream } = streamText<ToolSet>({ model, ...options, prompt: question });
    return stored([{ role: 'user', content: question }, ...((await messagesSoFar(fullStream)) as ModelMessage[])]);
  },
  'response.messages of generateText': async ({ model }, options) => {
    const { tools, stopWhen } = options;
    const result = await generateText({ model, prompt: question, ...given({ tools, stopWhen }) });
    return stored([{ role: 'user', content: question }, ...(await messagesOf(result))]);
  },
  'UI messages': async ({ model }, options) => {
    const result = streamText<ToolSet>({ model, ...options, prompt: question });
    const answer = await uiMessageOf(result);
    return toModelMessages(stored([{ id: '1', role: 'user', parts: [{ type: 'text', text: question }] }, answer]));
  },
};

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export function stored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/**
 * Plays a turn of these rounds and an answer, then a second turn with what the first one left. `live` is the turn's last
 * request, `next` the first one of the next turn.
 */
export async function twoTurns(
  rounds: readonly ResponseDescription[],
  road: Road,
  settings: ResponsesProviderSettings,
  optionsOf: (rig: Rig) => TurnOptions | Promise<TurnOptions> = () => ({}),
): Promise<{ live: ScriptedRequest | undefined; next: ScriptedRequest | undefined }> {
  const steps = [...rounds, says('resp_answer', 'That is it.'), says('resp_next', 'You are welcome.')];
  const played = await rig(steps.map(reply), { backend: 'openai', ...settings });
  const options = await optionsOf(played);
  const messages = await road(played, options);
  await generateText({
    model: played.model,
    ...given({ tools: options.tools }),
    messages: [...messages, { role: 'user', content: thanks }],
  });
  return { live: played.requests.at(-2), next: played.requests.at(-1) };
}

/** How the next turn's input ends: with the answer of the turn before, and what the user says to it. */
export const ENDING = ['says That is it.', `user ${thanks}`];
