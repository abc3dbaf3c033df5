import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from '../../../src/settings/settings.js';
import { failureOf, HELLO, stream, textOf } from '../../provider/support/talk.js';
import { rig, type Rig, waysOf } from './rig.js';
import { type AnsweringSocket, LIMIT_REACHED, type SocketFault, type SocketServerOptions } from './socket-server.js';

const lost = { type: 'error', status: 400, error: { code: 'previous_response_not_found', message: 'Not found.' } };
const afterEvents =
  (count: number, end: (socket: WebSocket) => void): SocketFault =>
  ({ play, socket }) => {
    play(count);
    end(socket);
  };
const close = (code: number) => (socket: WebSocket) => socket.close(code);
const drop = (socket: WebSocket) => socket.terminate();

describe('a call that nobody sees fail', () => {
  it.each<[string, Record<number, SocketFault>, string[], number]>([
    [
      'the server lost what the round goes on from',
      { 1: ({ send }) => send(lost) },
      ['socket whole', 'socket +1', 'socket whole', 'socket +1', 'socket +1'],
      1,
    ],
    [
      'the connection is too old',
      { 1: ({ send }) => send(LIMIT_REACHED) },
      ['socket whole', 'socket +1', 'socket whole', 'socket +1', 'socket +1'],
      2,
    ],
    [
      'a used connection closes before the first event',
      { 1: afterEvents(0, close(1000)) },
      ['socket whole', 'socket +1', 'socket whole', 'socket +1', 'socket +1'],
      2,
    ],
    [
      'a used connection is dropped before the first event',
      { 1: afterEvents(0, drop) },
      ['socket whole', 'socket +1', 'socket whole', 'socket +1', 'socket +1'],
      2,
    ],
    [
      'a used connection is dropped after response.created',
      { 1: afterEvents(1, drop) },
      ['socket whole', 'socket +1', 'socket whole', 'socket +1', 'socket +1'],
      2,
    ],
    [
      'a new connection is dropped before the first event',
      { 0: afterEvents(0, drop) },
      ['socket whole', 'http whole', 'socket whole', 'socket +1', 'socket +1'],
      2,
    ],
    [
      'an overloaded server says so',
      { 1: ({ send }) => send({ type: 'error', status: 503, error: { message: 'Overloaded.', code: 'overloaded' } }) },
      ['socket whole', 'socket +1', 'socket whole', 'socket +1', 'socket +1'],
      2,
    ],
  ])('%s', async (_name, faults, ways, upgrades) => {
    await using talk = await rig({ faults });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(ways);
    expect(talk.server.upgrades).toBe(upgrades);
    expect(talk.runs).toBe(3);
  });

  it.each([1000, 1001, 1006, 1008, 1009, 1011])('the connection ends with %i while a tool runs', async (code) => {
    const open: WebSocket[] = [];
    let runs = 0;
    const execute = async () => {
      runs += 1;
      const socket = open.at(-1);
      if (runs > 1 || socket === undefined) return 'ok';
      if (code === 1006) socket.terminate();
      else socket.close(code);
      await once(socket, 'close');
      return 'ok';
    };
    const tools = { step: { inputSchema: { type: 'object' }, execute } };
    await using talk = await rig({ onSocket: (socket) => open.push(socket) }, { tools });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole', 'socket +1', 'socket +1']);
    expect(runs).toBe(3);
  });

  it.each<[string, unknown]>([
    ['says that it is too old', LIMIT_REACHED],
    ['sends an event that nobody asked for', { type: 'response.created', response: { id: 'resp_x' } }],
    ['sends something that is no JSON', 'hello'],
  ])('an idle connection %s: it is closed, and the next round has another one', async (_name, frame) => {
    const open: WebSocket[] = [];
    const execute = async () => {
      if (open.length === 1) {
        open[0]?.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
        await once(open[0] as WebSocket, 'close');
      }
      return 'ok';
    };
    const tools = { step: { inputSchema: { type: 'object' }, execute } };
    await using talk = await rig({ onSocket: (socket) => open.push(socket) }, { tools });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(open).toHaveLength(2);
  });

  it.each<[string, (socket: import('node:net').Socket) => void]>([
    ['400', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')],
    ['401', (socket) => socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n')],
    ['404', (socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')],
    ['426', (socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n')],
    ['500', (socket) => socket.end('HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n')],
    ['a page', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi')],
    ['a broken connection', (socket) => socket.destroy()],
    ['silence', () => {}],
  ])('the upgrade is answered with %s: HTTP is used, and that is said', async (_name, answer) => {
    await using talk = await rig({ onUpgrade: (_request, socket) => answer(socket) }, { timeouts: { socketMs: 200 } });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(Array(4).fill('http whole'));
    expect(talk.events.filter(({ type }) => type === 'transport-fallback').length).toBeGreaterThan(0);
  });

  it.each(['404', '426'])('after a %s no further upgrade is tried', async (status) => {
    const refuse = (socket: import('node:net').Socket) =>
      socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    await using talk = await rig({ onUpgrade: (_request, socket) => refuse(socket) });
    await stream(talk);
    await stream(talk);
    expect(talk.server.upgrades).toBe(1);
  });

  it('an upgrade that one path refuses is tried at another path of the same host', async () => {
    const seen: (string | undefined)[] = [];
    const refuse: SocketServerOptions['onUpgrade'] = ({ url }, socket) => {
      seen.push(url);
      socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n');
    };
    const transformRequest: ResponsesProviderSettings['transformRequest'] = ({ url, modelId }) => ({
      url: url.replace('/responses', `/${modelId}/responses`),
    });
    await using talk = await rig({ onUpgrade: refuse }, { transformRequest });
    for (const model of ['one', 'two', 'one']) await stream(talk, {}, model);
    expect(seen).toEqual(['/v1/one/responses', '/v1/two/responses']);
  });

  it.each<[string, (answering: AnsweringSocket) => void]>([
    [
      'binary messages',
      ({ send, socket, play }) => (
        send('{"type":"response.unknown"}'),
        socket.send(Buffer.from('{"type":"keepalive"}')),
        play()
      ),
    ],
    ['empty messages', ({ send, play }) => (send(''), play())],
    ['messages that are no JSON', ({ send, play }) => (send('hello'), play())],
    [
      '20 MB in one event',
      ({ send, play }) => (send({ type: 'response.unknown', pad: 'x'.repeat(20_000_000) }), play()),
    ],
  ])('%s come first', async (_name, fault) => {
    await using talk = await rig({ faults: { 1: fault } });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
  });

  it('events behind the end are read by nobody: the next round has another connection', async () => {
    const fault: SocketFault = ({ play, send }) => {
      play();
      send({ type: 'response.created', response: { id: 'resp_successor' } });
      send({ type: 'response.output_text.delta', output_index: 0, delta: 'not yours' });
    };
    await using talk = await rig({ faults: { 1: fault } });
    const parts = await stream(talk);
    expect(textOf(parts)).toBe('Done after 3.');
    expect(talk.server.upgrades).toBe(2);
  });
});

describe('a call that fails', () => {
  const text = { model: () => [{ type: 'text' as const, text: ['One ', 'two ', 'three.'] }] };

  it.each([1000, 1001, 1006, 1011])('closed with %i after visible text: an error, and the text stays', async (code) => {
    await using talk = await rig({ ...text, faults: { 0: afterEvents(5, code === 1006 ? drop : close(code)) } });
    const parts = await stream(talk);
    expect(textOf(parts)).toContain('One');
    expect(parts.slice(-2)).toMatchObject([
      { type: 'error', error: { code: 'stream-reset', isRetryable: true } },
      { type: 'finish', finishReason: 'error' },
    ]);
    expect(waysOf(talk)).toEqual(['socket whole']);
  });

  it.each<[string, unknown, object]>([
    [
      'wrapped',
      {
        type: 'error',
        status: 429,
        error: { code: 'rate_limit_exceeded', message: 'Slow.', headers: { 'retry-after-ms': '7' } },
      },
      { statusCode: 429, isRetryable: true, responseHeaders: { 'retry-after-ms': '7' } },
    ],
    [
      'flat',
      { type: 'error', status: 400, code: 'invalid_prompt', message: 'No.' },
      { statusCode: 400, isRetryable: false, serverCode: 'invalid_prompt' },
    ],
    [
      'without a type',
      { error: { message: 'Bad key.', type: 'authentication_error' }, status: 401 },
      { statusCode: 401, isRetryable: false },
    ],
    [
      'without a status',
      { type: 'error', error: { code: 'server_error', message: 'Oops.' } },
      { statusCode: 500, isRetryable: true },
    ],
  ])('an error frame, %s, is the error it would be over HTTP', async (_name, frame, facts) => {
    await using talk = await rig({ ...text, faults: { 0: ({ send }) => send(frame) } });
    expect(await failureOf(stream(talk))).toMatchObject(facts);
  });

  it('silence before the first event, and between two, ends it', async () => {
    await using first = await rig({ faults: { 0: () => {} } }, { timeouts: { headersMs: 100 } });
    expect(await failureOf(stream(first))).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('timeouts.headersMs'),
    });
    await using idle = await rig({ ...text, faults: { 0: ({ play }) => play(5) } }, { timeouts: { idleMs: 100 } });
    expect((await stream(idle)).at(-2)).toMatchObject({
      error: { code: 'timeout', message: expect.stringContaining('timeouts.idleMs') },
    });
  });

  it('where the server keeps state, a request it may have acted on is not sent again', async () => {
    await using talk = await rig({ ...text, faults: { 0: afterEvents(0, drop) } });
    const error = await failureOf(stream(talk, { providerOptions: { openai: { store: true } } }));
    expect(error).toMatchObject({ code: 'connection-failed', isReplaySafe: false });
    expect(talk.server.requests).toHaveLength(1);
  });

  it('a message of more than limits.messageBytes is not read', async () => {
    const fault: SocketFault = ({ send }) => send({ type: 'response.unknown', pad: 'x'.repeat(3_000_000) });
    await using talk = await rig({ ...text, faults: { 0: fault } }, { limits: { messageBytes: 1_000_000 } });
    await stream(talk).catch(() => {});
    expect(talk.server.open).toBe(0);
  });

  it('a loop of lost contexts ends', async () => {
    const always: SocketFault = ({ send }) => send(lost);
    await using talk = await rig({ faults: { 1: always, 2: always, 3: always, 4: always } });
    expect((await stream(talk)).at(-1)).toMatchObject({ finishReason: 'error' });
    expect(talk.server.requests.length).toBeLessThanOrEqual(4);
  });
});

describe('an abort', () => {
  const reads = async (talk: Rig, until: (seen: string[]) => boolean): Promise<AbortController> => {
    const stop = new AbortController();
    const { stream: parts } = await talk.provider('m').doStream({ ...HELLO, abortSignal: stop.signal });
    const reader = parts.getReader();
    const seen: string[] = [];
    while (!until(seen)) seen.push((await reader.read()).value?.type ?? 'end');
    stop.abort();
    await reader.read().catch(() => {});
    return stop;
  };

  it('while it connects, waits, or streams closes the connection, and the next call has another', async () => {
    const text = { model: () => [{ type: 'text' as const, text: ['One ', 'two.'] }] };
    await using talk = await rig({ ...text, faults: { 0: ({ play }) => play(5) } });
    await reads(talk, (seen) => seen.includes('text-delta'));
    await expect.poll(() => talk.server.open).toBe(0);
    expect(textOf(await stream(talk))).toBe('One two.');

    await using connecting = await rig({ onUpgrade: () => {} });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    await expect(stream(connecting, { abortSignal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
    await connecting.provider.close();
    await expect.poll(() => connecting.server.raw).toBe(0);

    await using waiting = await rig({ ...text, faults: { 0: () => {} } });
    const leave = new AbortController();
    const call = stream(waiting, { abortSignal: leave.signal });
    await expect.poll(() => waiting.server.requests.length).toBe(1);
    leave.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => waiting.server.open).toBe(0);
    expect(textOf(await stream(waiting))).toBe('One two.');
  });

  it('while its tools run leaves the connection to other calls', async () => {
    const stop = new AbortController();
    const execute = async () => {
      stop.abort();
      return 'ok';
    };
    await using talk = await rig({}, { tools: { step: { inputSchema: { type: 'object' }, execute } } });
    await stream(talk, { abortSignal: stop.signal }).catch(() => {});
    await stream(talk);
    expect(talk.server.upgrades).toBe(1);
  });

  it('close() ends a call under way with an error of its own, and every connection', async () => {
    const text = { model: () => [{ type: 'text' as const, text: ['One ', 'two.'] }] };
    await using talk = await rig({ ...text, faults: { 1: ({ play }) => play(5) } });
    await stream(talk);
    const call = stream(talk, { headers: { 'x-other': '1' } });
    await expect.poll(() => talk.server.requests.length).toBe(2);
    await talk.provider.close();
    expect((await call).at(-2)).toMatchObject({ type: 'error', error: { code: 'closed' } });
    await expect.poll(() => talk.server.open).toBe(0);
  });

  it('a reader that pauses holds up the server', async () => {
    const big = 'x'.repeat(10_000);
    const model = () => [{ type: 'text' as const, text: Array<string>(3_000).fill(big) }];
    let socket: WebSocket | undefined;
    await using talk = await rig({ model, onSocket: (opened) => (socket = opened) });
    const { stream: parts } = await talk.provider('m').doStream(HELLO);
    const reader = parts.getReader();
    await reader.read();
    await expect.poll(() => socket?.bufferedAmount ?? 0).toBeGreaterThan(5_000_000);
    let length = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (part.value.type === 'text-delta') length += part.value.delta.length;
    expect(length).toBe(30_000_000);
  });
});

describe('what is seen of it', () => {
  it('says once that a request was refused', async () => {
    const fault: SocketFault = ({ send }) => send({ type: 'error', status: 400, error: { message: 'No.' } });
    await using talk = await rig({ faults: { 0: fault } });
    await expect(stream(talk)).rejects.toThrow('No.');
    expect(talk.events.filter(({ type }) => type === 'request-error')).toHaveLength(1);
  });

  it('says what was opened, sent and closed, without a secret', async () => {
    const talk = await rig({}, { apiKey: 'sk-very-secret-key-1234567890' });
    await stream(talk);
    await talk[Symbol.asyncDispose]();
    const sockets = talk.events.filter(({ type }) => type === 'socket');
    expect(sockets).toMatchObject([{ what: 'opened' }, { what: 'closed', rounds: 4 }]);
    const requests = talk.events.filter(({ type }) => type === 'request');
    expect(requests).toMatchObject([{ transport: 'websocket' }, { newItems: 1 }, { newItems: 1 }, { newItems: 1 }]);
    expect(JSON.stringify(talk.events)).not.toContain('very-secret');
  });
});
