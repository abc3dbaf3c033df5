import { UI_MESSAGE_STREAM_HEADERS } from 'ai';
import type { TurnFrames } from '../chat/turn-keeper.js';

/** Proxies close connections that are silent for a minute. */
const KEEP_ALIVE_MS = 15_000;

export interface EventStreamOptions {
  /** Chunks as JSON; those that come together are sent together. */
  readonly chunks: TurnFrames;
  /** Fires when the client goes. */
  readonly signal: AbortSignal;
  readonly keepAliveMs?: number | undefined;
}

/** Chunks as the AI SDK's clients read them. A client that goes away listens no more; the turn goes on. */
export function eventStream({ chunks, signal, keepAliveMs = KEEP_ALIVE_MS }: EventStreamOptions): Response {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  const leave = async (): Promise<void> => {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
    await chunks.return?.();
  };
  const onAbort = (): void => void leave();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // A client that reads nothing is sent no comments: they would pile up.
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': still here\n\n'));
      }, keepAliveMs);
      timer.unref();
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) void leave();
    },
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done !== true) return controller.enqueue(encoder.encode(value.map((chunk) => `data: ${chunk}\n\n`).join('')));
      await leave();
      // Without this end a client knows that it has to read the chat again.
      if (!signal.aborted && value !== 'replaced') controller.enqueue(encoder.encode('data: [DONE]\n\n'));
      controller.close();
    },
    cancel: leave,
  });
  return new Response(body, { headers: { ...UI_MESSAGE_STREAM_HEADERS } });
}
