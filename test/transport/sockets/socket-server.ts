import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeEvents, type OutputDescription, responseEvents, type ScriptedEvent } from '../../../src/testing.js';

type Item = Readonly<Record<string, unknown>>;

/** A request, whichever way it came, and what the server then has in mind. */
export interface SeenRequest {
  readonly via: 'http' | 'socket';
  /** Counts connections from 1. */
  readonly connection: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly bytes: number;
  readonly context: readonly Item[];
}

export interface AnsweringSocket {
  /** Sends events of the answer; all of them by default. */
  readonly play: (count?: number) => void;
  readonly send: (frame: unknown) => void;
  readonly socket: WebSocket;
}

/** How a request over a socket goes wrong. */
export type SocketFault = (answering: AnsweringSocket) => void;

export interface SocketServerOptions {
  /** What the model says to a context. */
  readonly model: (context: readonly Item[], request: SeenRequest) => readonly OutputDescription[];
  /** By the number of the request over sockets, from 0. */
  readonly faults?: Readonly<Record<number, SocketFault>>;
  /** Answers upgrades in place of the server. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Socket) => void;
  /** Runs when a socket was opened. */
  readonly onSocket?: (socket: WebSocket) => void;
  readonly status?: 'completed' | 'incomplete' | 'failed';
  /** The most that the model can have in mind, as characters of JSON; more is refused as OpenAI does. */
  readonly contextChars?: number;
}

export interface SocketServer extends AsyncDisposable {
  readonly baseURL: string;
  readonly requests: readonly SeenRequest[];
  readonly upgrades: number;
  /** Sockets that are open, and connections that asked for one. */
  readonly open: number;
  readonly raw: number;
  /** Of everything that came over HTTP bodies and socket frames. */
  readonly bytes: number;
}

/**
 * A Responses server on loopback that speaks SSE and the WebSocket mode: it keeps the latest response of each connection and
 * nothing else, refuses what that mode does not know, and calls without their outputs.
 */
export async function startSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<WebSocket>();
  const raw = new Set<Socket>();
  let responses = 0;
  let bytes = 0;
  let overSockets = 0;
  let upgrades = 0;
  let connections = 0;
  const see = (seen: Omit<SeenRequest, 'context'>, context: readonly Item[]): SeenRequest => {
    const request = { ...seen, context };
    bytes += seen.bytes;
    requests.push(request);
    return request;
  };
  const answer = (request: SeenRequest): ScriptedEvent[] => {
    responses += 1;
    const output = options.model(request.context, request);
    const events = responseEvents({
      id: `resp_${responses}`,
      output,
      ...(options.status && { status: options.status }),
    });
    return events.map((event, index) => ({ ...event, sequence_number: index }));
  };
  const overHttp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as SeenRequest['body'];
    const seen = see({ via: 'http', connection: 0, body, bytes: text.length }, inputOf(body));
    const problem = problemOf(seen.context) ?? tooLong(seen.context, options);
    if (typeof problem === 'object') return void response.writeHead(400).end(JSON.stringify({ error: problem }));
    if (problem !== undefined) return void response.writeHead(400).end(JSON.stringify({ error: { message: problem } }));
    const events = answer(seen);
    if (body['stream'] !== true) return void response.end(JSON.stringify(events.at(-1)?.['response']));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(encodeEvents(events));
  };
  const overSocket = (socket: WebSocket): void => {
    connections += 1;
    const connection = connections;
    let latest: { readonly id: string; readonly context: readonly Item[] } | undefined;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    options.onSocket?.(socket);
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      const body = JSON.parse(text) as SeenRequest['body'];
      const send = (frame: unknown): void => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
      const previous = body['previous_response_id'];
      const fault = options.faults?.[overSockets];
      overSockets += 1;
      const known =
        previous === undefined || previous === null ? [] : latest?.id === previous ? latest.context : undefined;
      const seen = see({ via: 'socket', connection, body, bytes: text.length }, [...(known ?? []), ...inputOf(body)]);
      if (known === undefined && fault === undefined) return send(LOST(String(previous)));
      const problem = frameProblem(body) ?? problemOf(seen.context);
      const error = problem === undefined ? tooLong(seen.context, options) : undefined;
      if (error !== undefined) return send({ type: 'error', status: 400, error });
      if (problem !== undefined)
        return send({ type: 'error', status: 400, error: { code: 'invalid_request', message: problem } });
      const events = answer(seen);
      const { response } = events.at(-1) as unknown as {
        readonly response: { readonly id: string; readonly output: Item[] };
      };
      const play = (count = events.length): void => {
        for (const event of events.slice(0, count)) send(event);
        if (count >= events.length)
          latest = { id: response.id, context: summedUp([...seen.context, ...response.output]) };
      };
      if (fault === undefined) play();
      else fault({ play, send, socket });
    });
  };
  const server = createServer((request, response) => void overHttp(request, response));
  const upgrader = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket: Socket, head) => {
    upgrades += 1;
    raw.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => raw.delete(socket));
    if (options.onUpgrade !== undefined) {
      // Else its end is not seen.
      socket.resume();
      socket.on('end', () => socket.destroy());
      return options.onUpgrade(request, socket);
    }
    upgrader.handleUpgrade(request, socket, head, overSocket);
  });
  await listen(server);
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get upgrades() {
      return upgrades;
    },
    get open() {
      return sockets.size;
    },
    get raw() {
      return raw.size;
    },
    get bytes() {
      return bytes;
    },
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.terminate();
      // Not the server's any more once they asked for an upgrade.
      for (const socket of raw) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

const LOST = (id: string) => ({
  type: 'error',
  status: 400,
  error: {
    code: 'previous_response_not_found',
    message: `Previous response with id '${id}' not found.`,
    param: 'previous_response_id',
  },
});

/** The service ends connections after an hour. */
export const LIMIT_REACHED = {
  type: 'error',
  status: 400,
  error: { code: 'websocket_connection_limit_reached', message: 'Create a new websocket connection.' },
};

function inputOf(body: SeenRequest['body']): readonly Item[] {
  const { input } = body;
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input as Item[]);
}

function frameProblem(body: SeenRequest['body']): string | undefined {
  if (body['type'] !== 'response.create') return 'The type must be response.create.';
  const unknown = ['stream', 'background'].find((name) => name in body);
  return unknown && `Unknown parameter: '${unknown}'.`;
}

function tooLong(context: readonly Item[], { contextChars = Number.POSITIVE_INFINITY }: SocketServerOptions) {
  // Not even looked at where there is no limit.
  if (contextChars === Number.POSITIVE_INFINITY || JSON.stringify(context).length <= contextChars) return undefined;
  return {
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    type: 'invalid_request_error',
    param: 'input',
    code: 'context_length_exceeded',
  };
}

/** The server goes on from its own summary. */
function summedUp(context: readonly Item[]): readonly Item[] {
  const at = context.findLastIndex(({ type }) => type === 'compaction');
  return context.slice(Math.max(0, at));
}

/** What OpenAI says of a call without its output, and the other way round. */
function problemOf(context: readonly Item[]): string | undefined {
  const calls = idsOf(context, 'function_call');
  const outputs = idsOf(context, 'function_call_output');
  // A call that the server has marked may have its output later.
  const waiting = idsOf(
    context.filter((item) => item['async'] !== true),
    'function_call',
  );
  const open = waiting.find((id) => !outputs.includes(id)) ?? outputs.find((id) => !calls.includes(id));
  const isDoubled = new Set(outputs).size < outputs.length || new Set(calls).size < calls.length;
  return open === undefined && !isDoubled ? undefined : `No tool output found for function call ${String(open)}.`;
}

function idsOf(context: readonly Item[], type: string): unknown[] {
  return context.flatMap((item) => (item['type'] === type ? [item['call_id']] : []));
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}
