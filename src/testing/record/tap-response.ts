import type { RecordedChunk } from '../fixture/fixture.js';

/** The bytes and the ending of an answer. */
export interface TappedBody {
  readonly bytes: Uint8Array;
  readonly chunks: readonly RecordedChunk[];
  /** `left`: the app stopped reading. */
  readonly ending: 'end' | 'reset' | 'left';
}

interface TapOptions {
  readonly signal: AbortSignal | undefined;
  /** When the request was sent, by `performance.now()`. */
  readonly started: number;
  /** Called once; the reader of the body's end waits for it. */
  readonly onEnd: (body: TappedBody) => Promise<void>;
}

/**
 * Returns the same response and remembers its body as the app reads it, at the app's pace. Aborts and cancels reach the
 * server.
 */
export function tapResponse(response: Response, options: TapOptions): Response {
  const tap = new Tap(options);
  if (response.body === null) {
    void tap.end('end');
    return response;
  }
  const { status, statusText, headers } = response;
  const tapped = new Response(tap.through(response.body), { status, statusText, headers });
  // A response that is made by hand has no URL.
  return Object.defineProperty(tapped, 'url', { value: response.url });
}

class Tap {
  readonly #options: TapOptions;
  readonly #pieces: Uint8Array[] = [];
  readonly #chunks: RecordedChunk[] = [];
  #over: Promise<void> | undefined;

  constructor(options: TapOptions) {
    this.#options = options;
    // An app that aborts may never read again.
    if (options.signal?.aborted === true) this.#onAbort();
    else options.signal?.addEventListener('abort', this.#onAbort);
  }

  through(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const next = await reader.read().catch(async (error: unknown) => {
            await this.end(this.#options.signal?.aborted === true ? 'left' : 'reset');
            throw error;
          });
          if (next.done) {
            await this.end('end');
            return controller.close();
          }
          this.#remember(next.value);
          controller.enqueue(next.value);
        },
        cancel: async (reason) => {
          void this.end('left');
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  end(ending: TappedBody['ending']): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#over ??= this.#options.onEnd({ bytes: Buffer.concat(this.#pieces), chunks: this.#chunks, ending });
    return this.#over;
  }

  #remember(chunk: Uint8Array): void {
    // A copy, because the app may write into its chunk or transfer it.
    this.#pieces.push(new Uint8Array(chunk));
    this.#chunks.push([chunk.length, Math.round(performance.now() - this.#options.started)]);
  }

  readonly #onAbort = (): void => {
    void this.end('left');
  };
}
