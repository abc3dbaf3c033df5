import { apiErrorOf } from './api.js';
import { ownFetch } from './token.js';

/** How the line to the server is: `retryInMs` until it is tried again. */
export type Connection = { readonly isLost: false } | { readonly isLost: true; readonly retryInMs: number };

export interface ResilientFetchOptions {
  readonly fetch?: typeof globalThis.fetch;
  readonly onConnection?: (connection: Connection) => void;
  /** Resolves after that many milliseconds, or earlier where there is reason for hope. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** The server sends a comment every 15 s: silence of this length is a line that is gone. */
  readonly silenceMs?: number;
}

const LAST_EVENT = 'data: [DONE]';
const CONFLICT = 409;
const MAX_WAIT_MS = 30_000;

/**
 * `fetch` for streams of turns: a line that breaks is opened again at `GET …/stream`, which plays the turn from its first
 * event, and what was read before is skipped. Whoever reads notices nothing; a turn that is over meanwhile just ends.
 */
export function createResilientFetch(options: ResilientFetchOptions = {}): typeof globalThis.fetch {
  const { fetch = ownFetch, onConnection, wait = waitOrOnline, silenceMs = 45_000 } = options;

  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : input.toString();
    const signal = init.signal ?? undefined;
    const isJoin = url.endsWith('/stream');
    const line = { signal, wait, onConnection };
    const { response, tries } = await keepTrying(line, () =>
      isJoin ? get(fetch, url, signal) : fetch(url, { ...init, redirect: 'error' }),
    );
    if (isJoin && response.status === 204) return init.method === 'POST' ? endedStream() : response;
    if (response.status === 202) return endedStream();
    const streamUrl = isJoin ? url : `${url}/${encodeURIComponent(sessionIdOf(init.body))}/stream`;
    const rejoin = () => joinAgain(line, () => get(fetch, streamUrl, signal));
    // What was sent before the line broke has arrived after all: the turn it began is the one to read.
    const own = tries > 1 && response.status === CONFLICT ? await rejoin() : response;
    if (own === undefined) return endedStream();
    if (!own.ok) throw await apiErrorOf(own);
    return new Response(toBytes(readOn(own, rejoin, { signal, silenceMs })), { headers: own.headers });
  };
}

interface Line {
  readonly signal: AbortSignal | undefined;
  readonly wait: NonNullable<ResilientFetchOptions['wait']>;
  readonly onConnection: ResilientFetchOptions['onConnection'];
}

/** 1, 2, 4 … 30 s apart, until there is an answer. */
async function keepTrying(
  { signal, wait, onConnection }: Line,
  ask: () => Promise<Response>,
  { hasFailed = false } = {},
): Promise<{ readonly response: Response; readonly tries: number }> {
  for (let tries = hasFailed ? 2 : 1; ; tries += 1) {
    try {
      if (tries > 1) await pause(tries - 1);
      const response = await ask();
      if (tries > 1) onConnection?.({ isLost: false });
      return { response, tries };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof TypeError)) throw error;
    }
  }

  async function pause(failures: number): Promise<void> {
    const retryInMs = Math.min(1000 * 2 ** (failures - 1), MAX_WAIT_MS);
    onConnection?.({ isLost: true, retryInMs });
    await wait(retryInMs, signal);
    signal?.throwIfAborted();
  }
}

/** The running turn, or nothing where none runs any more. */
async function joinAgain(line: Line, ask: () => Promise<Response>): Promise<Response | undefined> {
  const { response } = await keepTrying(line, ask, { hasFailed: true });
  if (response.status === 204) return undefined;
  if (!response.ok) throw await apiErrorOf(response);
  return response;
}

async function* readOn(
  first: Response,
  rejoin: () => Promise<Response | undefined>,
  options: { readonly signal: AbortSignal | undefined; readonly silenceMs: number },
): AsyncGenerator<string, void> {
  let response: Response | undefined = first;
  let delivered = 0;
  let opening: string | undefined;
  while (response !== undefined) {
    let seen = 0;
    try {
      for await (const event of eventsOf(response, options.silenceMs)) {
        seen += 1;
        opening ??= event;
        // Ours is over, and another turn has begun meanwhile.
        if (seen === 1 && event !== opening) return yield LAST_EVENT;
        if (seen <= delivered) continue;
        delivered = seen;
        yield event;
        if (event === LAST_EVENT) return;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof TypeError)) throw error;
    }
    response = await rejoin();
  }
  yield LAST_EVENT;
}

/** The events of a body, without comments. A body that breaks off in an event breaks off before it. */
async function* eventsOf(response: Response, silenceMs: number): AsyncGenerator<string, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await orSilence(reader.read(), silenceMs);
      if (done) return;
      const events = (rest + value).split(/\r?\n\r?\n/);
      rest = events.pop() ?? '';
      yield* events.filter((event) => event.startsWith('data:'));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function orSilence<T>(read: Promise<T>, silenceMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('network: the server has gone silent')), silenceMs);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function toBytes(events: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(`${value}\n\n`));
    },
    async cancel() {
      await events.return();
    },
  });
}

function endedStream(): Response {
  return new Response(`${LAST_EVENT}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
}

function get(fetch: typeof globalThis.fetch, url: string, signal: AbortSignal | undefined): Promise<Response> {
  return fetch(url, { method: 'GET', ...(signal && { signal }), redirect: 'error' });
}

function sessionIdOf(body: unknown): string {
  const { id } = JSON.parse(typeof body === 'string' ? body : '{}') as { id?: string };
  return id ?? '';
}

/** Or until the browser says that there is a network again, or the reader gives up. */
function waitOrOnline(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    signal?.addEventListener('abort', end);
  });
}
