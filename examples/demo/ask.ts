import { type LanguageModel, streamText } from 'ai';

import type { Screen } from './screen.js';

export interface Question {
  readonly model: LanguageModel;
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/** What became of a question. Times are milliseconds since it was asked. */
export interface Answer {
  readonly text: string;
  readonly error: unknown;
  readonly finishReason: string;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly firstTextMs: number | undefined;
  readonly totalMs: number;
}

/** Asks as any app would: to `streamText` this is one model and one stream, whatever goes on inside. */
export async function ask({ model, prompt, signal }: Question, screen: Screen): Promise<Answer> {
  const askedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - askedAt);
  const result = streamText({
    model,
    prompt,
    abortSignal: signal,
    // Whoever tries this out wants to know at once what is wrong.
    maxRetries: 0,
    // Errors are read from the stream below; without this they would be printed twice.
    onError: () => {},
  });
  let answer: Omit<Answer, 'totalMs'> = {
    text: '',
    error: undefined,
    finishReason: 'unknown',
    inputTokens: undefined,
    outputTokens: undefined,
    firstTextMs: undefined,
  };
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') {
      answer = { ...answer, text: answer.text + part.text, firstTextMs: answer.firstTextMs ?? elapsed() };
      screen.text(part.text);
    }
    if (part.type === 'error') answer = { ...answer, error: part.error };
    if (part.type === 'finish') {
      const { inputTokens, outputTokens } = part.totalUsage;
      answer = { ...answer, finishReason: part.finishReason, inputTokens, outputTokens };
    }
  }
  return { ...answer, totalMs: elapsed() };
}
