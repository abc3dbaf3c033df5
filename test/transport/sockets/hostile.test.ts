import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { ResponsesProviderSettings } from '../../../src/settings/settings.js';
import { generateText, HELLO, stream, textOf } from '../../provider/support/talk.js';
import { rig, steps, waysOf } from './rig.js';
import { LIMIT_REACHED, type SocketFault } from './socket-server.js';

const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
const said = (text: string) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text }] });
const plain = { model: () => [{ type: 'text' as const, text: ['Hi', '.'] }] };

afterEach(() => {
  vi.useRealTimers();
});

describe('what the server has in mind', () => {
  it('is not gone on from if something new stands before the answer', async () => {
    await using talk = await rig(plain);
    await stream(talk, { prompt: [user('One')] });
    await stream(talk, { prompt: [user('One'), user('More'), said('Hi.'), user('Two')] });
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole']);
  });

  it('is not gone on from if the answer held more than its items said', async () => {
    const fault: SocketFault = ({ send }) => {
      const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] };
      const hidden = { type: 'odd_item', id: 'odd_1', what: 'was never streamed' };
      send({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } });
      send({ type: 'response.output_item.done', output_index: 1, item });
      send({ type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [hidden, item] } });
    };
    await using talk = await rig({ ...plain, faults: { 0: fault } });
    expect(textOf(await stream(talk, { prompt: [user('One')] }))).toBe('Hi.');
    await stream(talk, { prompt: [user('One'), said('Hi.'), user('Two')] });
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole']);
  });
});

describe('an end that came twice', () => {
  it('is not taken for the next answer', async () => {
    // It comes when the next round has been asked for, and can only be told by its id.
    const again = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } };
    const fault: SocketFault = ({ send, play }) => {
      send(again);
      play();
    };
    await using talk = await rig({ faults: { 1: fault } });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(talk.runs).toBe(3);
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket whole', 'socket +1', 'socket +1']);
  });
});

describe('an error frame behind messages that are none of an answer', () => {
  const lost = { type: 'error', status: 400, error: { code: 'previous_response_not_found', message: 'Not found.' } };
  it.each([
    ['a lost context', lost],
    ['a connection that is too old', LIMIT_REACHED],
  ])('is seen: %s', async (_name, frame) => {
    const fault: SocketFault = ({ send }) => {
      send({ type: 'codex.rate_limits', plan: 'pro' });
      send('');
      send(frame);
    };
    await using talk = await rig({ faults: { 1: fault } });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(talk.runs).toBe(3);
  });
});

describe('connections that are too old one after the other', () => {
  it('come to HTTP', async () => {
    const always: SocketFault = ({ send }) => send(LIMIT_REACHED);
    await using talk = await rig({ ...plain, faults: { 0: always, 1: always } });
    expect(textOf(await stream(talk))).toBe('Hi.');
    expect(waysOf(talk)).toEqual(['socket whole', 'http whole']);
  });
});

describe('time', () => {
  it('a limit of ever is no limit of nothing', async () => {
    const settings = { timeouts: { socketMs: Infinity }, sockets: { idleMs: Infinity, maxAgeMs: Infinity } };
    await using talk = await rig({}, settings);
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket +1', 'socket +1']);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(talk.server.open).toBe(1);
  });

  it('without limits a call is answered', async () => {
    await using talk = await rig({}, { timeouts: { socketMs: 0, headersMs: 0, idleMs: 0, commentsMs: 0 } });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
  });

  it('a socket that was closed before it was handed over is not waited for', async () => {
    const webSocket = async ({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) => {
      const socket = new WebSocket(url, { headers });
      socket.on('error', () => {});
      socket.terminate();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return socket;
    };
    await using talk = await rig(plain, { webSocket, timeouts: { socketMs: 0 } });
    expect(textOf(await stream(talk))).toBe('Hi.');
    expect(waysOf(talk)).toEqual(['http whole']);
  });

  it('a model that thinks for minutes is waited for as long as pongs come', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let pings = 0;
    let answer = (): void => {};
    const fault: SocketFault = ({ play, socket }) => {
      socket.on('ping', () => (pings += 1));
      answer = play;
    };
    await using talk = await rig({ ...plain, faults: { 0: fault } });
    const call = stream(talk);
    await expect.poll(() => talk.server.requests.length).toBe(1);
    for (let tick = 1; tick <= 15; tick += 1) {
      vi.advanceTimersByTime(20_000);
      await expect.poll(() => pings).toBe(tick);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    answer();
    expect(textOf(await call)).toBe('Hi.');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a line that answers no ping is given up, and HTTP is asked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const fault: SocketFault = ({ socket }) => socket.pause();
    await using talk = await rig({ ...plain, faults: { 0: fault } });
    const call = stream(talk);
    await expect.poll(() => talk.server.requests.length).toBe(1);
    vi.advanceTimersByTime(40_000);
    expect(textOf(await call)).toBe('Hi.');
    expect(waysOf(talk)).toEqual(['socket whole', 'http whole']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a reader that pauses for minutes does not lose its connection: no pong can be seen meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const model = () => [{ type: 'text' as const, text: Array<string>(2_000).fill('x'.repeat(10_000)) }];
    let socket: WebSocket | undefined;
    await using talk = await rig({ model, onSocket: (opened) => (socket = opened) });
    const { stream: parts } = await talk.provider('m').doStream(HELLO);
    const reader = parts.getReader();
    await reader.read();
    // All that fits between here and there has gone out once it does not change any more.
    let buffered = 0;
    await expect
      .poll(() => {
        const before = buffered;
        buffered = socket?.bufferedAmount ?? 0;
        return buffered > 1_000_000 && buffered === before;
      })
      .toBe(true);
    vi.advanceTimersByTime(300_000);
    let length = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (part.value.type === 'text-delta') length += part.value.delta.length;
    expect(length).toBe(20_000_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('nothing is left', () => {
  it('after an abort by whoever watches the request go out', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stop = new AbortController();
    let requests = 0;
    const onEvent: ResponsesProviderSettings['onEvent'] = ({ type }) => {
      if (type !== 'request') return;
      requests += 1;
      stop.abort();
    };
    await using talk = await rig({}, { onEvent });
    await expect(stream(talk, { abortSignal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toBe(1);
    expect(talk.server.requests).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    await expect.poll(() => talk.server.open).toBe(0);
  });
});

describe('secrets', () => {
  const token = 'tok-of-the-auth-function-9f8e7d6c';
  const auth = () => ({ authorization: `Bearer ${token}` });

  it('of a request are not in the reason of its end', async () => {
    const seen: unknown[] = [];
    const fault: SocketFault = ({ play, socket }) => {
      play();
      socket.close(1008, `bad key ${token}`);
    };
    await using talk = await rig({ ...plain, faults: { 0: fault } }, { auth, onEvent: (event) => seen.push(event) });
    await stream(talk);
    await expect.poll(() => JSON.stringify(seen)).toContain('1008');
    expect(JSON.stringify(seen)).not.toContain(token);
  });

  it('of a request are not in the words of a client that fails', async () => {
    const seen: unknown[] = [];
    const webSocket = (request: object) => {
      throw new Error(`cannot open ${JSON.stringify(request)}`);
    };
    const settings = { auth, webSocket, onEvent: (event: unknown) => seen.push(event) };
    await using talk = await rig(plain, { ...settings, query: { key: 'query-secret-1a2b3c4d5e' } });
    await stream(talk);
    expect(JSON.stringify(seen)).toContain('cannot open');
    expect(JSON.stringify(seen)).not.toContain(token);
    expect(JSON.stringify(seen)).not.toContain('query-secret-1a2b3c4d5e');
  });

  it('that an error frame repeats are not in the error', async () => {
    const fault: SocketFault = ({ send }) =>
      send({
        type: 'error',
        status: 400,
        error: { code: 'bad', message: `No: ${token}`, headers: { 'x-echo': token } },
      });
    await using talk = await rig({ ...plain, faults: { 0: fault } }, { auth });
    const error: unknown = await stream(talk).catch((failure: unknown) => failure);
    const { message, responseHeaders, responseBody, data } = error as Record<string, unknown>;
    expect(JSON.stringify({ message, responseHeaders, responseBody, data, seen: talk.events })).not.toContain(token);
    expect(message).toContain('No:');
  });
});

describe('keys, refusals and budgets', () => {
  it.each([401, 429])('a frame with %i is followed by the next key, on a connection of its own', async (status) => {
    const fault: SocketFault = ({ send }) =>
      send({ type: 'error', status, error: { code: status === 401 ? 'invalid_api_key' : 'insufficient_quota' } });
    await using talk = await rig({ faults: { 0: fault } }, { apiKey: ['key-one-1', 'key-two-2'] });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(talk.server.requests.map(({ connection }) => connection)).toEqual([1, 2, 2, 2, 2]);
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole', 'socket +1', 'socket +1', 'socket +1']);
  });

  it('what a frame refuses is left out, on the same connection, and in later calls', async () => {
    const fault: SocketFault = ({ send }) =>
      send({
        type: 'error',
        status: 400,
        error: { code: 'unknown_parameter', param: 'top_p', message: "Unknown parameter: 'top_p'." },
      });
    await using talk = await rig({ ...plain, faults: { 0: fault } });
    expect(textOf(await stream(talk, { topP: 0.5 }))).toBe('Hi.');
    await stream(talk, { topP: 0.5 });
    expect(talk.server.requests.map(({ body }) => body['top_p'])).toEqual([0.5, undefined, undefined]);
    expect(talk.server.upgrades).toBe(1);
  });

  it('requests of a round are counted over sockets', async () => {
    const busy: SocketFault = ({ send }) => send({ type: 'error', status: 503, error: { message: 'Later.' } });
    const faults = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + 1, busy]));
    await using talk = await rig(
      { faults },
      { limits: { requestsPerRound: 3 }, retry: { maxRetries: 9, initialDelayMs: 1 } },
    );
    expect((await stream(talk)).at(-2)).toMatchObject({
      error: { code: 'limit', limit: { name: 'limits.requestsPerRound' } },
    });
    expect(talk.server.requests).toHaveLength(4);
  });

  it('an observer that throws changes nothing', async () => {
    const onEvent = () => {
      throw new Error('not today');
    };
    await using talk = await rig({}, { onEvent });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(await generateText(talk)).toBe('Done after 3.');
  });

  it('a response in the background goes over HTTP', async () => {
    await using talk = await rig(plain);
    await stream(talk, { providerOptions: { openai: { background: true } } });
    expect(waysOf(talk)).toEqual(['http whole']);
  });

  it('with transformRequest that changes bodies, what it makes is compared', async () => {
    let n = 0;
    const transformRequest: ResponsesProviderSettings['transformRequest'] = ({ body }) => {
      n += 1;
      return { body: { ...body, user: n === 3 ? 'other' : 'same', store: null } };
    };
    await using talk = await rig({ model: steps(3) }, { transformRequest });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket whole', 'socket whole']);
  });
});
