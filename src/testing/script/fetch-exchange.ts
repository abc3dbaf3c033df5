import { abortError } from '../../util/abort.js';
import { AsyncQueue } from '../../util/queues.js';
import { describeRequest, type Exchange, type ReceivedRequest } from './exchange.js';
import { createGate } from './gate.js';
import type { SentRequest } from './sent-request.js';

/** Statuses whose responses may have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** An exchange without a socket: its bytes are read from a `Response`, which exists once the head does. */
export class FetchExchange implements Exchange {
  readonly request: ReceivedRequest;
  readonly response: Promise<Response>;
  hasHead = false;
  readonly #controller = new AbortController();
  readonly #closed = createGate();
  readonly #signal: AbortSignal | undefined;
  readonly #sent = new AsyncQueue<Uint8Array | 'end' | 'reset'>();
  #aborted = false;
  #resolve: (response: Response) => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor(sent: SentRequest, text: string) {
    const { pathname, search } = sent.url;
    const isAborted = (): boolean => this.#aborted;
    this.request = {
      ...describeRequest({ method: sent.method, url: pathname + search, headers: sent.headers, text }),
      index: -1,
      get aborted() {
        return isAborted();
      },
      closed: this.#closed.released,
    };
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#fail = reject;
    });
    this.#signal = sent.signal;
    if (this.#signal?.aborted === true) this.#onAbort();
    else this.#signal?.addEventListener('abort', this.#onAbort);
  }

  get gone(): AbortSignal {
    return this.#controller.signal;
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    const fail = this.#fail;
    let response: Response;
    try {
      response = new Response(BODILESS.has(status) ? null : this.#body(), { status, headers });
    } catch (error) {
      // The app never got that body.
      this.#fail = fail;
      throw error;
    }
    this.hasHead = true;
    this.#resolve(response);
  }

  write(chunk: Uint8Array): Promise<void> {
    // A copy, because the reader may write into it.
    this.#sent.push(new Uint8Array(chunk));
    return Promise.resolve();
  }

  end(): void {
    this.#sent.push('end');
  }

  breakOff(): void {
    if (this.hasHead) return this.#sent.push('reset');
    this.#over();
    this.#fail(new TypeError('fetch failed'));
  }

  #body(): ReadableStream<Uint8Array> {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#fail = (error) => controller.error(error);
      },
      pull: async (controller) => {
        const next = await this.#sent.next();
        if (next === undefined) return;
        if (next instanceof Uint8Array) return controller.enqueue(next);
        this.#over();
        // The error of Node's `fetch` if a connection breaks.
        if (next === 'reset') controller.error(new TypeError('terminated'));
        else controller.close();
      },
      cancel: () => {
        this.#aborted = true;
        this.#over();
      },
    };
    return new ReadableStream(source, { highWaterMark: 0 });
  }

  readonly #onAbort = (): void => {
    this.#aborted = true;
    this.#over();
    if (this.#signal !== undefined) this.#fail(abortError(this.#signal));
  };

  #over(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#sent.end();
    this.#controller.abort();
    this.#closed.release();
  }
}
