import type { APICallError, LanguageModelV2CallOptions, LanguageModelV2StreamPart } from '@ai-sdk/provider';
import { onTestFinished } from 'vitest';
import { createResponsesProvider, type ResponsesProviderV2 } from '../../../src/index.js';
import type { ResponsesProviderSettings } from '../../../src/settings/settings.js';
import {
  createScriptedServer,
  type ResponseDescription,
  responseEvents,
  type ScriptedServer,
  type ScriptedStep,
} from '../../../src/testing.js';

export interface Talk {
  readonly server: ScriptedServer;
  readonly provider: ResponsesProviderV2;
  /** Where the provider's requests go. */
  readonly url: string;
}

/** A scripted server and a provider for it, both closed after the test. */
export async function start(steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}): Promise<Talk> {
  const talk = await connect(steps, settings);
  onTestFinished(() => talk[Symbol.asyncDispose]());
  return talk;
}

/** The same for hooks, which close it by `await using`. */
export async function connect(
  steps: readonly ScriptedStep[],
  settings: ResponsesProviderSettings = {},
): Promise<Talk & AsyncDisposable> {
  const server = await createScriptedServer({ steps });
  const provider = createResponsesProvider({ baseURL: server.baseURL, ...settings });
  const close = async (): Promise<void> => {
    await Promise.all([provider.close(), server.close()]);
  };
  return { server, provider, url: `${server.baseURL}/responses`, [Symbol.asyncDispose]: close };
}

export const HELLO: LanguageModelV2CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
};

/** An answer of one text. */
export const say = (text: string, rest: ResponseDescription = {}): ScriptedStep =>
  responseEvents({ output: [{ type: 'text', text }], ...rest });

/** A round that calls the loop tool `add`, which `ADD` is. */
export const callAdd = (id: string): ScriptedStep =>
  responseEvents({ id, output: [{ type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: `call_${id}` }] });

export const ADD = {
  add: {
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    execute: ({ a, b }: Readonly<Record<string, unknown>>) => Number(a) + Number(b),
  },
};

/** All parts of a streamed call. */
export async function stream(
  { provider }: Pick<Talk, 'provider'>,
  options: Partial<LanguageModelV2CallOptions> = {},
  modelId = 'm',
): Promise<LanguageModelV2StreamPart[]> {
  const { stream: parts } = await provider(modelId).doStream({ ...HELLO, ...options });
  const all: LanguageModelV2StreamPart[] = [];
  for await (const part of parts as AsyncIterable<LanguageModelV2StreamPart>) all.push(part);
  return all;
}

export function textOf(parts: readonly LanguageModelV2StreamPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
}

export async function generateText(
  { provider }: Pick<Talk, 'provider'>,
  options: Partial<LanguageModelV2CallOptions> = {},
): Promise<string> {
  const { content } = await provider('m').doGenerate({ ...HELLO, ...options });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** What a promise rejects with; fails when it does not. */
export async function failureOf(promise: PromiseLike<unknown>): Promise<APICallError> {
  try {
    await promise;
  } catch (error) {
    return error as APICallError;
  }
  throw new Error('It did not fail.');
}
