import { type ModelMessage, streamText, wrapLanguageModel } from 'ai';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import { summaryRequest } from 'responses-loop-example-shared/summary-words.js';
import type { Turn } from './history.js';
import { LIMITS } from './limits.js';

const REQUEST = summaryRequest('which files were read or changed and how, commands that matter with their results');

/** The last turn that a summary would take in; `undefined` where there is nothing to make shorter. */
export function throughTurn(turns: readonly Turn[], summarised = 0): number | undefined {
  const through = turns.at(-1 - LIMITS.keptTurns)?.number;
  return through !== undefined && through > summarised ? through : undefined;
}

/** One request without tools. */
export async function summarise(
  opened: OpenedModel,
  system: string,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<string> {
  let problem: unknown;
  const model = wrapLanguageModel({
    model: opened.provider(opened.model),
    middleware: {
      specificationVersion: 'v3',
      // The SDK leaves a choice of tools out where the call brings none; the provider's are offered unless it is there.
      transformParams: async ({ params }) => ({ ...params, toolChoice: { type: 'none' } }),
    },
  });
  const result = streamText({
    model,
    system,
    messages: [...messages, { role: 'user', content: REQUEST }],
    abortSignal: signal,
    onError: ({ error }) => {
      problem = error;
    },
  });
  let text = '';
  for await (const delta of result.textStream) text += delta;
  if (problem !== undefined) throw problem as Error;
  if (text.trim() === '') throw new Error('The model gave no summary.');
  return text.trim();
}
