import { delay } from '../../util/timers.js';
import type { ResponseDescription } from '../response/description.js';
import { responseBody, responseEvents } from '../response/response-events.js';
import { encodeEvent, type ScriptedEvent } from '../response/scripted-event.js';
import type { Exchange, ReceivedRequest } from './exchange.js';
import type { BytesReply, EventsReply, ScriptedAnswer, ScriptedReply, StreamElement } from './scripted-step.js';

/** Answers one request as its step describes. Resolves when everything is sent or the client has gone. */
export async function playStep(answer: ScriptedAnswer, exchange: Exchange): Promise<void> {
  const reply = replyOf(answer, exchange.request);
  await untilGone(reply.after, exchange.gone);
  if (exchange.gone.aborted) return;
  if ('none' in reply) return finish(exchange, reply.none);
  if ('json' in reply) return sendBody(exchange, reply, 'application/json', JSON.stringify(reply.json));
  if ('html' in reply) return sendBody(exchange, reply, 'text/html; charset=utf-8', reply.html);
  await sendStream(exchange, reply);
}

function replyOf(answer: ScriptedAnswer, request: ReceivedRequest): ScriptedReply {
  if (typeof answer === 'string') return described({ output: [{ type: 'text', text: answer }] }, request);
  if (isList(answer)) return { events: answer };
  return 'output' in answer ? described(answer, request) : answer;
}

function isList(answer: ScriptedAnswer): answer is readonly StreamElement<ScriptedEvent>[] {
  return Array.isArray(answer);
}

function described(description: ResponseDescription, { index, body }: ReceivedRequest): ScriptedReply {
  const response = { ...description, id: description.id ?? `resp_${index + 1}` };
  return body['stream'] === true ? { events: responseEvents(response) } : { json: responseBody(response) };
}

async function sendBody(exchange: Exchange, reply: ScriptedReply, contentType: string, body: string): Promise<void> {
  writeHead(exchange, reply, contentType);
  if (body !== '') await untilGone(exchange.write(toBytes(body)), exchange.gone);
  exchange.end();
}

function writeHead(exchange: Exchange, reply: ScriptedReply, contentType: string): void {
  if ('none' in reply) return;
  exchange.head(reply.status ?? 200, { 'content-type': contentType, ...reply.headers });
}

async function sendStream(exchange: Exchange, reply: EventsReply | BytesReply): Promise<void> {
  // Before the head, so that a value that cannot be written becomes an error.
  const elements = joinForCutting(elementsOf(reply), reply.rechunk !== undefined);
  writeHead(exchange, reply, 'text/event-stream; charset=utf-8');
  const pauses = pausesOf(reply.delayMs);
  const recut = reply.rechunk ?? ((bytes: Uint8Array) => [bytes]);
  for (const element of elements) {
    if (isPromise(element)) await untilGone(element, exchange.gone);
    else {
      for (const chunk of recut(toBytes(element))) await sendChunk(exchange, chunk, pauses.next());
    }
    if (exchange.gone.aborted) return;
  }
  finish(exchange, reply.ending ?? 'end');
}

function finish(exchange: Exchange, ending: 'end' | 'reset' | 'stall'): void {
  if (ending === 'end') exchange.end();
  if (ending === 'reset') exchange.breakOff();
}

/** Returns one pause per chunk: always the same, or the next of a list. */
function pausesOf(delayMs: number | readonly number[] | undefined): { next(): number | undefined } {
  let chunk = 0;
  return { next: () => (typeof delayMs === 'object' ? delayMs[chunk++] : delayMs) };
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

/** Joins elements that no promise separates, because a cut may fall anywhere. */
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
  const { gone } = exchange;
  if (delayMs !== undefined) await delay(delayMs, gone).catch(() => {});
  if (gone.aborted || chunk.length === 0) return;
  await untilGone(exchange.write(chunk), gone);
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
