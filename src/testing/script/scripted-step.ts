import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../core/json.js';
import type { OutputDescription, ResponseDescription } from '../response/description.js';
import type { Rechunk } from '../response/rechunk.js';
import type { ScriptedEvent } from '../response/scripted-event.js';

/** A request the scripted server got. */
export interface ScriptedRequest {
  /** Counted from 0 over the requests that took a step. */
  readonly index: number;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, parsed; empty if it was no JSON object. */
  readonly body: JsonObject;
  /** The objects of `body.input`; empty if it is a plain string. */
  readonly input: readonly JsonObject[];
  /** The body as it came. */
  readonly text: string;
  /** Becomes `true` if the client leaves before the answer is complete. */
  readonly aborted: boolean;
  /** Settles when the exchange has ended. Never rejects. */
  readonly closed: Promise<void>;
}

/**
 * Answers one request: a fixed reply, or one made from the request. A text is an answer with that text, a plain list is
 * an event stream.
 */
export type ScriptedStep = ScriptedAnswer | ((request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>);

export type ScriptedAnswer = string | DescribedReply | ScriptedReply | readonly StreamElement<ScriptedEvent>[];

export type ScriptedReply = EventsReply | BytesReply | JsonReply | HtmlReply | NoReply;

/** A promise among the elements of a stream holds it there until it settles. */
export type StreamElement<T> = T | PromiseLike<unknown>;

/**
 * A response in short form: a stream, or one JSON body if the request wants no stream. Without an `id`, it is `resp_1`,
 * `resp_2`, … by its place in the script.
 */
export interface DescribedReply extends ResponseDescription {
  readonly output: readonly OutputDescription[];
}

interface ReplyOptions {
  /** Default 200. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Not even the status is sent before this settles. */
  readonly after?: PromiseLike<unknown> | undefined;
}

interface StreamOptions extends ReplyOptions {
  /** Cuts the bytes; by default each element is one chunk. */
  readonly rechunk?: Rechunk | undefined;
  /** Pause before each chunk, the same for all or one per chunk. Default: no pause. */
  readonly delayMs?: number | readonly number[] | undefined;
  /**
   * What follows the last chunk: a proper end (default), a broken connection (`reset`), or silence on an open one
   * (`stall`) until the client leaves or the server is closed.
   */
  readonly ending?: 'end' | 'reset' | 'stall' | undefined;
}

/** An event stream, written from objects. */
export interface EventsReply extends StreamOptions {
  readonly events: readonly StreamElement<ScriptedEvent>[];
  /** `false` omits the `event:` lines. Default `true`. */
  readonly eventLines?: boolean | undefined;
  /** `true` adds `data: [DONE]`. Default `false`. */
  readonly done?: boolean | undefined;
}

/** A body sent byte for byte; `text/event-stream` unless `headers` have another type. */
export interface BytesReply extends StreamOptions {
  readonly bytes: string | Uint8Array | readonly StreamElement<string | Uint8Array>[];
}

/** A JSON body: an answer to `stream: false`, or an error with its status. */
export interface JsonReply extends ReplyOptions {
  readonly json: unknown;
}

/** A web page in place of an API's answer. */
export interface HtmlReply extends ReplyOptions {
  readonly html: string;
}

/** No answer: the connection breaks (`reset`) or stays open and silent (`stall`). */
export interface NoReply {
  readonly none: 'reset' | 'stall';
  readonly after?: PromiseLike<unknown> | undefined;
}

export interface ErrorReplyOptions {
  readonly status: number;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  /** Default `invalid_request_error`, from 500 on `server_error`. */
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * An error as OpenAI words it.
 *
 * @example
 * errorReply({ status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } });
 */
export function errorReply(options: ErrorReplyOptions): JsonReply {
  const type = options.type ?? (options.status >= 500 ? 'server_error' : 'invalid_request_error');
  const message = options.message ?? `Scripted error ${options.status}`;
  return {
    status: options.status,
    json: { error: { message, type, param: null, code: options.code ?? null } },
    ...(options.headers !== undefined && { headers: options.headers }),
  };
}
