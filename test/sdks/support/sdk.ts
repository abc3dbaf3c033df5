import * as ai from 'ai';
import type {
  convertToModelMessages,
  generateText,
  LanguageModel,
  LanguageModelUsage,
  ModelMessage,
  streamText,
  ToolSet,
  UIMessage,
  UIMessageChunk,
} from 'ai';
import { inject } from 'vitest';
import type { Pairing } from '../pairings.js';

/**
 * What the majors of the AI SDK call by different names, under one. Tests are typed against `ai` 5: where a later one has
 * more, its types are written down here.
 */
export const { sdk, spec } = (inject('pairing') as Pairing | undefined) ?? { sdk: 5, spec: 'v2' };

/** V3 and V4 show every loop tool; V2 only those of the call's `tools`. */
export const showsAll = spec !== 'v2';

/** Parts and results have members that `ai` 5 does not know. */
export type Loose = Record<string, unknown>;

export type Streamed = ReturnType<typeof streamText<ToolSet>>;
export type Generated = Awaited<ReturnType<typeof generateText<ToolSet>>>;
type StreamOptions = Parameters<typeof streamText<ToolSet>>[0];

const later = ai as unknown as Loose;

/** Asks for an object; `ai` 5 has it as an experiment. */
export function wantsObject(schema: Parameters<typeof ai.Output.object>[0]['schema']): object {
  const output = ai.Output.object({ schema });
  return sdk === 5 ? { experimental_output: output } : { output };
}

/** The object of a generated result. */
export function objectOf(result: object): unknown {
  return (result as Loose)[sdk === 5 ? 'experimental_output' : 'output'];
}

export function partialObjectsOf(result: object): AsyncIterable<unknown> {
  const name = sdk === 5 ? 'experimental_partialOutputStream' : 'partialOutputStream';
  return (result as Loose)[name] as AsyncIterable<unknown>;
}

/** Asks for the wire events beside the parts. */
export const wantsRaw: object = sdk === 7 ? { include: { rawChunks: true } } : { includeRawChunks: true };

/** Asks for the request body in the result, which `ai` 7 leaves out otherwise. */
export const wantsRequestBody: object = sdk === 7 ? { include: { requestBody: true } } : {};

export interface AgentOptions {
  readonly model: LanguageModel;
  readonly instructions?: string;
  readonly tools?: ToolSet;
  readonly stopWhen?: StreamOptions['stopWhen'];
}

export interface AnyAgent {
  generate(options: { prompt: string }): Promise<Generated>;
  stream(options: { prompt: string }): Streamed | PromiseLike<Streamed>;
}

/** `Experimental_Agent` of `ai` 5 became `ToolLoopAgent`, its system prompt `instructions`. */
export function createAgent({ instructions, ...options }: AgentOptions): AnyAgent {
  const Agent = (sdk === 5 ? ai.Experimental_Agent : later['ToolLoopAgent']) as new (settings: object) => AnyAgent;
  return new Agent({ ...options, [sdk === 5 ? 'system' : 'instructions']: instructions });
}

/** Asynchronous since `ai` 6. */
export async function toModelMessages(messages: Parameters<typeof convertToModelMessages>[0]): Promise<ModelMessage[]> {
  const converted: ModelMessage[] | Promise<ModelMessage[]> = ai.convertToModelMessages(messages);
  return converted;
}

/** Of all steps; in `ai` 7 `response` is only the last one's. */
export async function messagesOf(result: Streamed | Generated): Promise<ModelMessage[]> {
  if (sdk === 7) return (await (result as unknown as Loose)['responseMessages']) as ModelMessage[];
  return (await result.response).messages;
}

/** Errors as they are: the SDK masks their texts unless it is told what to show. */
const plainErrors = {
  onError: (error: unknown): string => (error instanceof Error ? error.message : String(error)),
};

export async function uiChunksOf(result: Streamed): Promise<UIMessageChunk[]> {
  return readAll(result.toUIMessageStream(plainErrors));
}

/** The message an app's chat would hold when the answer is complete; `continued` where it goes on with one. */
export async function uiMessageOf(result: Streamed, continued?: UIMessage): Promise<UIMessage> {
  let answer: UIMessage | undefined;
  const original = continued === undefined ? {} : { originalMessages: [continued] };
  const stream = result.toUIMessageStream({ ...plainErrors, ...original });
  const begun = continued === undefined ? {} : { message: structuredClone(continued) };
  for await (const message of ai.readUIMessageStream({ stream, ...begun })) answer = message;
  if (answer === undefined) throw new Error('no UI message');
  return answer;
}

export async function readAll<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of stream) all.push(value);
  return all;
}

/** All parts a consumer of `fullStream` gets, with the members of every major. */
export async function fullPartsOf(result: Streamed): Promise<(Loose & { type: string })[]> {
  return readAll(result.fullStream as AsyncIterable<Loose & { type: string }>);
}

/** Token counts under one name: `ai` 6 moved the details, and still has the old names. */
export function tokensOf(
  usage: LanguageModelUsage,
): Record<'input' | 'output' | 'total' | 'reasoning' | 'cached', unknown> {
  const { inputTokenDetails, outputTokenDetails } = usage as unknown as Record<string, Loose | undefined>;
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    total: usage.totalTokens,
    reasoning: outputTokenDetails?.['reasoningTokens'] ?? usage.reasoningTokens,
    cached: inputTokenDetails?.['cacheReadTokens'] ?? usage.cachedInputTokens,
  };
}

/** The middleware of that name, where this major has it. */
export function middlewareNamed(name: string): (() => ai.LanguageModelMiddleware) | undefined {
  return later[name] as (() => ai.LanguageModelMiddleware) | undefined;
}
