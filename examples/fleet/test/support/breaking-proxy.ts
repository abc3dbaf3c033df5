import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What becomes of an event of a stream, as it is written; `cut` ends the connection. */
export type Fault = (event: string) => readonly string[] | 'cut';

export interface BreakingProxy {
  readonly url: string;
  /** Breaks streams from now on; each connection with a new one. */
  breakBy(fault: () => Fault): void;
  close(): Promise<void>;
}

/** Passes requests on to a server, and breaks its streams. */
export async function startBreakingProxy(target: string): Promise<BreakingProxy> {
  let faults = (): Fault => (event) => [event];
  const server = createServer((request, response) => {
    pass(target, request, response, faults()).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakBy: (fault) => (faults = fault),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pass(target: string, request: IncomingMessage, response: ServerResponse, fault: Fault): Promise<void> {
  const { authorization = '' } = request.headers;
  const headers = { authorization, 'content-type': 'application/json' };
  const { method = 'GET', url = '/' } = request;
  const body = method === 'GET' ? {} : { body: await text(request) };
  const controller = new AbortController();
  const answer = await fetch(`${target}${url}`, { method, headers, ...body, signal: controller.signal });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  let rest = '';
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const written = fault(event);
      if (written === 'cut') {
        controller.abort();
        // What was written before has to arrive.
        setTimeout(() => response.destroy(), 50);
        return;
      }
      for (const one of written) response.write(`${one}\n\n`);
    }
  }
  response.end(rest);
}
