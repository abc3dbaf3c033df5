import type { LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { MockLanguageModelV2 } from 'ai/test';
import { onTestFinished } from 'vitest';
import {
  createResponsesProvider,
  type ObserverEvent,
  type ResponsesProviderSettings,
  withStockFallback,
} from '../../../src/index.js';

type Options = LanguageModelV2CallOptions;
export type Told = Readonly<Record<string, unknown>>;
/** A round of a model that is nobody's: what it streams, or whatever it hands out. */
export type OddRound = readonly Told[] | ReadableStream<unknown> | (() => unknown);

export const start: Told = { type: 'stream-start', warnings: [] };
const USAGE = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
export const finish = (finishReason = 'stop', usage: object = USAGE): Told => ({ type: 'finish', finishReason, usage });
export const text = (id: string, delta: string): Told[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
];

export interface HangingStream {
  readonly stream: ReadableStream<unknown>;
  readonly wasCancelled: () => boolean;
}

/** A stream that never ends, whatever is aborted. */
export function hanging(parts: readonly Told[]): HangingStream {
  let cancelled = false;
  const stream = new ReadableStream<unknown>({
    start: (controller) => parts.forEach((part) => controller.enqueue(part)),
    cancel: () => {
      cancelled = true;
    },
  });
  return { stream, wasCancelled: () => cancelled };
}

/** A stock provider that is not OpenAI's, behind a primary that is never asked. */
export function oddRig(rounds: readonly OddRound[], settings: ResponsesProviderSettings = {}) {
  const events: ObserverEvent[] = [];
  const given: Options[] = [];
  const next = (options: unknown): unknown => {
    given.push(options as Options);
    const round = rounds[given.length - 1];
    if (typeof round === 'function') return round();
    return { stream: Array.isArray(round) ? hangingUp(round as Told[]) : round };
  };
  const odd = new MockLanguageModelV2({
    provider: 'odd',
    doStream: async (options) => Promise.resolve(next(options) as never),
    doGenerate: async (options) => Promise.resolve(next(options) as never),
  });
  const primary = createResponsesProvider({
    apiKey: 'test-key',
    baseURL: 'http://127.0.0.1:9/v1',
    retry: { initialDelayMs: 1 },
    onEvent: (event) => events.push(event),
    ...settings,
  });
  onTestFinished(() => primary.close());
  const provider = withStockFallback({ primary, stock: () => odd, useStock: true });
  return { model: provider('m'), provider, events, given };
}

export const question: Options['prompt'] = [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }];

/** All parts of a call, each as an object. */
export async function partsOf(
  model: ReturnType<typeof oddRig>['model'],
  options: Partial<Options> = {},
): Promise<Told[]> {
  const { stream } = await model.doStream({ prompt: question, ...options });
  const parts: Told[] = [];
  for await (const part of stream as unknown as AsyncIterable<Told>) parts.push(part);
  return parts;
}

/** What opens and what closes, by kind and id. */
export function unclosed(parts: readonly Told[]): string[] {
  const open = new Set<string>();
  for (const { type, id } of parts) {
    const [, kind, edge] = /^(.*)-(start|end)$/.exec(String(type)) ?? [];
    if (edge === 'start' && type !== 'stream-start') open.add(`${kind} ${String(id)}`);
    if (edge === 'end') open.delete(`${kind} ${String(id)}`);
  }
  return [...open];
}

function hangingUp(parts: readonly Told[]): ReadableStream<unknown> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
