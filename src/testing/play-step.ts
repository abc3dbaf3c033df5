import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ReceivedRequest } from './receive-request.js';
import { encodeEvent } from './scripted-event.js';
import type { BytesReply, EventsReply, ScriptedAnswer, ScriptedReply, StreamElement } from './scripted-step.js';

interface Exchange {
  readonly request: ReceivedRequest;
  readonly response: ServerResponse;
}

/** Answers one request as its step says. Resolves when there is nothing left to send or nobody left to send it to. */
export async function playStep(answer: ScriptedAnswer, exchange: Exchange): Promise<void> {
  const reply = isReply(answer) ? answer : { events: answer };
  const { request, response } = exchange;
  await untilGone(reply.after, request.gone);
  if (request.gone.aborted) return;
  if ('none' in reply) return finish(exchange, reply.none);
  if ('json' in reply) return sendBody(response, reply, 'application/json', JSON.stringify(reply.json));
  if ('html' in reply) return sendBody(response, reply, 'text/html; charset=utf-8', reply.html);
  await sendStream(exchange, reply);
}

function isReply(answer: ScriptedAnswer): answer is ScriptedReply {
  return !Array.isArray(answer);
}

function sendBody(response: ServerResponse, reply: ScriptedReply, contentType: string, body: string): void {
  writeHead(response, reply, contentType);
  response.end(body);
}

function writeHead(response: ServerResponse, reply: ScriptedReply, contentType: string): void {
  if ('none' in reply) return;
  response.writeHead(reply.status ?? 200, { 'content-type': contentType, ...reply.headers });
  response.flushHeaders();
}

async function sendStream(exchange: Exchange, reply: EventsReply | BytesReply): Promise<void> {
  const { response, request } = exchange;
  writeHead(response, reply, 'text/event-stream; charset=utf-8');
  const recut = reply.rechunk ?? ((bytes: Uint8Array) => [bytes]);
  for (const element of joinForCutting(elementsOf(reply), reply.rechunk !== undefined)) {
    if (isPromise(element)) await untilGone(element, request.gone);
    else {
      for (const chunk of recut(toBytes(element))) await sendChunk(exchange, chunk, reply.delayMs);
    }
    if (request.gone.aborted) return;
  }
  finish(exchange, reply.ending ?? 'end');
}

function finish({ request, response }: Exchange, ending: 'end' | 'reset' | 'stall'): void {
  if (ending === 'end') response.end();
  if (ending === 'reset') request.breakOff();
}

function elementsOf(reply: EventsReply | BytesReply): readonly StreamElement<string | Uint8Array>[] {
  if ('bytes' in reply) {
    const { bytes } = reply;
    return typeof bytes === 'string' || bytes instanceof Uint8Array ? [bytes] : bytes;
  }
  const options = { eventLines: reply.eventLines ?? true };
  const frames = reply.events.map((event) => (isPromise(event) ? event : encodeEvent(event, options)));
  return reply.done === true ? [...frames, 'data: [DONE]\n\n'] : frames;
}

/** Cuts must fall anywhere, so what no promise separates is joined first. */
function joinForCutting(
  elements: readonly StreamElement<string | Uint8Array>[],
  join: boolean,
): readonly StreamElement<string | Uint8Array>[] {
  if (!join) return elements;
  const joined: StreamElement<string | Uint8Array>[] = [];
  for (const element of elements) {
    const last = joined.at(-1);
    if (last === undefined || isPromise(last) || isPromise(element)) joined.push(element);
    else joined[joined.length - 1] = Buffer.concat([toBytes(last), toBytes(element)]);
  }
  return joined;
}

async function sendChunk(exchange: Exchange, chunk: Uint8Array, delayMs: number | undefined): Promise<void> {
  const { gone } = exchange.request;
  if (delayMs !== undefined) await sleep(delayMs, undefined, { signal: gone }).catch(() => {});
  if (gone.aborted || chunk.length === 0) return;
  const flushed = new Promise<void>((resolve) => exchange.response.write(chunk, () => resolve()));
  await untilGone(flushed, gone);
}

/** Waits, but not longer than the client does. A rejected promise counts as settled. */
async function untilGone(waited: PromiseLike<unknown> | undefined, gone: AbortSignal): Promise<void> {
  if (waited === undefined || gone.aborted) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      gone.removeEventListener('abort', settle);
      resolve();
    };
    gone.addEventListener('abort', settle);
    waited.then(settle, settle);
  });
}

function isPromise<T>(element: StreamElement<T>): element is PromiseLike<unknown> {
  return typeof element === 'object' && element !== null && 'then' in element;
}

function toBytes(element: string | Uint8Array): Uint8Array {
  return typeof element === 'string' ? Buffer.from(element) : element;
}
