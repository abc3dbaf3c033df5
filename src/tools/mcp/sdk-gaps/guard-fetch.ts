import { ownWords } from '../../../core/clean-text.js';
import { isLimitReached, limitOf } from '../../../errors/limit-reached.js';
import { ResponsesLoopError } from '../../../errors/responses-loop-error.js';
import { errorText } from '../../../util/error-text.js';
import { asRecord, isRecord } from '../../../util/guards.js';

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Ends a stream that breaks or ends without its answer with a JSON-RPC error, unless it can be resumed by event id. The
 * MCP SDK would wait for the whole time limit (seen with 1.32: server killed during a call). An answer that arrived
 * wins, because it is first.
 *
 * @param mayResume false for revision 2026-07-28, which has no resumption
 */
export function guardFetch(fetch: FetchLike, mayResume = true): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const id = requestId(init);
    const isStream = response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
    if (id === undefined || !response.ok || !isStream || response.body === null) return response;
    return new Response(guardStream(response.body, id, mayResume), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/** Returns the id of the JSON-RPC request in a body, if it is one. */
export function requestId(init: RequestInit | undefined): string | number | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
  try {
    const message: unknown = JSON.parse(init.body);
    if (!isRecord(message) || typeof message['method'] !== 'string') return undefined;
    const { id } = message;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}

function guardStream(
  body: ReadableStream<Uint8Array>,
  id: string | number,
  mayResume: boolean,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // The unfinished line while it may become `id:`, else a character that cannot begin one.
  let line = '';
  let isResumable = false;

  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, error: object): void => {
    controller.enqueue(new TextEncoder().encode(closingEvent(id, error)));
    controller.close();
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return isResumable ? controller.close() : finish(controller, CLOSED);
        const text = line + decoder.decode(value, { stream: true });
        isResumable ||= mayResume && /(^|[\r\n])id:/.test(text);
        const unfinished = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
        line = unfinished.length < 3 ? unfinished : 'x';
        controller.enqueue(value);
      } catch (error) {
        // Resumed, the stream would exceed the limit again.
        if (isLimitReached(error)) finish(controller, limitError(error));
        else if (isResumable) controller.error(error);
        else finish(controller, CLOSED);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const CLOSED = { code: -32000, message: 'Connection closed' };
/** Marks our error on its way through the SDK. */
const OURS = 'responses-loop:limit';

function limitError(error: unknown): object {
  return { code: -32000, message: errorText(error), data: { kind: OURS, ...limitOf(error) } };
}

/** Returns the error that `limitError` sent through the SDK. */
export function readLimitError(error: unknown): Error | undefined {
  const { kind, limit } = asRecord(asRecord(error)?.['data']) ?? {};
  if (!isRecord(error) || kind !== OURS) return undefined;
  const message = String(error['message']).replace(/^MCP error -\d+: /, '');
  const { name, value } = asRecord(limit) ?? {};
  const known = typeof name === 'string' && typeof value === 'number' ? { limit: { name, value } } : {};
  return new ResponsesLoopError({ code: 'limit', message: ownWords(message), ...known });
}

function closingEvent(id: string | number, error: object): string {
  const message = { jsonrpc: '2.0', id, error };
  // The blank lines end an unfinished event.
  return `\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`;
}
