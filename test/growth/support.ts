import { createOpenAI } from '@ai-sdk/openai';
import {
  createResponsesProvider,
  type ResponsesProviderSettings,
  type ResponsesProviderV2,
  withStockFallback,
} from 'responses-loop';
import type { CallOptions } from '../acceptance/support/parts.js';

export type Wire = Readonly<Record<string, unknown>>;

/** Far above what a row asks for: limits end a call, and are no part of how its cost grows. */
const RAISED: ResponsesProviderSettings = {
  limits: { callsPerRound: 1e9, requestsPerRound: 1e9, messageBytes: 1e12, toolsPerServer: 1e9 },
  maxRounds: 1e6,
  maxRepeatedRounds: 1e6,
};

export const created: Wire = { type: 'response.created', response: { id: 'r' } };
export const completed: Wire = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } };
export const list = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));
export const text = (delta: string, index = 0, more: Wire = {}): Wire => ({
  type: 'response.output_text.delta',
  output_index: index,
  item_id: `m${index}`,
  delta,
  ...more,
});
export const item = (index: number, value: Wire, event = 'done'): Wire => ({
  type: `response.output_item.${event}`,
  output_index: index,
  item: value,
});
export const functionCall = (n: number, value: Wire = {}): Wire => ({
  type: 'function_call',
  id: `fc${n}`,
  call_id: `c${n}`,
  name: 't',
  arguments: JSON.stringify({ n }),
  status: 'completed',
  ...value,
});
export const called = (n: number, value: Wire = {}): Wire => item(n, functionCall(n, value));

export interface Talk {
  /** The events of the first round; every later one is a short answer. */
  readonly events: readonly Wire[];
  /** `one`: the whole body at once. `each`: a chunk for each event. Default `one`. */
  readonly chunks?: 'one' | 'each';
  readonly settings?: ResponsesProviderSettings;
  readonly options?: Partial<CallOptions>;
}

/** A whole call against a server in memory, read to its end. */
export async function talk({ events, chunks = 'one', settings, options }: Talk): Promise<void> {
  const first = [created, ...events, completed].map(encode);
  const bodies = [chunks === 'one' ? [first.join('')] : first, [[created, text('ok'), completed].map(encode).join('')]];
  await exchange(bodies, settings, options);
}

export async function exchange(
  bodies: readonly (readonly string[])[],
  settings?: ResponsesProviderSettings,
  options?: Partial<CallOptions>,
): Promise<void> {
  const rounds = bodies.values();
  const provider = createResponsesProvider({
    baseURL: 'http://127.0.0.1:1/v1',
    apiKey: 'sk-test',
    fetch: async () => respond(rounds.next().value ?? []),
    ...RAISED,
    ...settings,
  });
  await readAll(provider, options);
  await provider.close();
}

async function readAll(provider: ResponsesProviderV2, options?: Partial<CallOptions>): Promise<void> {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }] }];
  const { stream } = await provider('m').doStream({ prompt, ...options });
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

/** The same answered by the stock provider, with the tools of ours. */
export async function stockTalk(events: readonly Wire[], settings: ResponsesProviderSettings): Promise<void> {
  const response = { id: 'r', created_at: 1, model: 'm', usage: { input_tokens: 1, output_tokens: 1 }, output: [] };
  const start = { type: 'response.created', response };
  const end = { type: 'response.completed', response };
  const rounds = [events, []].values();
  const stock = createOpenAI({
    baseURL: 'http://127.0.0.1:1/v1',
    apiKey: 'sk-test',
    fetch: async () => respond([[start, ...(rounds.next().value ?? []), end].map(encode).join('')]),
  });
  const primary = createResponsesProvider({
    baseURL: 'http://127.0.0.1:1/v1',
    apiKey: 'sk-test',
    ...RAISED,
    ...settings,
  });
  await readAll(withStockFallback({ primary, stock, useStock: true }));
  await primary.close();
}

export function encode(event: Wire): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function respond(chunks: readonly string[]): Response {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk)).values();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value } = bytes.next();
      if (value === undefined) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
