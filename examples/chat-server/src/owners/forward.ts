import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { OwnerElsewhere, Owners } from 'responses-loop-example-shared/engine/owners.js';
import { HttpError, RETRY_S } from '../errors.js';
import { HOP_HEADERS } from '../hop-headers.js';

/** A request with it goes no further, whoever sent it. */
export const HOP = 'chat-server-hop';
const CONNECT_MS = 2_000;
/** How often it is looked whether those are alive that answers are waited for. */
const WATCH_MS = 1_000;
/** What the owner needs to know of the client. Host and origin were judged here, of this server. */
const SENT = ['accept', 'accept-language', 'authorization', 'content-type', 'cookie', 'last-event-id', 'user-agent'];
/** What a frame asks for is known by it. */
const SENT_TOO = ['if-none-match', 'range', 'sec-fetch-dest'];
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

export interface Forwarding {
  readonly request: Request;
  /** Empty: it has none. */
  readonly body: string;
  /** Of the table of instances. Nothing of the request decides where it goes. */
  readonly to: OwnerElsewhere;
  /** Breaks the connection of the client, as that of the owner broke. Without it the body of the answer fails. */
  readonly cut?: (() => void) | undefined;
}

/** `unreached`: the owner has not begun with it, or it may be sent again in any case. */
export type Forwarded = Response | 'unreached';

/** Hands requests to the owners of their chats, and their answers back as they come. */
export class Forwarder {
  readonly #owners: Pick<Owners, 'living'>;
  /** What waits for the answer of an instance, or reads it. */
  readonly #waiting = new Map<string, Set<(reason: Error) => void>>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(owners: Pick<Owners, 'living'>) {
    this.#owners = owners;
  }

  /** @throws HttpError `owner_gone`, if it is not known whether the owner has taken it. */
  async send({ request, body, to, cut }: Forwarding): Promise<Forwarded> {
    const { signal } = request;
    signal.throwIfAborted();
    const state = { isSent: false };
    const outgoing = open(to.address, optionsOf(request, body));
    const gone = (reason: Error): void => void outgoing.destroy(reason);
    const onAbort = (): void => gone(new Error('The client went away.'));
    const leave = this.#watch(to.instance, gone);
    signal.addEventListener('abort', onAbort, { once: true });
    outgoing.once('close', () => {
      leave();
      signal.removeEventListener('abort', onAbort);
    });
    const slow = setTimeout(() => gone(new Error('It took too long to connect.')), CONNECT_MS);
    const connected = (): void => {
      clearTimeout(slow);
      state.isSent = true;
    };
    outgoing.once('socket', (socket) => socket.once('connect', connected));
    try {
      return answerOf(request, await sent(outgoing, body), cut);
    } catch {
      signal.throwIfAborted();
      if (!state.isSent || request.method === 'GET' || request.method === 'HEAD') return 'unreached';
      const message =
        'The server that has the chat went away before it answered. Look whether it has taken this, then try again.';
      throw new HttpError(503, 'owner_gone', message, RETRY_S);
    } finally {
      clearTimeout(slow);
    }
  }

  /** A process that was frozen keeps its connections, and nobody would notice. */
  #watch(instance: string, gone: (reason: Error) => void): () => void {
    const waiting = this.#waiting.get(instance) ?? new Set();
    this.#waiting.set(instance, waiting.add(gone));
    this.#timer ??= setInterval(() => void this.#look(), WATCH_MS).unref();
    return () => {
      waiting.delete(gone);
      if (waiting.size === 0) this.#waiting.delete(instance);
      if (this.#waiting.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  async #look(): Promise<void> {
    const asked = [...this.#waiting.keys()];
    // Without an answer of the database nothing is known.
    const living = await this.#owners.living(asked).catch(() => new Set(asked));
    for (const instance of asked.filter((one) => !living.has(one))) {
      const reason = new Error('The server that has the chat gives no sign of life.');
      for (const gone of this.#waiting.get(instance) ?? []) gone(reason);
    }
  }
}

function open(address: string, options: RequestOptions): ReturnType<typeof httpRequest> {
  const { protocol, hostname, port } = new URL(address);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  // A connection of its own: one that was kept may have been closed meanwhile.
  return request({ ...options, host: hostname.replace(/^\[|\]$/g, ''), port, agent: false });
}

function optionsOf({ method, url, headers }: Request, body: string): RequestOptions {
  const { pathname, search } = new URL(url);
  const sentHeaders = [...SENT, ...SENT_TOO].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const length = body === '' ? [] : [['content-length', String(Buffer.byteLength(body))] as const];
  return { method, path: `${pathname}${search}`, headers: Object.fromEntries([...sentHeaders, ...length, [HOP, '1']]) };
}

function sent(outgoing: ReturnType<typeof httpRequest>, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // Later ones are those of the answer, which hears of them itself.
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function answerOf({ method }: Request, incoming: IncomingMessage, cut: Forwarding['cut']): Response {
  const { statusCode: status = 502, rawHeaders } = incoming;
  const named = new Set(incoming.headers.connection?.split(',').map((name) => name.trim().toLowerCase()));
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const isOfConnection = HOP_HEADERS.has(name.toLowerCase()) || named.has(name.toLowerCase());
    if (!isOfConnection) headers.append(name, rawHeaders[at + 1] ?? '');
  }
  if (method === 'HEAD' || WITHOUT_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(bodyOf(incoming, cut), { status, headers });
}

/** As it comes. That its owner died is no fault of this server, whose log would have each stream. */
function bodyOf(incoming: IncomingMessage, cut: Forwarding['cut']): ReadableStream<Uint8Array> {
  const pieces = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value as Uint8Array);
      } catch (error) {
        if (cut === undefined) return controller.error(error);
        cut();
        controller.close();
      }
    },
    cancel: () => void incoming.destroy(),
  });
}
