import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { ApiError } from '../../errors/api-error.js';
import type { Observer } from '../../observe/event.js';
import { leavesCalls } from '../../items/pairs.js';
import { notify } from '../../observe/notify.js';
import type { Redactor } from '../../observe/redact.js';
import { type DecodedEvent, TERMINALS } from '../../stream/decode-event.js';
import { abortError } from '../../util/abort.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asNumber, asRecord, asString } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { encodeBody } from '../encode-body.js';
import { ExchangeReport } from '../exchange-report.js';
import type { SocketRules } from '../../core/profile.js';
import type { TransportRequest, TransportResponse } from '../transport.js';
import type { Connection } from './connection.js';
import { remember } from './continuation.js';
import type { SocketExchange } from './exchange.js';
import { type SocketEnd, SocketGone } from './socket.js';

/** How the requests of one round may use sockets. */
export interface SocketChoice {
  /** `websocket`: waits for a socket. `auto`: uses an open socket without waiting. */
  readonly mode: 'websocket' | 'auto';
  /** With `auto`: opens a socket for later rounds. */
  readonly isWorthOpening: boolean;
  readonly rules: SocketRules;
  /** Actions that a round does only once. */
  readonly spent: Set<'whole' | 'reconnect' | 'fallback'>;
}

export type SocketRequest = TransportRequest & { readonly socket: SocketChoice };

export interface SocketRoundOptions {
  readonly headersMs: number;
  readonly idleMs: number;
  readonly observer: Observer | undefined;
  readonly redactor: Redactor;
}

/**
 * How a request on a socket began. Only the first case has an answer. Otherwise the server lacks the response to
 * continue, the connection is too old for it, or the connection is gone.
 */
export type Beginning =
  | { readonly type: 'answer'; readonly response: TransportResponse }
  | { readonly type: 'lost-context' | 'too-old'; readonly error: ApiError }
  | { readonly type: 'gone'; readonly error: ApiError; readonly end: SocketEnd };

const LOST_CONTEXT = 'previous_response_not_found';
const TOO_OLD = 'websocket_connection_limit_reached';
/** Errors are short; the first message of an answer may repeat all instructions and tools. */
const LONGEST_ERROR = 50_000;

const ENDS = [...TERMINALS.keys()].filter((type) => type !== 'error').map((type) => `"${type}"`);

/** One request on one connection. */
export class SocketRound {
  readonly #request: SocketRequest;
  readonly #connection: Connection;
  /** The items sent instead of the input; `undefined`: the whole body. */
  readonly #items: readonly JsonValue[] | undefined;
  readonly #options: SocketRoundOptions;
  readonly #report: ExchangeReport;
  readonly #message: JsonObject;
  readonly #output: JsonValue[] = [];

  constructor(
    request: SocketRequest,
    connection: Connection,
    items: readonly JsonValue[] | undefined,
    options: SocketRoundOptions,
  ) {
    const continues = items === undefined ? undefined : connection.remembered?.responseId;
    this.#request = request;
    this.#connection = connection;
    this.#items = continues === undefined ? undefined : items;
    this.#options = options;
    this.#message = messageOf(request, continues, this.#items);
    this.#report = new ExchangeReport({ ...request, body: this.#message }, options.redactor);
  }

  async begin(): Promise<Beginning> {
    const { signal, observer = this.#options.observer } = this.#request;
    const newItems = this.#items?.length;
    if (signal.aborted) throw abortError(signal);
    notify(observer, () => this.#report.requestEvent({ transport: 'websocket', ...defined({ newItems }) }));
    let exchange: SocketExchange | undefined;
    try {
      exchange = this.#start();
      const first = await exchange.first;
      const refusal = refusalOf(first);
      if (refusal !== undefined) return this.#refuse(exchange, refusal);
      if (isEndOf(first, this.#connection.lastResponseId))
        throw new SocketGone({ reason: 'sent the end of the response before once more' });
      notify(observer, () => this.#report.responseEvent(200, {}));
      return { type: 'answer', response: this.#answer(exchange) };
    } catch (error) {
      exchange?.end(false);
      if (signal.aborted) throw abortError(signal);
      if (!(error instanceof SocketGone)) throw this.#announced(error);
      const failure = this.#announced(this.#report.unreachable(error));
      // A server that keeps state may have acted, so the HTTP rules decide.
      if (exchange !== undefined && !this.#isStateless) throw failure;
      return { type: 'gone', error: failure, end: error.end };
    }
  }

  #start(): SocketExchange {
    const { limits, signal, callNumber } = this.#request;
    const { headersMs, idleMs } = this.#options;
    const { messageBytes } = limits;
    this.#connection.lastCall = callNumber;
    return this.#connection.exchange(encodeBody(this.#message), {
      signal,
      headersMs,
      idleMs,
      messageBytes,
      mayGoElsewhere: this.#isStateless,
      report: this.#report,
    });
  }

  get #isStateless(): boolean {
    return this.#request.body['store'] === false;
  }

  #refuse(exchange: SocketExchange, { status, headers, code, body }: Refusal): Beginning {
    const error = this.#report.refused({ status, headers, body });
    exchange.end(status >= 400 && status < 500 && code !== TOO_OLD);
    if (code === TOO_OLD) return { type: 'too-old', error: this.#announced(error) };
    if (code === LOST_CONTEXT && this.#items !== undefined)
      return { type: 'lost-context', error: this.#announced(error) };
    throw error;
  }

  #announced<T>(failure: T): T {
    notify(this.#request.observer ?? this.#options.observer, () => this.#report.failureEvent(failure));
    return failure;
  }

  #answer(exchange: SocketExchange): TransportResponse {
    let isEnded = false;
    return {
      status: 200,
      headers: {},
      chunks: exchange.messages,
      onEvent: (event) => {
        // Later messages do not belong to this response, so the next reader must not get them.
        if (isEnded) exchange.isWhole = false;
        else if (event.type === 'response.output_item.done') this.#output.push(event['item'] as JsonValue);
        if (isEnded || !TERMINALS.has(event.type)) return;
        isEnded = true;
        const status = asNumber(event['status']) ?? 0;
        exchange.isWhole = event.type !== 'error' || (status >= 400 && status < 500);
        this.#remember(event);
      },
    };
  }

  #remember(event: DecodedEvent): void {
    const response = asRecord(event['response']) ?? {};
    const id = asId(response['id']);
    const status = asString(response['status']) ?? 'completed';
    const said = asArray(response['output']) as readonly JsonValue[];
    const output = this.#output.length > 0 ? this.#output : said;
    const connection = this.#connection;
    connection.lastResponseId = id;
    // The client will return with the outputs.
    if (leavesCalls(output.filter(isJsonObject))) connection.awaitCall(this.#request.signal);
    if (TERMINALS.get(event.type) !== 'completed' || status !== 'completed') return;
    // The server's state may differ from the stream. Some servers omit the output at the end.
    if (said.length > 0 && said.length !== output.length) return;
    connection.remembered = remember(this.#request.body, { id, output });
  }
}

/** Returns the body as a message: flat, without fields unknown to the mode. */
function messageOf(
  { body, socket }: SocketRequest,
  continues: string | undefined,
  items: readonly JsonValue[] | undefined,
): JsonObject {
  const { stream: _stream, background: _background, stream_options: _options, ...rest } = body;
  const sent: Record<string, JsonValue> = { type: 'response.create', ...rest };
  if (continues !== undefined) Object.assign(sent, { previous_response_id: continues, input: items });
  if (sent['previous_response_id'] != null) for (const name of socket.rules.without ?? []) delete sent[name];
  return sent;
}

function errorFrame(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > LONGEST_ERROR || !text.includes('"error"')) return undefined;
  const frame = asRecord(parseJson(text)) ?? {};
  const type = frame['type'] ?? (frame['error'] == null ? undefined : 'error');
  return type === 'error' ? frame : undefined;
}

/** Servers and relays that end a response twice would end the next one with it. */
function isEndOf(text: string, responseId: string | undefined): boolean {
  if (responseId === undefined || !ENDS.some((type) => text.includes(type))) return false;
  const { type, response } = asRecord(parseJson(text)) ?? {};
  return TERMINALS.has(String(type)) && asId(asRecord(response)?.['id']) === responseId;
}

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly code: string | undefined;
  readonly body: string;
}

const STATUS_OF: Readonly<Record<string, number>> = { [LOST_CONTEXT]: 400, [TOO_OLD]: 400 };

/**
 * An error instead of an answer, if it contains an HTTP status. xAI omits the type (anomalyco/opencode#48227).
 * Documents and services differ in whether code and message are in a separate member.
 */
function refusalOf(first: string): Refusal | undefined {
  const frame = errorFrame(first);
  if (frame === undefined) return undefined;
  const error = asRecord(frame['error']) ?? frame;
  const code = asString(error['code']);
  const status = asNumber(frame['status']) ?? asNumber(error['status']) ?? STATUS_OF[code ?? ''];
  if (status === undefined) return undefined;
  const headers = Object.entries(asRecord(error['headers']) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { status, headers: Object.fromEntries(headers), code, body: JSON.stringify({ error }) };
}
