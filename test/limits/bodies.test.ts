import { generateText } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../src/errors/api-error.js';
import { DEFAULT_LIMITS } from '../../src/core/limits.js';
import { BodyDecoder, MessageTooLong } from '../../src/stream/decode-body.js';
import { isDeeperThan } from '../../src/util/json.js';
import { encodeEvents, responseEvents, type ScriptedEvent } from '../../src/testing.js';
import { finishOf, partsOf, streamParts, textOf, userPrompt } from '../acceptance/support/parts.js';
import { adder } from '../acceptance/support/tools.js';
import { failureOf } from '../provider/support/talk.js';
import { flood, type FloodOptions, providerOf } from './support/flood.js';

const MB = 1_000_000;
const prompt = userPrompt();

const ENDLESS: readonly (readonly [string, FloodOptions])[] = [
  ['one line of an event', { start: 'data: {"type":"x","a":"', again: 'a' }],
  ['lines of one event', { again: 'data: x\n' }],
  ['lines of one event, ended as on old Macs', { again: 'data: x\r' }],
  ['names and ids of events', { again: 'event: x\nid: 1\n' }],
  ['blank lines', { again: '\n' }],
  ['comments', { again: ': hm\n\n' }],
  ['data that is no JSON', { again: 'data: ping\n\n' }],
  ['JSON', { contentType: 'application/json', start: '{"output":"', again: 'a' }],
  ['blanks before JSON', { contentType: 'application/json', again: ' ' }],
  ['text', { contentType: 'text/plain', again: 'All work and no play makes Jack a dull boy.\n' }],
  ['short lines of text', { contentType: 'text/plain', again: 'a\n' }],
  ['an event line that was packed', { start: 'data: {"a":"', again: 'a', gzip: true }],
  ['JSON that was packed', { contentType: 'application/json', start: '{"output":"', again: 'a', gzip: true }],
  ['an error', { status: 500, contentType: 'application/json', start: '{"error":"', again: 'a' }],
  ['a refused key', { status: 429, contentType: 'text/plain', again: 'No. ' }],
];

describe('a body without an end', () => {
  it.each(ENDLESS)('of %s is aborted and not requested again', async (_name, options) => {
    const server = await flood(options);
    const provider = providerOf(server, { apiKey: 'k1,k2', limits: { messageBytes: 2 * MB } });
    const error = await failureOf(generateText({ model: provider('m'), prompt: 'Hi', maxRetries: 2 }));
    expect(error).toMatchObject({
      code: 'limit',
      isRetryable: false,
      message: expect.stringMatching(/more than 2000000 bytes \(limit: limits\.messageBytes\)/),
    });
    expect(server.requests).toBe(1);
    expect(server.taken).toBeLessThan(6 * MB);
    await vi.waitFor(() => expect(server.underWay).toBe(0), { timeout: 5_000 });
  });

  it('is given up long before it fills the memory, with the limit that nobody has set', async () => {
    const before = process.memoryUsage().rss;
    const bodies: readonly (readonly [string, number])[] = [
      ['a', 70 * MB],
      // Each line is kept as a text of its own, which costs more than its bytes.
      ['data: x\n', 12 * MB],
    ];
    for (const [again, most] of bodies) {
      const server = await flood({ start: 'data: ', again });
      const error = await failureOf(providerOf(server)('m').doStream({ prompt }));
      expect(error).toMatchObject({ code: 'limit', message: expect.stringContaining('64000000 bytes') });
      expect(server.taken).toBeLessThan(most);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(500 * MB);
  });

  it('that is a web page is aborted after its first bytes', async () => {
    const server = await flood({ contentType: 'text/html', start: '<html>Log in', again: '<p>please</p>' });
    const error = await failureOf(providerOf(server)('m').doStream({ prompt }));
    expect(error).toMatchObject({
      code: 'not-a-responses-api',
      isRetryable: false,
      responseBody: expect.stringContaining('<html>Log in<p>please</p>'),
    });
    expect(server.taken).toBeLessThan(4 * MB);
    await vi.waitFor(() => expect(server.underWay).toBe(0), { timeout: 5_000 });
  });

  it('that is the page of an error is given up at its first bytes, and the status counts', async () => {
    const server = await flood({ status: 502, contentType: 'text/html', start: '\n<html>Bad gateway', again: '<br>' });
    const error = await failureOf(providerOf(server)('m').doStream({ prompt }));
    expect(error).toMatchObject({ code: 'api-error', statusCode: 502, isRetryable: true });
    expect(error.message).toContain('Bad gateway');
    expect(server.taken).toBeLessThan(4 * MB);
  });

  it('of an error keeps what the server said first', async () => {
    const server = await flood({ status: 400, contentType: 'text/plain', start: 'Not today. ', again: 'No. ' });
    const provider = providerOf(server, { limits: { messageBytes: MB } });
    const error = await failureOf(provider('m').doStream({ prompt }));
    expect(error).toMatchObject({ code: 'limit', statusCode: 400, message: expect.stringContaining('Not today.') });
    expect(error.responseBody).toMatch(/^Not today\. No\. /);
  });

  it('after a tool has run ends the call, and what ran is told', async () => {
    const { add, runs } = adder({ readOnly: true });
    const events = responseEvents({ output: [{ type: 'call', name: 'add', arguments: { a: 1, b: 1 } }] }).slice(0, -1);
    const start = `${new TextDecoder().decode(encodeEvents(events))}data: {"type":"`;
    const server = await flood({ start, again: 'a' });
    const provider = providerOf(server, { tools: { add }, limits: { messageBytes: MB } });
    const parts = await streamParts(provider('m'));
    const [failed] = partsOf(parts, 'error');
    expect(failed?.error).toMatchObject({ code: 'limit', isRetryable: false, completedCalls: [{ name: 'add' }] });
    expect(finishOf(parts).finishReason).toBe('error');
    expect([runs.length, server.requests]).toEqual([1, 1]);
  });
});

describe('a long message', () => {
  const decode = (json: string, wrap: (text: string) => string) => {
    const decoder = new BodyDecoder(
      () => {},
      () => {},
      { messageBytes: 4 * MB, jsonDepth: 500 },
    );
    decoder.feed(new TextEncoder().encode(wrap(json)));
    decoder.end();
    return decoder.events;
  };
  const WAYS: readonly (readonly [string, (text: string) => string])[] = [
    ['as an event', (text) => `data: ${text}\n\n`],
    ['as a body', (text) => text],
  ];

  it.each(WAYS)('of small values is aborted before it is parsed, %s', (_name, wrap) => {
    for (const value of ['{}', '[]', '1', '""', '{"\\"":0}']) {
      const many = Array.from({ length: 600_000 }, () => value).join(',');
      const parse = vi.spyOn(JSON, 'parse');
      expect(() => decode(`{"type":"x","output":[${many}]}`, wrap)).toThrow(MessageTooLong);
      expect(parse).not.toHaveBeenCalled();
      parse.mockRestore();
    }
  });

  it.each(WAYS)('of text, of a file or of a text that quotes JSON is read, %s', (_name, wrap) => {
    for (const text of ['a, b, c. ', 'QUJDREVG', '[{},{"a":[1,2]},', '"{[,\\', '\\\\']) {
      const json = JSON.stringify({ type: 'x', id: 'r', output: [text.repeat(100_000)] });
      expect(decode(json, wrap)).toBeGreaterThan(wrap('') === '' ? -1 : 0);
    }
  });

  it('of a million objects is checked without building a list of them', () => {
    const objects = Array.from({ length: 1_000_000 }, () => ({}));
    const before = process.memoryUsage().heapUsed;
    expect(isDeeperThan({ a: objects }, 2)).toBe(true);
    expect(isDeeperThan({ a: objects }, 3)).toBe(false);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * MB);
  });
});

describe('a good stream', () => {
  const delta = { type: 'response.output_text.delta', output_index: 0, item_id: 'm', delta: 'a'.repeat(1_000) };
  const events: ScriptedEvent[] = [
    { type: 'response.created', response: { id: 'r' } },
    ...Array.from({ length: 3_000 }, () => delta),
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
  ];

  it.each([
    ['in small chunks', 1_000],
    ['in one piece', Number.POSITIVE_INFINITY],
  ])('of any length is read, %s', async (_name, size) => {
    const bytes = encodeEvents(events);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
        controller.close();
      },
    });
    const fetch = async () => new Response(body);
    const provider = providerOf({ baseURL: 'http://127.0.0.1:1', fetch }, { limits: { messageBytes: 200_000 } });
    expect(textOf(await streamParts(provider('m')))).toHaveLength(3_000_000);
    expect(bytes.length).toBeGreaterThan(2_000_000);
  });

  it('may hold a message of just the limit, however it is cut', () => {
    const message = `data: ${JSON.stringify({ type: 'x', text: 'é'.repeat(500) })}\n\n`;
    const bytes = new TextEncoder().encode(message);
    const read = (limit: number, size: number): number => {
      let count = 0;
      const decoder = new BodyDecoder(() => (count += 1), undefined, { ...DEFAULT_LIMITS, messageBytes: limit });
      for (let at = 0; at < bytes.length; at += size) decoder.feed(bytes.subarray(at, at + size));
      return count;
    };
    for (const size of [1, 7, 100, bytes.length]) {
      expect(read(bytes.length, size)).toBe(1);
      expect(() => read(bytes.length - 200, size)).toThrow();
    }
  });
});

describe('the error of a limit', () => {
  it('is one of a request, which the AI SDK does not repeat', async () => {
    const server = await flood({ again: 'a' });
    const error = await failureOf(providerOf(server, { limits: { messageBytes: MB } })('m').doGenerate({ prompt }));
    expect(ApiError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ url: `${server.baseURL}/responses`, isRetryable: false });
  });
});
