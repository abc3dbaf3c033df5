import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { CallPart } from '../core/part.js';
import type { OpenRound } from '../core/round.js';
import type { CallWarning } from '../core/warning.js';
import type { Pump } from '../loop/pump.js';
import type { FallbackChoice, Observer } from '../observe/event.js';
import type { Redactor } from '../observe/redact.js';
import type { Endpoint } from '../request/endpoint.js';
import type { RetrySettings } from '../request/retry-delay.js';
import type { ToolOffer } from '../tools/loop-tool.js';
import type { McpLiveClient } from '../tools/mcp/client-like.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import type { PartSigner } from '../sdk/history/part-signer.js';
import type { MetadataContext } from '../sdk/parts/metadata.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { AbortLike } from '../util/cancellation.js';

/** A call under way, ready for an adapter to translate. */
export interface EngineCall {
  readonly pump: Pump<readonly CallPart[]>;
  readonly warnings: readonly CallWarning[];
  readonly requestBody: unknown;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly metadata: MetadataContext;
  /** Where what travels in histories is signed. */
  readonly signer?: PartSigner;
  /** Ends the call early: the consumer went away. */
  cancel(reason?: unknown): void;
}

export interface StartOptions {
  readonly stream: boolean;
  /** Whether a loop tool's parts can be shown by this adapter. */
  readonly shows: 'all' | 'declared';
  /** Whether this adapter has a part that asks the user for leave; if not, who needs leave is denied it. */
  readonly asks: boolean;
  /** Whether this adapter has a part for the server's summary of a long conversation. Default `false`. */
  readonly tellsCompaction?: boolean;
  /** Whether this adapter has results that others follow. Default `false`. */
  readonly previews?: boolean;
  /** A function without a `strict` of its own is as strict as `strictJsonSchema` says, as V2 functions are. Default `false`. */
  readonly functionsFollowSchema?: boolean;
  /** An effort is asked for with a summary of the reasoning, where the back end's own provider does so. Default `false`. */
  readonly asksForSummary?: boolean;
  /** Who answers the rounds. Default: the server of the settings. */
  readonly answering?: OpenAnswering;
  /** Why it is this one, where there is another. */
  readonly fallback?: FallbackChoice & { readonly error?: string };
  /** What is to be said besides. */
  readonly warnings?: readonly string[];
}

/** Whoever answers the rounds of a call. */
export interface Answering {
  readonly openRound: OpenRound;
  /** What of the call has to be left out or changed for it. */
  readonly warnings: readonly CallWarning[];
  readonly metadata: Omit<MetadataContext, 'fallback'>;
}

export type OpenAnswering = (call: Call, place: AnsweringPlace) => Answering | Promise<Answering>;

/** What an answering has to know beside the call. */
export interface AnsweringPlace {
  readonly model: ModelSettings;
  readonly callNumber: number;
  readonly signal: AbortLike;
  /** Options of every call, by the name the provider goes by. */
  readonly defaults: JsonObject;
  readonly retry: RetrySettings;
  readonly observer: Observer | undefined;
  /** Takes out of texts what the provider knows to be secret. */
  readonly redactor: Redactor;
}

/** Everything below the AI SDK: one per provider. */
export interface Engine {
  readonly name: string;
  start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall>;
  endpoint(modelId: string): Endpoint;
  offer(): Promise<ToolOffer>;
  mcpClient(key: string): Promise<McpLiveClient>;
  finishSignIn(key: string, callbackUrl: string | URL): Promise<void>;
  close(): Promise<void>;
}
