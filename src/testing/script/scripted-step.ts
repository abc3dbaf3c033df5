import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../core/json.js';
import type { OutputDescription, ResponseDescription } from '../response/description.js';
import type { Rechunk } from '../response/rechunk.js';
import type { ScriptedEvent } from '../response/scripted-event.js';

/** A request the scripted server got. */
export interface ScriptedRequest {
  /** Counted from 0 over the requests that took a step. */
  readonly index: number;
  /** The HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The headers, with names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The body, parsed; empty if it was no JSON object. */
  readonly body: JsonObject;
  /** The objects of `body.input`; empty if it is a plain string. */
  readonly input: readonly JsonObject[];
  /** The unchanged body. */
  readonly text: string;
  /** Becomes `true` if the client leaves before the answer is complete. */
  readonly aborted: boolean;
  /** Settles when the exchange has ended. Never rejects. */
  readonly closed: Promise<void>;
}

/**
 * Answers one request: a fixed reply, or one made from the request. A string is an answer with that text, a plain list
 * is an event stream.
 */
export type ScriptedStep = ScriptedAnswer | ((request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** An answer: a string, a description of a response, a reply on the level of HTTP, or events. */
export type ScriptedAnswer = string | DescribedReply | ScriptedReply | readonly StreamElement<ScriptedEvent>[];

/** A reply on the level of HTTP. */
export type ScriptedReply = EventsReply | BytesReply | JsonReply | HtmlReply | NoReply;

/** A promise among the elements of a stream holds it there until it settles. */
export type StreamElement<T> = T | PromiseLike<unknown>;

/**
 * A response in short form: a stream, or one JSON body if the request wants no stream. Without an `id`, it is `resp_1`,
 * `resp_2`, … by its place in the script.
 */
export interface DescribedReply extends ResponseDescription {
  /** The items of the answer, in order. */
  readonly output: readonly OutputDescription[];
}

interface ReplyOptions {
  /** @default 200 */
  readonly status?: number | undefined;
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Not even the status is sent before this settles. */
  readonly after?: PromiseLike<unknown> | undefined;
}

interface StreamOptions extends ReplyOptions {
  /** Cuts the bytes; by default each element is one chunk. */
  readonly rechunk?: Rechunk | undefined;
  /** Pause before each chunk, the same for all or one per chunk. @default no pause */
  readonly delayMs?: number | readonly number[] | undefined;
  /**
   * What follows the last chunk: a proper end (default), a broken connection (`reset`), or silence on an open one
   * (`stall`) until the client leaves or the server is closed.
   */
  readonly ending?: 'end' | 'reset' | 'stall' | undefined;
}

/** An event stream, written from objects. */
export interface EventsReply extends StreamOptions {
  /** The events to send, and pauses between them. */
  readonly events: readonly StreamElement<ScriptedEvent>[];
  /** `false` omits the `event:` lines. @default `true` */
  readonly eventLines?: boolean | undefined;
  /** `true` adds `data: [DONE]`. @default `false` */
  readonly done?: boolean | undefined;
}

/** A body sent byte for byte; `text/event-stream` unless `headers` have another type. */
export interface BytesReply extends StreamOptions {
  /** The bytes of the body, and pauses between them. */
  readonly bytes: string | Uint8Array | readonly StreamElement<string | Uint8Array>[];
}

/** A JSON body: an answer to `stream: false`, or an error with its status. */
export interface JsonReply extends ReplyOptions {
  /** The body, sent as JSON. */
  readonly json: unknown;
}

/** A web page in place of an API's answer. */
export interface HtmlReply extends ReplyOptions {
  /** The body, sent as HTML. */
  readonly html: string;
}

/** No answer: the connection breaks (`reset`) or stays open and silent (`stall`). */
export interface NoReply {
  /** How the connection ends: `reset` breaks it, `stall` keeps it open and silent. */
  readonly none: 'reset' | 'stall';
  /** Waits for this first. */
  readonly after?: PromiseLike<unknown> | undefined;
}

/** Options of a server's error. */
export interface ErrorReplyOptions {
  /** The HTTP status. */
  readonly status: number;
  /** The text of the error. @default a sentence with the status */
  readonly message?: string | undefined;
  /** The code of the error. */
  readonly code?: string | undefined;
  /** @default `invalid_request_error`; for 429 `rate_limit_error`, or `insufficient_quota` with that code; from 500 on `server_error` */
  readonly type?: string | undefined;
  /** Headers of the answer, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * An error as OpenAI words it.
 *
 * @example
 * errorReply({ status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } });
 */
export function errorReply(options: ErrorReplyOptions): JsonReply {
  const type = options.type ?? usualType(options);
  const message = options.message ?? `Scripted error ${options.status}`;
  return {
    status: options.status,
    json: { error: { message, type, param: null, code: options.code ?? null } },
    ...(options.headers !== undefined && { headers: options.headers }),
  };
}

function usualType({ status, code }: ErrorReplyOptions): string {
  if (status === 429) return code === 'insufficient_quota' ? code : 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
