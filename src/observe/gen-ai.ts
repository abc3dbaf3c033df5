import { defined } from '../util/defined.js';
import type { ObserverEvent } from './event.js';
import type { SpanAttributes, SpanStart } from './span.js';

type EventOf<T extends ObserverEvent['type']> = Extract<ObserverEvent, { type: T }>;

/** Names, kinds and further attributes of the spans of rounds and runs of tools. */
export interface SpanWords {
  round(event: EventOf<'round-start'>, modelId: string): NamedSpan;
  /** `status`: the HTTP status of the latest response of the call. */
  roundEnd(event: EventOf<'round-end'>, status: number | undefined): SpanAttributes;
  tool(event: EventOf<'tool-start'>): NamedSpan;
  toolEnd(event: EventOf<'tool-end'>): SpanAttributes;
  /** The attributes of arguments and outputs, if spans have content. */
  readonly content: readonly [arguments: string, output: string];
  /** The span of a round ends with the answer, and has the status of an error if the round failed. */
  readonly endsWithAnswer: boolean;
}

interface NamedSpan extends Pick<SpanStart, 'kind' | 'attributes'> {
  readonly name: string;
}

/** This package's own names, which no other sum counts. */
export const OWN_WORDS: SpanWords = {
  round: ({ round }) => ({ name: `responses-loop round ${round}` }),
  roundEnd: () => ({}),
  tool: ({ tool }) => ({ name: `responses-loop tool ${tool}` }),
  toolEnd: () => ({}),
  content: ['responses_loop.tool.arguments', 'responses_loop.tool.output'],
  endsWithAnswer: false,
};

/** OpenTelemetry's numbers for kinds of spans. */
const INTERNAL = 0;
const CLIENT = 2;
/** The conventions' value for an error without a class. */
const UNCLASSED = '_OTHER';

/**
 * Names of the GenAI semantic conventions, from their repository in 2026 (open-telemetry/semantic-conventions-genai,
 * `client-inference.md` and `execute-tool.md`; status: development).
 */
export const GEN_AI_WORDS: SpanWords = {
  round: (_event, modelId) => ({
    name: `chat ${modelId}`,
    kind: CLIENT,
    attributes: {
      'gen_ai.operation.name': 'chat',
      // The conventions mean the flavor of the API, not the company that runs the server.
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': modelId,
    },
  }),
  roundEnd: ({ finishReason, usage, responseId, firstPartMs }, status = 0) =>
    defined({
      'gen_ai.response.finish_reasons': [finishReason],
      'gen_ai.response.id': responseId,
      'gen_ai.response.time_to_first_chunk': firstPartMs === undefined ? undefined : firstPartMs / 1_000,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
      'gen_ai.usage.cache_write.input_tokens': usage.cacheWriteTokens,
      'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
      'error.type': finishReason === 'error' ? (status < 400 ? UNCLASSED : String(status)) : undefined,
    }) as SpanAttributes,
  tool: ({ tool, callId }) => ({
    name: `execute_tool ${tool}`,
    kind: INTERNAL,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
    },
  }),
  toolEnd: ({ isError }) => (isError ? { 'error.type': UNCLASSED } : {}),
  content: ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'],
  endsWithAnswer: true,
};
