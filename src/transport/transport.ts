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
  /** Secret texts in it, beside those that are known by their names. */
  readonly secrets?: readonly string[];
  readonly callNumber: number;
  readonly round: number;
  /** Hears of the request. @default the observer of the provider */
  readonly observer?: Observer | undefined;
  readonly signal: AbortLike;
  /** What the server may cost. */
  readonly limits: Limits;
}

/** An answer whose status was good; what its body is, the stream room finds out. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Bytes of a body, or messages that are an event each. Settles when the body has ended, rejects when it breaks or a timer
   * runs out.
   */
  readonly chunks: PushStream<Uint8Array | readonly string[]>;
  /** To be called with every event that is read, before what comes of it: a transport may go on from what was answered. */
  readonly onEvent?: (event: DecodedEvent) => void;
}

/**
 * How a round travels. Rejects with an `ApiError` when the server could not be reached, answered with an error status
 * or kept silent for too long; with the signal's reason when it was aborted.
 */
export interface Transport {
  open(request: TransportRequest): Promise<TransportResponse>;
}

/** The transport that every server has. */
export interface HttpTransport extends Transport {
  open(request: TransportRequest): Promise<HttpResponse>;
}

export interface HttpResponse extends TransportResponse {
  readonly chunks: PushStream<Uint8Array>;
}
