import { type ModelMessage, streamText, wrapLanguageModel } from 'ai';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import { summaryRequest } from 'responses-loop-example-shared/summary-words.js';
import { askFitting } from 'responses-loop-example-shared/transcript.js';
import type { Turn } from './history.js';
import type { Task } from './task.js';

const REQUEST = summaryRequest('which files were read or changed and how, commands that matter with their results');

/** The last turn that a summary would take in; `undefined` where there is nothing to make shorter. */
export function throughTurn(
  turns: readonly Turn[],
  { summarised = 0, kept }: { readonly summarised?: number | undefined; readonly kept: number },
): number | undefined {
  const through = turns.at(-1 - kept)?.number;
  return through !== undefined && through > summarised ? through : undefined;
}

export interface SummaryOptions {
  readonly opened: OpenedModel;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly task: Pick<Task, 'signal' | 'failure'>;
}

/** One request without tools; a conversation that the server refuses as too long is sent as a text that is cut until it fits. */
export function summarise({ messages, ...options }: SummaryOptions): Promise<string> {
  return askFitting(messages, (fitting) => ask(options, fitting));
}

type AskOptions = Omit<SummaryOptions, 'messages'>;

async function ask({ opened, system, task }: AskOptions, messages: readonly ModelMessage[]): Promise<string> {
  // The request that was refused is not sent again: this is another one.
  task.failure = undefined;
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
    abortSignal: task.signal,
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
