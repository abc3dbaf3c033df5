import { generateText, stepCountIs, type ToolSet } from 'ai';
import { onTestFinished } from 'vitest';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop';
import { createScriptedServer, type ScriptedStep } from 'responses-loop/testing';
import { calls, reply, says } from '../../../acceptance/support/rig.js';
import type { Loose } from '../sdk.js';

/** Who runs our tools. */
export type Way = 'model' | 'sdk';

/** Tells of each way whether a control reaches our tools, by the name that it has on the page. */
export type Checks = Readonly<Record<string, (way: Way) => Promise<boolean>>>;

export const adds = reply(calls('resp_1', ['add', { a: 2, b: 3 }, 'call_1']));
export const five = reply(says('resp_2', 'Five.'));
export const script = [adds, five];

/** A provider whose tools are handed out in one of the two ways. How many requests come is what the checks look at. */
export async function going(way: Way, settings: ResponsesProviderSettings, steps: readonly ScriptedStep[] = script) {
  const server = await createScriptedServer({ steps });
  const provider = createResponsesProvider({
    baseURL: server.baseURL,
    apiKey: 'test',
    backend: 'openai',
    retry: { maxRetries: 0 },
    ...settings,
  });
  onTestFinished(async () => {
    await provider.close();
    await server.close();
  });
  const tools: ToolSet = way === 'sdk' ? await provider.tools({ runBy: 'sdk' }) : await provider.tools();
  const call = { model: provider('gpt-test'), tools, prompt: 'Add.', stopWhen: stepCountIs(5), maxRetries: 0 };
  return { provider, call, requests: server.requests };
}

/** Members that `ai` 5 does not know. */
export function later(options: object): object {
  return options;
}

/** Parts of all steps, with the members of every major. */
export function partsOf({ steps }: Awaited<ReturnType<typeof generateText<ToolSet>>>): Loose[] {
  return steps.flatMap(({ content }) => content as unknown as Loose[]);
}
