import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AddressRules, addressesOf, WebError, webUrl } from 'responses-loop-example-shared/web-address.js';
import { lookupOf } from 'responses-loop-example-shared/web-request.js';
import { HOP_HEADERS } from '../hop-headers.js';
import { StepNotes } from './step-notes.js';

const LIMITS = { notes: 5, idleMs: 60_000 };

/**
 * The only way out of a browser. Each request, tunnel and socket of a page comes here by its name, is looked up and judged as
 * those of `openUrl` are, and is connected to the addresses that were judged.
 */
export class GuardedProxy {
  /** A header of answers that stand in place of a page. No page can know it. */
  readonly mark = `x-${randomUUID()}`;
  readonly #rules: AddressRules;
  readonly #maxBytes: number;
  readonly #sockets = new Set<Duplex>();
  readonly #server = createServer((incoming, answer) => void this.#forward(incoming, answer));
  readonly #notes = new StepNotes(LIMITS.notes);
  #bytes = 0;

  private constructor(rules: AddressRules, maxBytes: number) {
    this.#rules = rules;
    this.#maxBytes = maxBytes;
    this.#server.on('connection', (socket) => this.#keep(socket));
    this.#server.on('connect', (incoming, socket) => void this.#tunnel(incoming, socket));
  }

  static async open(rules: AddressRules, maxBytes: number): Promise<GuardedProxy> {
    const proxy = new GuardedProxy(rules, maxBytes);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Its page may load so many bytes anew. What was refused before is of an earlier step. */
  startStep(): void {
    this.#notes.take();
    this.#bytes = 0;
  }

  /** Why requests were refused since they were asked for last. */
  takeNotes(): readonly string[] {
    return this.#notes.take();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      const url = webUrl(incoming.url ?? '');
      if (url.protocol !== 'http:') throw new WebError('Only http comes here without a tunnel.');
      const addresses = await addressesOf(url, this.#rules);
      const outgoing = request(url, {
        method: incoming.method,
        headers: passedOn(incoming.headers),
        agent: false,
        lookup: lookupOf(addresses),
      });
      outgoing.on('socket', (socket) => this.#keep(socket));
      outgoing.on('error', () => fail(answer, 502, `${url.host} cannot be reached.`));
      outgoing.on('response', (response) => this.#passBack(response, answer));
      answer.on('error', () => answer.destroy());
      answer.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    } catch (error) {
      fail(answer, 403, this.#refuse(error), { [this.mark]: 'refused' });
    }
  }

  /** Node reads statuses and headers that it refuses to write; thrown in a listener, that would end the server. */
  #passBack(response: IncomingMessage, answer: ServerResponse): void {
    response.on('error', () => answer.destroy());
    try {
      answer.writeHead(response.statusCode ?? 502, passedOn(response.headers));
    } catch {
      response.destroy();
      fail(answer, 502, 'The server gave an answer with a status or a header that cannot be passed on.');
      return;
    }
    this.#count(response, answer);
    response.pipe(answer);
  }

  /** For https and for web sockets: what goes through is not read, where it goes is known. */
  async #tunnel(incoming: IncomingMessage, socket: Duplex): Promise<void> {
    try {
      const url = webUrl(`https://${incoming.url ?? ''}`);
      const addresses = await addressesOf(url, this.#rules);
      if (socket.destroyed) return;
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      const outgoing = connect({ host, port: Number(url.port || 443), lookup: lookupOf(addresses) });
      this.#keep(outgoing);
      outgoing.once('connect', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        this.#count(outgoing, socket);
        outgoing.pipe(socket).pipe(outgoing);
      });
      outgoing.on('close', () => socket.destroy());
      socket.on('close', () => outgoing.destroy());
    } catch (error) {
      this.#refuse(error);
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    }
  }

  #keep(socket: Duplex): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    // A socket that fails closes; whoever waits for it learns it there.
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
    (socket as Socket).setTimeout(LIMITS.idleMs, () => socket.destroy());
  }

  #count(from: NodeJS.ReadableStream, to: { destroy(): unknown }): void {
    from.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes <= this.#maxBytes) return;
      this.#notes.add(`The page loaded more than ${this.#maxBytes} bytes: the rest was refused.`);
      to.destroy();
    });
  }

  #refuse(error: unknown): string {
    const reason = error instanceof WebError ? error.message : 'The address is refused.';
    this.#notes.add(`A request of the page was refused: ${reason}`);
    return reason;
  }
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}

function fail(answer: ServerResponse, status: number, text: string, headers: IncomingHttpHeaders = {}): void {
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
