import type { IncomingMessage, ServerResponse } from 'node:http';

import { describeRequest, type Exchange } from './exchange.js';

/** Reads a request to its end; `undefined` when the client left before that. */
export async function receiveRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<Exchange | undefined> {
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
      // Not once it is over: a connection kept alive may already serve the next request.
      if (gone.signal.aborted) return;
      brokenOff = true;
      // Without the closing chunk, but no RST: that could overtake bytes the client has not read yet.
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
