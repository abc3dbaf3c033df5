import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { asNumber, asRecord } from '../../util/guards.js';
import { createResponsesProvider, type ResponsesProviderSettings } from '../../v4.js';
import type { Finding } from './point.js';
import type { Visit } from './visit.js';

export interface LoopOptions {
  readonly settings: ResponsesProviderSettings;
  readonly visit: Visit;
  readonly signal: AbortSignal;
}

/** Tries the package with these settings: the model calls a function and answers with its result. */
export async function tryLoop(options: LoopOptions): Promise<Finding> {
  const free = await runLoop(options, 'auto');
  // A model that answers without a call is asked once more.
  const seen = free.problem === undefined && free.runs + free.calls === 0 ? await runLoop(options, 'required') : free;
  if (seen.problem !== undefined) return { verdict: 'no', detail: seen.problem };
  if (seen.runs === 0) return { verdict: 'no', detail: whyNothingRan(seen) };
  const text = seen.chars === 0 ? 'but the model wrote no text' : 'then the model answered';
  const how = seen === free ? '' : ' after a forced call';
  const detail = `the tool ran ${seen.runs === 1 ? 'once' : `${seen.runs} times`}${how}, ${text}`;
  return seen.chars === 0
    ? { verdict: 'partly', detail, limit: 'the model writes no text after tool calls' }
    : { verdict: 'yes', detail };
}

function whyNothingRan({ calls, chars }: LoopSeen): string {
  if (calls > 0) return 'the model called the tool with arguments that do not fit its schema, so it did not run';
  return chars === 0
    ? 'the model returned neither text nor a tool call'
    : 'the model returned text but no tool call, even when a call was required';
}

interface LoopSeen {
  /** Calls of the model, with arguments that fit or not. */
  readonly calls: number;
  readonly runs: number;
  readonly chars: number;
  readonly problem: string | undefined;
}

async function runLoop({ settings, visit, signal }: LoopOptions, choice: 'auto' | 'required'): Promise<LoopSeen> {
  let runs = 0;
  const seen = { calls: 0, chars: 0, problem: undefined as string | undefined };
  const provider = createResponsesProvider({
    ...settings,
    maxRounds: 3,
    tools: {
      add: {
        description: 'Adds two numbers.',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
          additionalProperties: false,
        },
        execute: (args) => {
          runs += 1;
          return String(Number(args['a']) + Number(args['b']));
        },
      },
    },
  });
  try {
    const { stream } = await provider.languageModel(visit.model ?? '').doStream({
      prompt: [
        { role: 'user', content: [{ type: 'text', text: 'Call the tool add with 2 and 3, then say the sum.' }] },
      ],
      toolChoice: { type: choice },
      abortSignal: signal,
      ...defined({ maxOutputTokens: visit.most(1_000) }),
    });
    for await (const part of stream) {
      if (part.type === 'tool-call') seen.calls += 1;
      if (part.type === 'text-delta') seen.chars += part.delta.length;
      if (part.type === 'error') seen.problem ??= errorText(part.error);
      if (part.type === 'finish') visit.count(usageOf(part.usage));
    }
  } catch (error) {
    seen.problem ??= signal.aborted ? 'it did not end in time' : errorText(error);
  } finally {
    await provider.close();
  }
  return { ...seen, runs };
}

function usageOf(usage: unknown) {
  const total = (side: string): number => asNumber(asRecord(asRecord(usage)?.[side])?.['total']) ?? 0;
  return { input: total('inputTokens'), output: total('outputTokens') };
}
