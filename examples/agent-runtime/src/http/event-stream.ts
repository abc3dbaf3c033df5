import type { NumberedEvent } from '../types/index.js';

/** Proxies close connections that are silent for a minute. */
const KEEP_ALIVE_MS = 15_000;

/** Events for one client. */
export interface Followed {
  readonly events: AsyncIterator<NumberedEvent>;
  /** Aborted once the client is gone: what follows a turn that is silent would wait on. */
  readonly leaving: AbortController;
}

/** Events as server-sent events. A client that goes away ends this stream, not the turn. */
export function eventStream({ events, leaving }: Followed, first: readonly NumberedEvent[] = []): Response {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const event of first) controller.enqueue(encoder.encode(encode(event)));
      timer = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), KEEP_ALIVE_MS);
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (leaving.signal.aborted) return;
        if (done !== true) return controller.enqueue(encoder.encode(encode(value)));
        controller.close();
      } catch (error) {
        // The turn goes on elsewhere, and clients of events come back by themselves.
        if (codeOf(error) === 'unavailable') controller.close();
        else controller.error(error);
      }
      clearInterval(timer);
    },
    cancel() {
      clearInterval(timer);
      leaving.abort();
      // Not awaited: it waits for the next event, if that is already asked for.
      void events.return?.();
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined;
}

function encode({ id, event }: NumberedEvent): string {
  return `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
}
