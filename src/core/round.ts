import type { CleanText } from './clean-text.js';
import type { Turn } from './entry.js';
import type { RoundPart } from './part.js';
import type { PushStream } from './push-stream.js';
import type { ToolChoice, ToolDeclaration } from './tool.js';

/** The loop's request for a round: the conversation, the toolset, and whether this is the closing round. */
export interface RoundRequest {
  /** 0 for the first round of the call. */
  readonly index: number;
  /** The call's prompt. The same array in every round, so that it can be encoded once. */
  readonly prompt: readonly Turn[];
  /** Turns that earlier rounds of this call added, by round; the list only grows. */
  readonly added: readonly (readonly Turn[])[];
  /** The previous round's response, for servers that keep it on request. */
  readonly previousResponseId?: string | undefined;
  readonly tools: readonly ToolDeclaration[];
  /** Returns the tools that the call has from its beginning, whatever this round offers. @default `tools` */
  readonly offered?: (() => readonly ToolDeclaration[]) | undefined;
  readonly toolChoice: ToolChoice;
  /** A tool that the user had allowed ran before the first round, so the call must not be retried from outside. */
  readonly isResumed?: boolean;
  /** The last round of a call that ran into its limit: the model must answer now. */
  readonly closing: boolean;
  readonly signal: RoundSignal;
  /** Fresh names for one attempt at this round: a failed attempt leaves no names. */
  readonly newIds: () => RoundIds;
}

/** The part of an `AbortSignal` that can be awaited. */
export interface RoundSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Names parts and calls so that they are unique in the conversation and depend only on the bytes. */
export interface RoundIds {
  /** An id for a text or reasoning part. */
  partId(responseId: string | undefined, slot: string): string;
  /** The server's `call_id` if it is not taken yet, else one made from the response id and the slot. */
  claimCallId(wireCallId: string | undefined, responseId: string | undefined, slot: string): string;
}

/** A round under way. */
export interface Round {
  /** The unchanged request, for the caller's own `result.request`: never for an error, an event or a log. */
  readonly requestBody?: unknown;
  /** Returns the URL of the request, without secrets. */
  readonly requestUrl?: () => CleanText;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The server, model and key that seal its reasoning; see `ReasoningContent.origin`. */
  readonly origin?: string | undefined;
  /** Warnings about what was dropped so that the server accepts the round. */
  readonly warnings?: readonly string[];
  /** Parts, one batch per network chunk; the last part of the last batch is `round-end`. */
  readonly batches: AsyncIterable<readonly RoundPart[]> | PushStream<readonly RoundPart[]>;
}

/**
 * The seam between the loop and the source of its rounds: a Responses server, or another language model in our loop.
 * Rejects when the round failed before anything visible; afterwards errors are in `round-end`.
 */
export type OpenRound = (request: RoundRequest) => Promise<Round>;

/** Which of two providers answers a call: this package's own requests, or another model. */
export interface ProviderChoice {
  /** The provider that answers this call. */
  readonly uses: 'primary' | 'stock';
  /**
   * `flag`: `useStock` decided. `environment`: `RESPONSES_LOOP=off`. `failure`: the primary failed before its first
   * part.
   * `circuit`: it has failed too often recently. `default`: no reason for the other provider.
   */
  readonly because: 'flag' | 'environment' | 'failure' | 'circuit' | 'default';
}

/** The provider of a call's rounds, for the metadata of the parts. */
export interface Answerer {
  /** The origin of this call's reasoning; `undefined` if it is unknown. */
  readonly origin: string | undefined;
  /** The server keeps the items, so that other requests may refer to them by id. */
  readonly stored: boolean;
  /** The name under which the AI SDK's provider for the back end writes: `openai`, `azure`, `xai`. */
  readonly vendor: string;
}
