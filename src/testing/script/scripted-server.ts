import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '../../util/guards.js';
import { anything, checkOptions } from '../checks.js';
import { describeRequest, type Exchange } from './exchange.js';
import { Script, type ScriptOptions, type ScriptRecord } from './script.js';

/** Reads a request to its end; `undefined` if the client left before that. */
async function receiveRequest(incoming: IncomingMessage, response: ServerResponse): Promise<Exchange | undefined> {
  const text = await readText(incoming);
  if (text === undefined) return undefined;
  const gone = new AbortController();
  let brokenOff = false;
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      gone.abort();
      resolve();
    });
  });
  const { method = '', url = '', headers } = incoming;
  return {
    request: {
      ...describeRequest({ method, url, headers, text }),
      index: -1,
      get aborted() {
        return gone.signal.aborted && !response.writableFinished && !brokenOff;
      },
      closed,
    },
    gone: gone.signal,
    get hasHead() {
      return response.headersSent;
    },
    head: (status, answerHeaders) => {
      response.writeHead(status, answerHeaders);
      response.flushHeaders();
    },
    write: (chunk) => new Promise((resolve) => response.write(chunk, () => resolve())),
    end: () => response.end(),
    breakOff: () => {
      // Not after its end: a connection kept alive may already serve the next request.
      if (gone.signal.aborted) return;
      brokenOff = true;
      // Without the closing chunk, but without RST, which could overtake bytes that the client has not read yet.
      response.socket?.destroy();
    },
  };
}

async function readText(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding is set, so chunks are buffers
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The answers of a scripted server. */
export type ScriptedServerOptions = ScriptOptions;

/** A Responses server on loopback that answers from a script. */
export interface ScriptedServer extends ScriptRecord, AsyncDisposable {
  /** The base URL for a provider: `http://127.0.0.1:<port>/v1`. */
  readonly baseURL: string;
  /** Stops listening and ends every connection; resolves when no socket is left. */
  close(): Promise<void>;
}

/**
 * Starts a real HTTP server on 127.0.0.1 that answers each `POST …/responses` with the next step of a script: event
 * objects, raw bytes, JSON, errors, web pages, broken or silent connections. It records what it was asked.
 *
 * @throws TypeError naming the step that is none or the option that is unknown, and what belongs there; when the port cannot
 *   be opened.
 * @example
 * const server = await createScriptedServer({
 *   steps: [
 *     responseEvents({ output: [{ type: 'call', name: 'add', arguments: { a: 2, b: 3 } }] }),
 *     (request) => responseEvents({ output: [{ type: 'text', text: String(request.input.at(-1)?.['output']) }] }),
 *   ],
 * });
 * const provider = createResponsesProvider({ baseURL: server.baseURL, apiKey: 'test' });
 * // …
 * server.assertDone();
 * await server.close();
 */
export async function createScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  if (!isRecord(options) || !(options['steps'] === undefined || Array.isArray(options['steps']))) {
    throw new TypeError("createScriptedServer takes a list of steps, such as { steps: ['Hello.'] }.");
  }
  checkOptions('createScriptedServer', options, { steps: anything, otherwise: anything });
  const script = new Script(options);
  const open = new Set<Exchange>();
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = await receiveRequest(incoming, response);
    if (exchange === undefined) return;
    open.add(exchange);
    void exchange.request.closed.then(() => open.delete(exchange));
    await script.answer(exchange);
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  await listen(server);
  const { port } = server.address() as AddressInfo; // a TCP server that listens has no other kind of address
  const close = (): Promise<void> => {
    for (const exchange of open) exchange.breakOff();
    return closeServer(server);
  };
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests: script.requests,
    problems: script.problems,
    waitForRequest: (index) => script.waitForRequest(index),
    assertDone: () => script.assertDone(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The callback runs when the last socket is closed. A second close causes an error, which is harmless.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
