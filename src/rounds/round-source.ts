import type { CleanText } from '../core/clean-text.js';
import type { CleanFacts } from '../errors/responses-loop-error.js';
import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Answerer, OpenRound } from '../core/round.js';
import type { Limits } from '../core/limits.js';
import type { PushStream } from '../core/push-stream.js';
import type { CallWarning } from '../core/warning.js';
import type { ApiError, ApiErrorOptions } from '../errors/api-error.js';
import type { Observer } from '../observe/event.js';
import type { Redactor } from '../observe/redact.js';
import type { BodyOverride } from '../request/body-override.js';
import type { RequestBuilderOptions } from '../request/build-request.js';
import type { RetrySettings } from '../request/retry-delay.js';
import type { ModelLimits, ModelSettings } from '../settings/model-settings.js';
import type { Continuation } from '../stream/read-round.js';
import type { HttpTransport, Transport } from '../transport/transport.js';
import type { AbortLike } from '../util/abort.js';

/** The source of a call's rounds: the server of the settings, or another provider. */
export interface RoundSource {
  readonly openRound: OpenRound;
  /** Parts of the call that must be dropped or changed for it. */
  readonly warnings: readonly CallWarning[];
  readonly metadata: Answerer;
}

export type OpenRoundSource = (call: Call, context: RoundContext) => RoundSource | Promise<RoundSource>;

/** The facts about a call that a round source needs in addition to its prompt and options. */
export interface RoundContext {
  /** The origin of the call's reasoning, from an earlier attempt. */
  readonly origin?: string | undefined;
  readonly model: ModelSettings;
  /** The path below the endpoint, and its part of the body. @default requests a response */
  readonly route?: { readonly path: string; readonly body: BodyOverride } | undefined;
  readonly limits: ModelLimits;
  readonly callNumber: number;
  readonly signal: AbortLike;
  /** Options of every call, by the name the provider goes by. */
  readonly defaults: JsonObject;
  readonly retry: RetrySettings;
  readonly observer: Observer | undefined;
  /** Watches the requests, if the model has its own observer. */
  readonly requestObserver?: Observer | undefined;
  /** Removes the provider's secrets from texts. */
  readonly redactor: Redactor;
  readonly rings: RoundRings;
}

/** The rings that settings and options put around rounds. Each returns `undefined` if unused. */
export interface RoundRings {
  /** Makes the transport of each round. @default HTTP */
  transport(call: Call, model: ModelSettings, parts: TransportParts): Wanted<() => Transport>;
  /** Follows a response that continues at the server after its connection. */
  lasting(body: JsonObject, exchange: () => LastingExchange): Promise<LastingResponse> | undefined;
  /** Keeps the input of rounds short. */
  shortening(context: RoundContext): Promise<Shortening> | undefined;
}

type Wanted<T> = Promise<T | undefined> | T | undefined;

export interface TransportParts {
  readonly http: HttpTransport;
  readonly headersMs: number;
  readonly idleMs: number;
  readonly redactor: Redactor;
}

export interface Shortening {
  readonly shorten: NonNullable<RequestBuilderOptions['shorten']>;
  /** Warnings since the last call of this function. */
  takeWarnings(): readonly string[];
}

export interface LastingResponse extends Continuation {
  /** Returns the same parts, and notes whether the reader wants all of them. */
  whileRead<Part>(reading: PushStream<Part>): PushStream<Part>;
  /** Returns the error of the round, which allows no retry if the server may be at work. */
  unrepeatable(error: ApiError): ApiError;
}

/** The exchange that began a lasting response. */
export interface LastingExchange {
  /** Sends a request about the response; `path` follows the URL of the request that created it. */
  readonly ask: (request: AskedRequest) => Promise<{ readonly chunks: PushStream<Uint8Array> }>;
  readonly signal: AbortLike;
  readonly retry: RetrySettings;
  readonly limits: Pick<Limits, 'messageBytes' | 'polls'>;
  /** The stream broke off behind event `after`, and is continued there. */
  readonly announce: (again: { readonly attempt: number; readonly after: number }) => void;
  /** The place of the request, without secrets. */
  readonly facts: () => Omit<CleanFacts<ApiErrorOptions>, 'message' | 'isRetryable'>;
  readonly clean: (text: string) => CleanText;
}

export interface AskedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly signal: AbortLike;
  readonly query?: Readonly<Record<string, string>>;
}
