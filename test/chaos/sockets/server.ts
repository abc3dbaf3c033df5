import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { responseBody } from 'responses-loop/testing';
import { type WebSocket, WebSocketServer } from 'ws';
import type { JsonObject } from '../../../src/core/json.js';
import { asRecord, asRecords } from '../../../src/util/guards.js';
import { describe, isWhole } from '../events.js';
import type { Wire } from '../observation.js';
import type { Exchange, SocketScenario, Upgrade } from '../scenario.js';
import { answerOn, asOverSocket, rawOf } from './answer.js';

export interface SocketServerOptions extends Pick<SocketScenario, 'upgrades'> {
  readonly recut: boolean;
  /** Says how a request is answered, whose lane the context gives away. */
  readonly onRequest: (request: Wire & { readonly headers: IncomingMessage['headers'] }) => Exchange;
}

/** What the service keeps of a connection. */
interface Latest {
  readonly id: string;
  readonly context: readonly JsonObject[];
}

const LIMIT = {
  type: 'error',
  status: 400,
  error: { code: 'websocket_connection_limit_reached', message: 'Create a new websocket connection.' },
};
const LATE_MS = 30;
/** Looks at what is open, at least 2 ms apart: a machine that stands still has one look, however long. */
const LEAVING_LOOKS = 750;

/** The WebSocket mode of the Responses API on loopback: one answer at a time, and the latest one in mind. */
export class SocketServer {
  /** What no client should do. */
  readonly problems: string[] = [];
  readonly #options: SocketServerOptions;
  readonly #http = createServer((_request, response) => void response.writeHead(404).end());
  readonly #upgrader = new WebSocketServer({ noServer: true });
  readonly #raw = new Set<Socket>();
  #upgrades = 0;
  #connections = 0;

  constructor(options: SocketServerOptions) {
    this.#options = options;
    this.#http.on('upgrade', (request, socket: Socket, head) => void this.#upgrade(request, socket, head));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}/v1/responses`;
  }

  /** How many sockets the clients did not give up in time. */
  async close(): Promise<number> {
    for (let looks = 0; this.#raw.size > 0 && looks < LEAVING_LOOKS; looks += 1) await sleep(2);
    const left = this.#raw.size;
    for (const socket of this.#raw) socket.destroy();
    await new Promise((resolve) => this.#http.close(resolve));
    return left;
  }

  async #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { upgrades } = this.#options;
    const how = upgrades[this.#upgrades] ?? upgrades.at(-1) ?? 'open';
    this.#upgrades += 1;
    this.#raw.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#raw.delete(socket));
    if (how === 'late') await sleep(LATE_MS);
    if (how === 'open' || how === 'late') {
      if (socket.destroyed) return;
      this.#upgrader.handleUpgrade(request, socket, head, (opened) => this.#serve(opened, request));
      return;
    }
    // Else its end is not seen.
    socket.resume();
    socket.on('end', () => socket.destroy());
    refuse(socket, how);
  }

  #serve(socket: WebSocket, { headers }: IncomingMessage): void {
    const connection = this.#connections;
    this.#connections += 1;
    let latest: Latest | undefined;
    let requests = 0;
    let isBusy = false;
    /** The server has given it up; what still comes was sent too early to know. */
    let isOver = false;
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      if (isOver || socket.readyState !== socket.OPEN) return;
      const sent = JSON.parse(data.toString()) as JsonObject;
      if (isBusy) this.problems.push(`connection ${connection} was asked twice at once`);
      void answer(sent);
    });
    const answer = async (sent: JsonObject): Promise<void> => {
      const { previous_response_id: previous } = sent;
      if (previous != null && previous !== latest?.id)
        this.problems.push(`connection ${connection} was to go on from ${JSON.stringify(previous)}, not known there`);
      const known = previous == null ? [] : (latest?.context ?? []);
      const context = [...known, ...(asRecords(sent['input']) as JsonObject[])];
      const { onRequest, recut } = this.#options;
      const exchange = asOverSocket(onRequest({ connection, isFirst: requests === 0, sent, context, headers }));
      requests += 1;
      latest = undefined;
      isBusy = true;
      // It is remembered before the client can know.
      const isKept = exchange.kind === 'answer' && exchange.status === 'completed' && isWhole(exchange);
      if (isKept) latest = { id: exchange.responseId, context: [...context, ...outputOf(exchange)] };
      isBusy = !(await answerOn(socket, exchange, recut)) && exchange.kind !== 'http-error';
      if (exchange.kind !== 'answer' || exchange.afterwards === undefined || isBusy) return;
      const { how, ms } = exchange.afterwards;
      await sleep(ms);
      // What has not left the process would be lost with the connection.
      while (rawOf(socket).writableLength > 0 && !rawOf(socket).destroyed) await sleep(1);
      // The client may have gone on meanwhile.
      if (isBusy || socket.readyState !== socket.OPEN) return;
      isOver = true;
      if (how === 'limit') socket.send(JSON.stringify(LIMIT));
      else if (how === 'reset') socket.terminate();
      else socket.close(exchange.closeCode);
    };
  }
}

function outputOf(exchange: Exchange & { readonly kind: 'answer' }): readonly JsonObject[] {
  return asRecords(asRecord(responseBody(describe(exchange)))?.['output']) as JsonObject[];
}

const PAGE = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi';

function refuse(socket: Socket, how: Upgrade): void {
  if (how === 'silent') return;
  if (how === 'reset') return void socket.destroy();
  socket.end(how === 'page' ? PAGE : `HTTP/1.1 ${how} No\r\nContent-Length: 0\r\n\r\n`);
}
