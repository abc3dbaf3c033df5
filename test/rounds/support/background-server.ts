import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeEvents, type OutputDescription, responseEvents, type ScriptedEvent } from '../../../src/testing.js';

/** How the server answers one request about a response; anything not named works as it should. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

export interface BackgroundServerOptions {
  /** The response that runs on. */
  readonly output: readonly OutputDescription[];
  /** Events that the first stream has, before its connection breaks. Default: all. */
  readonly firstStream?: number;
  /** Faults of the requests that take the stream up again, one after the other. */
  readonly resumes?: readonly (Fault | number | 'whole')[];
  /** Polls that find the response running; after them it is finished. Default 0. */
  readonly running?: number;
  /** Faults of the polls, one after the other, before those. */
  readonly polls?: readonly Fault[];
  /** How the response ends. Default `completed`. */
  readonly status?: string;
}

/** What came: `POST`, `GET after=3`, `GET`, `cancel`. */
export interface BackgroundServer extends AsyncDisposable {
  readonly baseURL: string;
  readonly asked: readonly string[];
  readonly authorizations: ReadonlySet<string | undefined>;
}

/** A Responses server on loopback whose responses run on, as OpenAI's "Background mode" describes it. */
export async function startBackgroundServer(options: BackgroundServerOptions): Promise<BackgroundServer> {
  const { firstStream = Number.POSITIVE_INFINITY, status = 'completed', running = 0 } = options;
  const events = numbered(responseEvents({ id: 'resp_1', output: options.output }));
  const whole = { ...(events.at(-1)?.['response'] as object), id: 'resp_1', status };
  const resumes = [...(options.resumes ?? [])];
  const polls = [...(options.polls ?? [])];
  let left = running;
  const asked: string[] = [];
  const authorizations = new Set<string | undefined>();
  const create = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await textOf(request)) as { stream?: boolean };
    asked.push('POST');
    if (body.stream === true) return play(response, events.slice(0, firstStream), firstStream >= events.length);
    json(response, 200, { ...whole, status: 'queued', output: [] });
  };
  const resume = (request: IncomingMessage, response: ServerResponse, after: number): void => {
    asked.push(`GET after=${after}`);
    const next = resumes.shift();
    if (typeof next === 'function') return next(request, response);
    const from = next === 'whole' ? 0 : events.findIndex((event) => Number(event['sequence_number']) > after);
    const rest = typeof next === 'number' ? events.slice(from, from + next) : events.slice(from);
    play(response, rest, typeof next !== 'number');
  };
  const poll = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push('GET');
    const fault = polls.shift();
    if (fault !== undefined) return fault(request, response);
    left -= 1;
    json(response, 200, left >= 0 ? { ...whole, status: 'in_progress', output: [] } : whole);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
    authorizations.add(request.headers.authorization);
    if (request.method === 'POST' && pathname === '/v1/responses') return void create(request, response);
    if (request.method === 'POST' && pathname === '/v1/responses/resp_1/cancel') {
      asked.push('cancel');
      return json(response, 200, { ...whole, status: 'cancelled' });
    }
    if (request.method !== 'GET' || pathname !== '/v1/responses/resp_1') return json(response, 404, NOT_FOUND);
    const after = searchParams.get('starting_after');
    if (after === null) return poll(request, response);
    resume(request, response, Number(after));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    authorizations,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const NOT_FOUND = { error: { code: 'not_found', message: 'Response not found.', type: 'invalid_request_error' } };

/** Answers with an error status. */
export const refuse =
  (status: number, message = 'No.'): Fault =>
  (_request, response) =>
    json(response, status, { error: { message, code: `status_${status}` } });

/** Closes the connection without an answer. */
export const hangUp: Fault = (request) => request.socket.destroy();

/** Answers with a stream of these events. */
export const stream =
  (...events: readonly ScriptedEvent[]): Fault =>
  (_request, response) =>
    play(response, events, true);

/** Answers with JSON. */
export const answer =
  (body: unknown): Fault =>
  (_request, response) =>
    json(response, 200, body);

function numbered(events: readonly ScriptedEvent[]): ScriptedEvent[] {
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

function play(response: ServerResponse, events: readonly ScriptedEvent[], isWhole: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(encodeEvents(events), () => {
    if (isWhole) response.end();
    else response.socket?.destroy();
  });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
