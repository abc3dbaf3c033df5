import { UI_MESSAGE_STREAM_HEADERS } from 'ai';
import { EngineUnavailable } from 'responses-loop-example-shared/engine/types.js';
import type { TurnFrames } from '../chat/turn-keeper.js';

/** Proxies close connections that are silent for a minute. */
const KEEP_ALIVE_MS = 15_000;

export interface EventStreamOptions {
  /** Chunks as JSON; those that come together are sent together. */
  readonly chunks: TurnFrames;
  /** Fires when the client goes. */
  readonly signal: AbortSignal;
  /** Breaks the connection, if the turn can be heard here no longer: the client comes back, to whichever server answers. */
  readonly cut?: (() => void) | undefined;
  readonly keepAliveMs?: number | undefined;
}

/** Chunks as the AI SDK's clients read them. A client that goes away listens no more; the turn goes on. */
export function eventStream({ chunks, signal, cut, keepAliveMs = KEEP_ALIVE_MS }: EventStreamOptions): Response {
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
      const next = await chunks.next().catch((error: unknown) => {
        if (cut === undefined || !(error instanceof EngineUnavailable)) throw error;
        return undefined;
      });
      if (next === undefined) {
        cut?.();
        return controller.close();
      }
      const { done, value } = next;
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
