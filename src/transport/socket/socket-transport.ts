import type { JsonValue } from '../../core/json.js';
import { notify } from '../../observe/notify.js';
import { redactorsOf } from '../../observe/redactor.js';
import { defined } from '../../util/defined.js';
import { type AbortLike, onceAborted, raceAbort } from '../../util/abort.js';
import { steadyNow } from '../../util/timers.js';
import type { HttpTransport, TransportResponse } from '../transport.js';
import { Attempt } from './attempt.js';
import type { Connection, SocketPlace } from './connection.js';
import { findClient, type OpenClient } from './find-client.js';
import { SocketPool } from './pool.js';
import type { WebSocketSetting } from './client-types.js';
import { type SocketEnd, SocketGone } from './socket.js';
import { type SocketChoice, type SocketRequest, SocketRound, type SocketRoundOptions } from './socket-round.js';

export interface SocketTransportOptions extends SocketRoundOptions {
  readonly http: HttpTransport;
  readonly client: WebSocketSetting | undefined;
  /** How long an upgrade may take. */
  readonly socketMs: number;
  readonly sockets: { readonly max: number; readonly idleMs: number; readonly maxAgeMs?: number | undefined };
  /** Of one message. */
  readonly messageBytes: number;
  /** The end of the provider. */
  readonly closed: AbortLike;
}

/**
 * Sends requests over WebSockets if possible and useful, else over HTTP. The whole body is always available. A socket
 * sends less only if the server knows the omitted part on this connection.
 */
export class SocketTransport {
  readonly #options: SocketTransportOptions;
  readonly #pool: SocketPool;
  readonly #refused = new RefusedUrls();
  /** By place: the sockets that are being opened for later rounds. */
  readonly #preparing = new Map<string, Attempt>();
  readonly #client: Promise<OpenClient | undefined>;

  constructor(options: SocketTransportOptions) {
    const { sockets, observer, closed, messageBytes } = options;
    this.#options = options;
    this.#client = findClient(options.client, messageBytes);
    this.#pool = new SocketPool({
      ...sockets,
      openMs: options.socketMs,
      onClosed: ({ rounds, ageMs, place }, { code, reason }) =>
        notify(observer, () => ({
          type: 'socket',
          what: 'closed',
          rounds,
          ageMs,
          reason: redactorsOf({ ...place, body: undefined }, options.redactor).whole.text(reason),
          ...defined({ code }),
        })),
    });
    onceAborted(closed, () => this.#pool.close());
  }

  /** A request over HTTP waits for nothing. */
  open(request: SocketRequest): Promise<TransportResponse> {
    const { http } = this.#options;
    if (!mayUseSocket(request)) return http.open(request);
    const place = this.#placeOf(request);
    const lease = this.#pool.find(place, request.body, request.callNumber);
    if (lease !== undefined) {
      const { continues } = request.socket.rules;
      const items = continues === 'connection' ? lease.items : undefined;
      return this.#send(request, lease.connection, items, true);
    }
    return request.socket.mode === 'websocket' ? this.#sendFresh(request, place) : http.open(request);
  }

  /** Opens a socket for later rounds. */
  prepare(request: SocketRequest): void {
    const { signal } = request;
    if (!mayUseSocket(request) || signal.aborted) return;
    const place = this.#placeOf(request);
    const { identity } = place;
    // Rounds over HTTP may be faster than the opening of a socket.
    const underWay = this.#preparing.get(identity);
    if (underWay !== undefined) return underWay.join(signal);
    const attempt = new Attempt(() => this.#preparing.delete(identity));
    this.#preparing.set(identity, attempt);
    attempt.join(signal);
    void this.#connect(request, place, attempt);
  }

  async #sendFresh(request: SocketRequest, place: SocketPlace): Promise<TransportResponse> {
    const attempt = new Attempt();
    attempt.join(request.signal);
    const connection = await raceAbort(this.#connect(request, place, attempt), request.signal);
    return connection === undefined
      ? this.#options.http.open(request)
      : this.#send(request, connection, undefined, false);
  }

  /** An open connection; `undefined` if it cannot be opened, which was announced, or if no caller waits. */
  async #connect(request: SocketRequest, place: SocketPlace, attempt: Attempt): Promise<Connection | undefined> {
    const { observer, closed } = this.#options;
    try {
      if (this.#refused.has(place.url)) return undefined;
      const client = await this.#client;
      if (client === undefined) throw new SocketGone({ reason: 'has no client in this runtime (setting webSocket)' });
      if (closed.aborted || attempt.isOver) return undefined;
      const connection = this.#pool.open(place, client);
      if (connection === undefined) return undefined;
      await attempt.opened(connection);
      notify(observer, () => ({ type: 'socket', what: 'opened', rounds: 0, ageMs: connection.ageMs }));
      return connection;
    } catch (error) {
      const end: SocketEnd = error instanceof SocketGone ? error.end : { reason: String(error) };
      if (end.isUnwanted === true) return undefined;
      this.#refused.add(place.url, end.status);
      this.#announceFallback(request, `The WebSocket ${end.reason}.`);
      return undefined;
    } finally {
      attempt.end();
    }
  }

  /** Uses HTTP if no answer arrives. */
  async #send(
    request: SocketRequest,
    connection: Connection,
    items: readonly JsonValue[] | undefined,
    isReused: boolean,
  ): Promise<TransportResponse> {
    const beginning = await new SocketRound(request, connection, items, this.#options).begin();
    if (beginning.type === 'answer') return beginning.response;
    const { type, error } = beginning;
    const { spent } = request.socket;
    // Each call would wait as long in vain. The network may have lost an old connection.
    if (type === 'gone' && !isReused && beginning.end.isSilent === true) this.#refused.add(connection.place.url);
    if (type === 'lost-context' && once(spent, 'whole')) return this.#send(request, connection, undefined, isReused);
    if (type !== 'lost-context' && isReused && once(spent, 'reconnect'))
      return this.#sendFresh(request, this.#placeOf(request));
    if (type === 'lost-context' || !once(spent, 'fallback')) throw error;
    this.#announceFallback(request, error.message);
    return this.#options.http.open(request);
  }

  #announceFallback(request: SocketRequest, why: string): void {
    const { observer, redactor } = this.#options;
    const { callNumber, round } = request;
    notify(observer, () => {
      const reason = redactorsOf(request, redactor).whole.text(why);
      return { type: 'transport-fallback', callNumber, round, reason };
    });
  }

  #placeOf({ url, headers, secrets, socket }: SocketRequest): SocketPlace {
    const { 'content-type': _type, ...upgrade } = headers;
    const place = { url: url.replace(/^http/, 'ws'), headers: upgrade };
    const maxAgeMs = this.#options.sockets.maxAgeMs ?? socket.rules.maxAgeMs;
    return { ...place, identity: identityOf(place), secrets, maxAgeMs };
  }
}

function mayUseSocket(request: SocketRequest): boolean {
  return request.method !== 'GET' && request.body['background'] !== true;
}

/** Whether it is the first time. */
function once(spent: SocketChoice['spent'], what: 'whole' | 'reconnect' | 'fallback'): boolean {
  const isFirst = !spent.has(what);
  spent.add(what);
  return isFirst;
}

/** Final answers to an upgrade: no such route, or no sockets there. A 200 is a page. */
const FOR_GOOD: ReadonlySet<number | undefined> = new Set([200, 404, 405, 426, 501]);
/** These concern the key or the moment, which the request over HTTP resolves with its retries and other keys. */
const NOT_THE_SOCKETS: ReadonlySet<number | undefined> = new Set([401, 403, 429]);

const FIRST_REST_MS = 5 * 60_000;
const LATER_REST_MS = 30 * 60_000;

/** Places where opening failed: no call waits for a socket there, for a while or for ever. */
class RefusedUrls {
  readonly #until = new Map<string, number>();

  has(url: string): boolean {
    return steadyNow() < (this.#until.get(withoutQuery(url)) ?? 0);
  }

  add(url: string, status?: number): void {
    if (NOT_THE_SOCKETS.has(status) || (status !== undefined && status >= 500 && status !== 501)) return;
    const place = withoutQuery(url);
    const rest = this.#until.has(place) ? LATER_REST_MS : FIRST_REST_MS;
    this.#until.set(place, FOR_GOOD.has(status) ? Number.POSITIVE_INFINITY : steadyNow() + rest);
  }
}

/** It may differ in every request. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/**
 * Headers about one request, not about its owner: an upgrade has those of its first request. All others identify a
 * connection, because any of them may contain a key, a tenant or a switch.
 */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set([
  // W3C Trace Context
  'traceparent',
  'tracestate',
  // Zipkin
  'b3',
  'x-b3-traceid',
  'x-b3-spanid',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-flags',
  // Datadog
  'x-datadog-trace-id',
  'x-datadog-parent-id',
  'x-datadog-sampling-priority',
  'x-datadog-origin',
  'x-datadog-tags',
  // Jaeger, Google Cloud, AWS, Sentry
  'uber-trace-id',
  'x-cloud-trace-context',
  'x-amzn-trace-id',
  'sentry-trace',
  'request-id',
  'x-request-id',
  // OpenAI, Azure
  'x-client-request-id',
  'x-ms-client-request-id',
  'correlation-id',
  'x-correlation-id',
  'idempotency-key',
]);
/** Members of W3C Baggage by Sentry and OpenTelemetry's sampling; other members are the user's own. */
const OF_TRACES = /^\s*(?:sentry-|sampling\.)/;

/** The identity that interchangeable connections share. */
export function identityOf({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): string {
  const own = Object.entries(headers)
    .filter(([name]) => !OF_ONE_REQUEST.has(name))
    .map(([name, value]): [string, string] => [name, name === 'baggage' ? ownBaggage(value) : value])
    .filter(([name, value]) => name !== 'baggage' || value !== '');
  return JSON.stringify([url, own.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** It may contain a tenant, and gateways route by it. */
function ownBaggage(value: string): string {
  const members = value.split(',').filter((member) => member.trim() !== '' && !OF_TRACES.test(member));
  return members.join(',');
}
