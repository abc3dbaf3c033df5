import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits.js';
import { Redactor } from '../../../src/observe/redact.js';
import { createHttpTransport, type HttpTransportOptions } from '../../../src/transport/http-transport.js';
import type { HttpResponse, TransportRequest } from '../../../src/transport/transport.js';

export interface OpenOptions extends Partial<HttpTransportOptions> {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: TransportRequest['body'];
  readonly round?: number;
  readonly signal?: AbortSignal;
  readonly limits?: Limits;
}

/** One request through a transport of its own; no timer unless asked for. */
export function open(options: OpenOptions): Promise<HttpResponse> {
  const {
    url,
    headers = {},
    body = { model: 'm' },
    round = 0,
    signal = new AbortController().signal,
    limits = DEFAULT_LIMITS,
    ...rest
  } = options;
  const transport = createHttpTransport({ headersMs: 0, idleMs: 0, redactor: Redactor.NONE, ...rest });
  return transport.open({ url, headers, body, callNumber: 1, round, signal, limits });
}

/** The whole body as text. */
export async function read({ chunks }: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  await chunks((chunk) => {
    text += decoder.decode(chunk, { stream: true });
    return true;
  });
  return text + decoder.decode();
}

/** The reason of a rejection; fails when there is none. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error as Error,
  );
}

/** How many listeners are left on a signal that was given one after this began to count. */
export function countListeners(signal: AbortSignal): { readonly left: number } {
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1]);
    remove(...args);
  };
  return {
    get left() {
      return listeners.size;
    },
  };
}
