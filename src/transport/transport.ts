import type { JsonObject } from '../core/json.js';
import type { Limits } from '../core/limits.js';
import type { PushStream } from '../core/push-stream.js';
import type { Observer } from '../observe/event.js';
import type { DecodedEvent } from '../stream/decode-event.js';
import type { AbortLike } from '../util/abort.js';

/** One request, ready to go. */
export interface TransportRequest {
  readonly url: string;
  /** @default `POST`; with `GET` the body stays here */
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Secrets in it that their names do not reveal. */
  readonly secrets?: readonly string[];
  readonly callNumber: number;
  readonly round: number;
  /** Observes the request. @default the observer of the provider */
  readonly observer?: Observer | undefined;
  readonly signal: AbortLike;
  /** The limits for the server. */
  readonly limits: Limits;
}

/** An answer with a good status; `src/stream` finds the kind of its body. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Bytes of a body, or messages with one event each. Settles at the end of the body, rejects when it breaks or a timer
   * fires.
   */
  readonly chunks: PushStream<Uint8Array | readonly string[]>;
  /** To be called with every event before it is handled, because a transport may continue from the answer. */
  readonly onEvent?: (event: DecodedEvent) => void;
}

/**
 * Sends a round. Rejects with an `ApiError` if the server is unreachable, returns an error status or stays silent for
 * too long; with the signal's reason after an abort.
 */
export interface Transport {
  open(request: TransportRequest): Promise<TransportResponse>;
}

/** The transport of every server. */
export interface HttpTransport extends Transport {
  open(request: TransportRequest): Promise<HttpResponse>;
}

export interface HttpResponse extends TransportResponse {
  readonly chunks: PushStream<Uint8Array>;
}
