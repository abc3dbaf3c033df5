import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { createResponsesProvider, type ResponsesProviderSettings, type ResponsesProviderV2 } from 'responses-loop';

export interface FloodOptions {
  readonly status?: number;
  readonly contentType?: string;
  /** What the body begins with. */
  readonly start?: string;
  /** What it goes on with, again and again. */
  readonly again: string;
  readonly gzip?: boolean;
  /** Where the server stops of itself, in bytes: a test that would never end ends here. */
  readonly atMost?: number;
}

export interface Flood {
  readonly baseURL: string;
  readonly requests: number;
  /** Counts what it hands out. */
  readonly fetch: typeof globalThis.fetch;
  /** Bytes of bodies that were read, unpacked. */
  readonly taken: number;
  /** Answers that go on. */
  readonly underWay: number;
}

const MB = 1_000_000;

/** A real server whose body has no end, as far as a client can tell. */
export async function flood(options: FloodOptions): Promise<Flood> {
  const seen = { requests: 0, taken: 0, underWay: 0 };
  const server = createServer((request, response) => {
    seen.requests += 1;
    seen.underWay += 1;
    response.on('close', () => {
      seen.underWay -= 1;
    });
    void pourOut(request, response, options);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Bound to a port, its address is an object.
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return seen.requests;
    },
    get taken() {
      return seen.taken;
    },
    get underWay() {
      return seen.underWay;
    },
    async fetch(...args) {
      const response = await fetch(...args);
      const count = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          seen.taken += chunk.length;
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body?.pipeThrough(count), response);
    },
  };
}

async function pourOut(request: IncomingMessage, response: ServerResponse, options: FloodOptions): Promise<void> {
  const { status = 200, contentType = 'text/event-stream', start = '', again, gzip = false } = options;
  request.resume();
  response.writeHead(status, { 'content-type': contentType, ...(gzip ? { 'content-encoding': 'gzip' } : {}) });
  const packed = gzip ? createGzip() : undefined;
  packed?.on('error', () => {}).pipe(response);
  const out = packed ?? response;
  const piece = Buffer.from(again.repeat(Math.ceil(MB / again.length)));
  out.write(start);
  let sent = 0;
  while (!response.destroyed && sent < (options.atMost ?? 400 * MB)) {
    sent += piece.length;
    if (!out.write(piece)) await untilDrained(out, response);
  }
  packed?.destroy();
  response.end();
}

function untilDrained(out: Writable, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      out.off('drain', goOn);
      response.off('close', goOn);
      resolve();
    };
    out.on('drain', goOn);
    response.on('close', goOn);
  });
}

export function providerOf(
  { baseURL, fetch }: Pick<Flood, 'baseURL' | 'fetch'>,
  settings: ResponsesProviderSettings = {},
): ResponsesProviderV2 {
  const provider = createResponsesProvider({ baseURL, fetch, apiKey: 'test', ...settings });
  onTestFinished(() => provider.close());
  return provider;
}
