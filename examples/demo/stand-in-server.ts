import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { streamOf } from './stand-in-events.js';
import { type AskedFor, decide } from './stand-in-rules.js';

/** A server on loopback that takes the place of a model. */
export interface StandInServer {
  readonly baseURL: string;
  close(): Promise<void>;
}

/** Milliseconds between two events: slow enough to watch, fast enough not to bore. */
const PACE_MS = 12;
/** Servers keep beginnings of so many tokens. */
const CACHED_BY = 128;

/**
 * Real HTTP and real server-sent events; only the thinking is made of rules. It knows nothing but what it is sent: what it
 * quotes from a file came to it in a request.
 */
export async function startStandInServer(): Promise<StandInServer> {
  let responses = 0;
  const cache = { tokens: 0 };
  const server = createServer((request, response) => {
    responses += 1;
    answer(request, response, { id: `resp_demo${responses}`, cache }).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP server that listens has no other kind of address
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Envelope {
  readonly id: string;
  /** What the request before had: of a conversation that only grows, all of it begins the next request. */
  readonly cache: { tokens: number };
}

async function answer(request: IncomingMessage, response: ServerResponse, { id, cache }: Envelope): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/v1/responses') {
    return refuse(response, 404, `There is nothing at ${request.method} ${request.url}.`);
  }
  const text = await bodyOf(request);
  const asked = parse(text);
  if (asked === undefined)
    return refuse(response, 400, 'The body is not a Responses request with a list as its input.');
  if (asked.stream !== true) return refuse(response, 400, 'The stand-in only streams.');
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  const inputTokens = Math.ceil(text.length / 4);
  const cachedTokens = Math.min(cache.tokens, inputTokens);
  cache.tokens = inputTokens - (inputTokens % CACHED_BY);
  let number = 0;
  for (const event of streamOf(decide(asked), { id, model: asked.model, inputTokens, cachedTokens })) {
    if (response.destroyed) return;
    response.write(`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`);
    number += 1;
    if (event.type.endsWith('.delta')) await sleep(PACE_MS);
  }
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function parse(text: string): AskedFor | undefined {
  try {
    const body = JSON.parse(text) as AskedFor;
    return Array.isArray(body.input) ? body : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }));
}
