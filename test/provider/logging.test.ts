import { describe, expect, it, vi } from 'vitest';
import { httpLog, type HttpLogEntry, logEvents, type ObserverEvent, observers } from '../../src/index.js';
import { errorReply } from '../../src/testing.js';
import { ADD, callAdd, failureOf, say, start, stream } from './support/talk.js';

function keeper() {
  const lines: [level: string, message: string, type: string][] = [];
  const at = (level: string) => (message: string, data: object) =>
    void lines.push([level, message, (data as ObserverEvent).type]);
  return { lines, logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}

describe('logEvents', () => {
  it('writes a line per event of a whole call, at a fitting level, with the event as data', async () => {
    const { lines, logger } = keeper();
    const talk = await start([callAdd('r1'), errorReply({ status: 503 }), say('5', { id: 'r2' })], {
      tools: ADD,
      apiKey: 'key-1234',
      retry: { initialDelayMs: 1 },
      onEvent: logEvents(logger),
    });
    await stream(talk);
    const plain = lines.map(([level, message]) => `${level} ${message.replaceAll(/\d+ ms/g, 'N ms')}`);
    expect(plain).toEqual([
      'info [responses-loop] call 1 to m',
      'debug [responses-loop] call 1 round 0',
      'debug [responses-loop] key 1 [redacted] chosen',
      `debug [responses-loop] POST ${talk.url}`,
      `debug [responses-loop] 200 from ${talk.url} after N ms`,
      'info [responses-loop] tool local/add',
      'info [responses-loop] tool local/add done, N ms',
      'debug [responses-loop] call 1 round 0 ended: tool-calls, 1 tool calls, N ms',
      'debug [responses-loop] call 1 round 1',
      `debug [responses-loop] POST ${talk.url}`,
      `warn [responses-loop] 503 from ${talk.url} after N ms`,
      expect.stringMatching(/^warn \[responses-loop\] retry 1 of .* in N ms: /),
      `debug [responses-loop] POST ${talk.url}`,
      `debug [responses-loop] 200 from ${talk.url} after N ms`,
      'debug [responses-loop] call 1 round 1 ended: stop, 0 tool calls, N ms',
      'info [responses-loop] call 1 ended: stop, 2 rounds, N ms',
    ]);
    expect(lines[0]?.[2]).toBe('call-start');
  });

  it('says why: denials and calls that failed', () => {
    const { lines, logger } = keeper();
    const observe = logEvents(logger);
    const place = { callNumber: 1, round: 0, callId: 'c', tool: 'rm', source: 'files' };
    observe({ ...place, type: 'tool-approval', approved: false, reason: 'not today', durationMs: 5 });
    observe({ ...place, type: 'tool-approval', approved: true, durationMs: 5 });
    const end = { type: 'call-end', callNumber: 1, rounds: 1, durationMs: 5 } as const;
    observe({ ...end, finishReason: 'error', error: { message: 'no route' } });
    expect(lines.map(([level, message]) => `${level} ${message}`)).toEqual([
      'warn [responses-loop] tool files/rm denied: not today',
      'info [responses-loop] tool files/rm approved',
      'error [responses-loop] call 1 ended: error, 1 rounds, 5 ms: no route',
    ]);
  });

  it('writes lines alone without data', () => {
    const info = vi.fn<(...line: unknown[]) => void>();
    const logger = { debug: info, info, warn: info, error: info };
    logEvents(logger, { data: false })({ type: 'call-start', callNumber: 1, modelId: 'm' });
    expect(info.mock.calls).toEqual([['[responses-loop] call 1 to m']]);
  });

  it('gives pino the data first', () => {
    const info = vi.fn<(data: object, message: string) => void>();
    const logger = { debug: info, info, warn: info, error: info };
    const event = { type: 'call-start', callNumber: 1, modelId: 'm' } as const;
    logEvents(logger, { objectFirst: true })(event);
    expect(info).toHaveBeenCalledWith(event, '[responses-loop] call 1 to m');
  });

  it('counts the round of a call that failed', async () => {
    const { lines, logger } = keeper();
    const talk = await start([errorReply({ status: 400 })], { onEvent: logEvents(logger) });
    await failureOf(stream(talk));
    expect(lines.at(-1)?.[1]).toContain('ended: error, 1 rounds');
  });

  it('tells a call that failed as an error', async () => {
    const { lines, logger } = keeper();
    const talk = await start([errorReply({ status: 400 })], { onEvent: logEvents(logger) });
    await failureOf(stream(talk));
    expect(lines.at(-1)).toEqual(['error', expect.stringContaining('call 1 ended: error'), 'call-end']);
  });
});

describe('httpLog, the entry shape of an existing app', () => {
  it('writes start and end of each exchange, with secrets cut and the body in part', async () => {
    const entries: HttpLogEntry[] = [];
    const onEvent = httpLog(
      (entry) => entries.push(entry),
      () => 7,
    );
    const talk = await start([say('Hi.')], { apiKey: 'sk-a-long-secret-1234', onEvent });
    await stream(talk, { prompt: [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(3_000) }] }] });
    expect(entries).toEqual([
      {
        phase: 'start',
        ts: 7,
        method: 'POST',
        url: talk.url,
        headers: expect.objectContaining({ authorization: '…1234' }),
        body: expect.stringMatching(/^\{"model":"m".{1985,1995}…$/),
      },
      {
        phase: 'end',
        ts: 7,
        dur: expect.any(Number),
        method: 'POST',
        url: talk.url,
        status: 200,
        headers: expect.objectContaining({ 'content-type': 'text/event-stream; charset=utf-8' }),
      },
    ]);
  });

  it('a body is never longer than 2,000 characters, its mark among them', () => {
    const entries: HttpLogEntry[] = [];
    const observe = httpLog((entry) => entries.push(entry));
    for (const length of [1_998, 1_999]) {
      const body = 'x'.repeat(length);
      observe({ type: 'request', callNumber: 1, round: 0, url: 'https://a.example.com', headers: {}, body });
    }
    expect(entries.map(({ body }) => [body?.length, body?.at(-1)])).toEqual([
      [2_000, '"'],
      [2_000, '…'],
    ]);
  });

  it('writes what went wrong', async () => {
    const entries: HttpLogEntry[] = [];
    const onEvent = httpLog((entry) => entries.push(entry));
    const refused = await start([errorReply({ status: 401 })], { onEvent });
    await failureOf(stream(refused));
    const dead = { baseURL: 'http://127.0.0.1:1', onEvent };
    await failureOf(stream(await start([], dead)));
    expect(entries.map(({ phase, status, body }) => [phase, status, body?.slice(0, 15)])).toEqual([
      ['start', undefined, '{"model":"m","i'],
      ['error', 401, undefined],
      ['start', undefined, '{"model":"m","i'],
      ['error', undefined, 'Could not reach'],
    ]);
  });
});

describe('several observers', () => {
  it('all get every event, whatever one of them does', () => {
    const last = vi.fn();
    const failing = (): never => {
      throw new Error('disk full');
    };
    observers(failing, last)({ type: 'warning', message: 'w' });
    expect(last).toHaveBeenCalledWith({ type: 'warning', message: 'w' });
  });

  it('one that is asynchronous and fails does not end the process', async () => {
    const unhandled: unknown[] = [];
    const keep = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', keep);
    // Its type says what an observer's does; what comes back is a promise all the same.
    const fail = vi.fn<() => void>();
    fail.mockImplementation((): unknown => Promise.reject(new Error('disk full')));
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const last = vi.fn();
    const onEvent = observers(fail, logEvents(logger), httpLog(fail), last);
    await stream(await start([say('Hi.')], { onEvent }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
    expect(last).toHaveBeenCalled();
  });
});
