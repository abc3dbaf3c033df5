import type { IncomingMessage, ServerResponse } from 'node:http';

import type { JsonObject } from '../core/json.js';
import { isRecord } from '../util/guards.js';
import type { ScriptedRequest } from './scripted-step.js';

/** A request as the script handles it. */
export interface ReceivedRequest extends ScriptedRequest {
  index: number;
  /** Fires when nobody listens any more: stop sending. */
  readonly gone: AbortSignal;
  /** Ends the connection from our side, which is not the client's abort. */
  breakOff(): void;
}

/** Reads a request to its end; `undefined` when the client left before that. */
export async function receiveRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<ReceivedRequest | undefined> {
  const text = await readText(incoming);
  if (text === undefined) return undefined;
  const body = parseObject(text);
  const gone = new AbortController();
  let brokenOff = false;
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      gone.abort();
      resolve();
    });
  });
  const input: unknown = body['input'];
  return {
    index: -1,
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    headers: incoming.headers,
    body,
    input: Array.isArray(input) ? input.filter(isJsonObject) : [],
    text,
    get aborted() {
      return gone.signal.aborted && !response.writableFinished && !brokenOff;
    },
    closed,
    gone: gone.signal,
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

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** What `JSON.parse` made of an object holds JSON values only. */
function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
