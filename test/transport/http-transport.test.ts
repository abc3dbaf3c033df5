import { APICallError } from '@ai-sdk/provider';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createResponsesProvider } from '../../src/index.js';
import type { ObserverEvent } from '../../src/observe/event.js';
import {
  createGate,
  createScriptedServer,
  encodeEvents,
  responseEvents,
  type ScriptedServer,
  type ScriptedStep,
} from '../../src/testing.js';
import { countListeners, failureOf, open, read } from './support/open.js';

const servers: ScriptedServer[] = [];

async function serve(...steps: ScriptedStep[]): Promise<{ server: ScriptedServer; url: string }> {
  const server = await createScriptedServer({ steps });
  servers.push(server);
  return { server, url: `${server.baseURL}/responses` };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('one request', () => {
  it('posts the body as JSON with exactly the headers given, and hands out the bytes', async () => {
    const { server, url } = await serve({ bytes: ['da', 'ta: é\n\n'] });
    const response = await open({
      url,
      headers: { 'content-type': 'application/json', 'x-team': 'a' },
      body: { model: 'm', input: ['ü'] },
    });
    expect(await read(response)).toBe('data: é\n\n');
    expect(response).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringContaining('text/event-stream') },
    });
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      body: { model: 'm', input: ['ü'] },
      headers: { 'x-team': 'a', 'content-type': 'application/json' },
    });
  });

  it('is announced before and after, secrets cut to four characters', async () => {
    const { url } = await serve({ bytes: 'data: {}\n\n', headers: { 'set-cookie': 'session=0123456789' } });
    const events: ObserverEvent[] = [];
    const headers = { authorization: 'Bearer sk-1234567890' };
    const body = { input: [{ type: 'reasoning', encrypted_content: 'sealed' }] };
    await read(
      await open({ url: `${url}?key=qu3ry`, headers, body, round: 2, observer: (event) => events.push(event) }),
    );
    const shown = `${url}?key=%5Bredacted%5D`;
    expect(events).toEqual([
      {
        type: 'request',
        callNumber: 1,
        url: shown,
        round: 2,
        headers: { authorization: '…7890' },
        body: { input: [{ type: 'reasoning', encrypted_content: '[redacted]' }] },
      },
      {
        type: 'response',
        callNumber: 1,
        url: shown,
        round: 2,
        status: 200,
        headers: expect.objectContaining({ 'set-cookie': '…6789' }),
        durationMs: expect.any(Number),
      },
    ]);
  });
});

describe('the fetch it uses', () => {
  it('is the injected one, called without a this', async () => {
    const seen: unknown[] = [];
    const strict = async function (this: unknown, ...args: unknown[]): Promise<Response> {
      seen.push(this, ...args);
      return new Response('ok');
    };
    await read(await open({ url: 'https://unreachable.example/v1/responses', fetch: strict }));
    expect(seen).toEqual([
      undefined,
      'https://unreachable.example/v1/responses',
      expect.objectContaining({ method: 'POST', body: '{"model":"m"}' }),
    ]);
  });

  it('is else the global one at the time of the request, not of the creation', async () => {
    const { url } = await serve();
    const original = globalThis.fetch;
    try {
      globalThis.fetch = async () => new Response('patched');
      expect(await read(await open({ url }))).toBe('patched');
    } finally {
      globalThis.fetch = original;
    }
  });
});

describe('a server that cannot be reached', () => {
  it('is a retryable APICallError with the URL and the reason', async () => {
    const { server, url } = await serve();
    await server.close();
    const error = await failureOf(open({ url, round: 1 }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: 'connection-failed', isRetryable: true, url, round: 1 });
    expect(error.message).toMatch(/ECONNREFUSED/);
    expect(error.message).toContain(url);
  });

  it('a name with several addresses tells the reason too, which Node hides one level deeper', async () => {
    const { server, url } = await serve();
    await server.close();
    const error = await failureOf(open({ url: url.replace('127.0.0.1', 'localhost') }));
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('a connection that breaks before the answer is one too', async () => {
    const { url } = await serve({ none: 'reset' });
    expect(await failureOf(open({ url }))).toMatchObject({ code: 'connection-failed', isRetryable: true });
  });

  it('a fetch that throws at once, instead of rejecting, is one too', async () => {
    const fetch = (() => {
      throw new TypeError('Illegal invocation.');
    }) as typeof globalThis.fetch;
    const error = await failureOf(open({ url: 'https://api.example.com/v1/responses', fetch }));
    expect(error).toMatchObject({
      code: 'connection-failed',
      message: expect.stringMatching(/: Illegal invocation\.$/),
    });
  });

  it('a fetch that rejects with something odd is told as it is', async () => {
    // Tauri's fetch rejects with plain strings.
    const fetch = (() => Promise.reject('url not allowed on the configured scope')) as typeof globalThis.fetch;
    const error = await failureOf(open({ url: 'https://api.example.com/v1/responses', fetch }));
    expect(error.message).toContain('url not allowed on the configured scope');
  });

  it('an error that repeats a header is shown without it, its cause too', async () => {
    const fetch = (() =>
      Promise.reject(
        new TypeError('Headers.append: "Bearer sk-1234567890" is invalid; x-gw-token is gw-s3cr3t', {
          cause: new Error('sk-1234567890'),
        }),
      )) as typeof globalThis.fetch;
    const headers = { authorization: 'Bearer sk-1234567890', 'x-gw-token': 'gw-s3cr3t' };
    const error = await failureOf(open({ url: 'https://api.example.com/v1/responses', fetch, headers }));
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toMatch(/sk-1234567890|gw-s3cr3t/);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'returned undefined'],
    ['a text', 'data: {}', 'returned a string'],
    [
      'no headers',
      { ok: true, status: 200, body: null, text: async () => '' },
      'returned an object that is not a Response',
    ],
    ['plain headers', { ok: true, status: 200, headers: {}, body: null }, 'returned an object that is not a Response'],
    ['no status', { ok: true, headers: new Headers(), body: null }, 'returned an object that is not a Response'],
  ])('a fetch that gives %s is told so, and events say so too', async (_name, response, said) => {
    const events: ObserverEvent[] = [];
    for (const fetch of [async () => response, () => response]) {
      const error = await failureOf(
        open({
          url: 'https://api.example.com/v1/responses',
          fetch: fetch as typeof globalThis.fetch,
          observer: (event) => events.push(event),
        }),
      );
      expect(error).toMatchObject({ code: 'connection-failed', isRetryable: false });
      expect(error.message).toContain(said);
    }
    expect(events.map(({ type }) => type)).toEqual(['request', 'request-error', 'request', 'request-error']);
  });

  it('a chunk that is no bytes is told so', async () => {
    const body = (async function* () {
      yield { type: 'Buffer' };
    })();
    const fetch = (async () => ({ ok: true, status: 200, headers: new Headers(), body })) as unknown;
    const url = 'https://api.example.com/v1/responses';
    const error = await failureOf(open({ url, fetch: fetch as typeof globalThis.fetch }).then(read));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: 'connection-failed', message: expect.stringContaining('Object') });
  });

  it('a body that is no JSON is the caller\'s mistake and never "unreachable"', async () => {
    const body = { big: 1n } as unknown as Record<string, never>;
    expect(await failureOf(open({ url: 'https://api.example.com/v1/responses', body }))).not.toMatchObject({
      code: 'connection-failed',
    });
  });
});

describe('timers', () => {
  it('headersMs: a server that never answers is given up, and told so', async () => {
    const { url } = await serve({ none: 'stall' });
    const error = await failureOf(open({ url, headersMs: 20 }));
    expect(error).toMatchObject({
      code: 'timeout',
      isRetryable: true,
      url,
      message: expect.stringContaining('timeouts.headersMs'),
    });
    expect(APICallError.isInstance(error)).toBe(true);
  });

  it('headersMs: the request itself is ended too', async () => {
    let signal: AbortSignal | null | undefined;
    const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
      signal = init?.signal;
      return new Promise(() => {});
    };
    await failureOf(open({ url: 'https://api.example.com/v1/responses', headersMs: 5, fetch }));
    expect(signal?.aborted).toBe(true);
  });

  it.each<[string, (cancel: () => void) => unknown]>([
    ['a web stream', (cancel) => new ReadableStream({ cancel })],
    ['an async iterable', (cancel) => ({ [Symbol.asyncIterator]: () => ({ return: async () => cancel() }) })],
  ])('headersMs: an answer that comes too late is cancelled: %s', async (_name, bodyWith) => {
    const gate = createGate();
    const cancel = vi.fn();
    const fetch = async (): Promise<Response> => {
      await gate.released;
      return { ok: true, status: 200, headers: new Headers(), body: bodyWith(cancel) } as unknown as Response;
    };
    await failureOf(open({ url: 'https://api.example.com/v1/responses', headersMs: 5, fetch }));
    expect(cancel).not.toHaveBeenCalled();
    gate.release();
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1));
  });

  it('idleMs: a body that falls silent is given up, and told so', async () => {
    const { server, url } = await serve({ bytes: 'data: {}\n\n', ending: 'stall' });
    const response = await open({ url, idleMs: 20 });
    expect(await failureOf(read(response))).toMatchObject({
      code: 'timeout',
      isRetryable: true,
      message: expect.stringContaining('timeouts.idleMs'),
    });
    await server.requests[0]?.closed;
    expect(server.requests[0]?.aborted).toBe(true);
  });

  it('any byte is a sign of life: comments keep a stream going that takes longer than idleMs', async () => {
    const bytes = Array.from({ length: 8 }, () => ': still here\n\n');
    const { url } = await serve({ bytes, delayMs: 50 });
    expect(await read(await open({ url, idleMs: 300 }))).toBe(bytes.join(''));
  });

  it('0 waits for ever, and nothing is left behind', async () => {
    const gate = createGate();
    const { url } = await serve({ bytes: ['a', gate.released, 'b'] });
    const response = await open({ url });
    setTimeout(() => gate.release(), 20);
    expect(await read(response)).toBe('ab');
  });
});

describe('abort', () => {
  const reason = new DOMException('stop', 'AbortError');

  it('before: nothing is sent', async () => {
    const { server, url } = await serve();
    expect(await failureOf(open({ url, signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it('while waiting for the answer: the request is given up at once', async () => {
    const { server, url } = await serve({ none: 'stall' });
    const controller = new AbortController();
    const opening = failureOf(open({ url, signal: controller.signal }));
    const request = await server.waitForRequest(0);
    controller.abort(reason);
    expect(await opening).toBe(reason);
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  it('while waiting for the answer of a fetch that ignores signals', async () => {
    const controller = new AbortController();
    const opening = failureOf(
      open({ url: 'https://api.example.com/', fetch: () => new Promise(() => {}), signal: controller.signal }),
    );
    controller.abort(reason);
    expect(await opening).toBe(reason);
  });

  it('in the middle of the body: reading ends and the server notices', async () => {
    const { server, url } = await serve({ bytes: 'data: {}\n\n', ending: 'stall' });
    const controller = new AbortController();
    const reading = failureOf(read(await open({ url, signal: controller.signal })));
    controller.abort(reason);
    expect(await reading).toBe(reason);
    await server.requests[0]?.closed;
    expect(server.requests[0]?.aborted).toBe(true);
  });

  it.each<[string, ScriptedStep]>([
    ['a body read to its end', { bytes: 'data: {}\n\n' }],
    ['an error status', { status: 500, json: { error: { message: 'm' } } }],
    ['a broken connection', { none: 'reset' }],
    ['a body that broke', { bytes: 'data: {}\n\n', ending: 'reset' }],
  ])('no listener is left on the signal after %s', async (_name, step) => {
    const { url } = await serve(step);
    const { signal } = new AbortController();
    const listeners = countListeners(signal);
    await open({ url, signal })
      .then(read)
      .catch(() => {});
    expect(listeners.left).toBe(0);
  });

  it('a body that is given up early: the server notices and no listener is left', async () => {
    const { server, url } = await serve({ bytes: 'data: {}\n\n', ending: 'stall' });
    const { signal } = new AbortController();
    const listeners = countListeners(signal);
    await (await open({ url, signal })).chunks(() => false);
    await server.requests[0]?.closed;
    expect([server.requests[0]?.aborted, listeners.left]).toEqual([true, 0]);
  });
});

describe('many requests at once', () => {
  it('thirty calls of one provider make no platform warn of leaking listeners', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error): void => void warnings.push(warning);
    process.on('warning', keep);
    const gate = createGate();
    const fetch = async (): Promise<Response> => {
      await gate.released;
      return new Response(encodeEvents(responseEvents({ output: [{ type: 'text', text: 'Hi.' }] })) as BodyInit);
    };
    const provider = createResponsesProvider({ baseURL: 'https://relay.example.com', fetch });
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
    const calls = Array.from({ length: 30 }, () => provider('m').doGenerate({ prompt }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    gate.release();
    await Promise.all(calls);
    await provider.close();
    process.off('warning', keep);
    expect(warnings).toEqual([]);
  });
});

describe('bodies that cannot be read', () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const stream = (): ReadableStream => new ReadableStream({ start: (controller) => controller.close() });

  it.each([
    ['read before', 200, (body: ReadableStream) => void body.getReader()],
    ['read before, with an error status', 500, (body: ReadableStream) => void body.getReader()],
  ])('%s: the request fails, and leaves neither a timer nor a listener', async (_what, status, use) => {
    const body = stream();
    const before = timers();
    const caller = new AbortController();
    const listeners = countListeners(caller.signal);
    let signal: AbortSignal | undefined;
    const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      signal = init?.signal ?? undefined;
      const response = new Response(body, { status });
      use(body);
      return response;
    };
    const opening = open({ url: 'https://api.example.com', fetch, headersMs: 60_000, signal: caller.signal });
    expect(await failureOf(opening)).toBeInstanceOf(Error);
    expect(timers()).toBe(before);
    expect(listeners.left).toBe(0);
    expect(signal?.aborted).toBe(true);
  });

  it('one whose cancel() throws does not keep the abort from the others', async () => {
    const fetch = async (url: unknown): Promise<Response> => {
      const odd = { read: () => new Promise(() => {}), cancel: () => undefined };
      const response = { status: 200, ok: true, headers: new Headers(), body: { getReader: () => odd } };
      if (String(url).endsWith('odd')) return response as unknown as Response;
      return new Response(new ReadableStream());
    };
    const caller = new AbortController();
    const ends: Promise<unknown>[] = [];
    for (const name of ['odd', 'fine'])
      ends.push(failureOf(open({ url: `https://api.example.com/${name}`, fetch, signal: caller.signal }).then(read)));
    await new Promise((resolve) => setTimeout(resolve, 5));
    caller.abort();
    expect(await Promise.all(ends)).toEqual([caller.signal.reason, caller.signal.reason]);
  });
});
