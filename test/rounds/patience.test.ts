import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createResponsesProvider } from '../../src/index.js';
import { onDemand } from '../../src/provider/on-demand.js';
import { encodeEvents, responseEvents } from '../../src/testing.js';
import { HELLO } from '../provider/support/talk.js';

const MINUTE = 60_000;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = (): Uint8Array => encodeEvents(responseEvents({ output: [{ type: 'text', text: 'Hi.' }] }));

/** A provider whose server is this test, under a clock that stands still until it is moved. */
function quiet(settings: Parameters<typeof createResponsesProvider>[0] = {}) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  const fetch = vi.fn(async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  const provider = createResponsesProvider({ baseURL: 'https://relay.example.com/v1', fetch, ...settings });
  const outcome = (async () => {
    const types: string[] = [];
    const { stream } = await provider('m').doStream(HELLO);
    for await (const part of stream as AsyncIterable<{ type: string }>) types.push(part.type);
    return types;
  })();
  outcome.catch(() => {});
  return { outcome, send: (chunk: Uint8Array) => controller?.enqueue(chunk) };
}

describe('how long a server may be silent', () => {
  // Loading takes real time, and the clock stands still.
  beforeAll(onDemand.calls);
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('fifteen minutes before the first event, unless the settings say otherwise; then it says which timer fired', async () => {
    const { outcome } = quiet();
    await vi.advanceTimersByTimeAsync(15 * MINUTE - 1);
    await vi.advanceTimersByTimeAsync(1);
    await expect(outcome).rejects.toMatchObject({
      code: 'timeout',
      isRetryable: true,
      message: expect.stringContaining('timeouts.idleMs'),
    });
  });

  it('a server that never answers at all is given up by headersMs', async () => {
    const never = () => new Promise<Response>(() => {});
    const { outcome } = quiet({ fetch: never, timeouts: { headersMs: 2 * MINUTE } });
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    await expect(outcome).rejects.toMatchObject({ message: expect.stringContaining('timeouts.headersMs') });
  });

  it('comments every 15 seconds keep an answer alive for hours, where commentsMs is 0', async () => {
    const { outcome, send } = quiet({ timeouts: { idleMs: MINUTE, commentsMs: 0 } });
    for (let n = 0; n < 4 * 120; n += 1) {
      send(bytes(': still thinking\n\n'));
      await vi.advanceTimersByTimeAsync(15_000);
    }
    send(whole());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toContain('finish');
  });

  it.each([
    ['comments', ': still thinking\n\n'],
    ['blanks', '\n'],
    ['keep-alives that are data', 'data: : still thinking\n\n'],
    ['names of events', 'event: response.in_progress\nid: 1\n'],
    ['data that is no JSON', 'data: ping\n\n'],
  ])('a response ends after fifteen minutes of nothing but %s', async (_name, text) => {
    const { outcome, send } = quiet({ timeouts: { idleMs: MINUTE } });
    for (let n = 0; n <= 4 * 15; n += 1) {
      if (n < 4 * 15) expect(await Promise.race([outcome, Promise.resolve('under way')])).toBe('under way');
      send(bytes(text));
      await vi.advanceTimersByTimeAsync(15_000);
    }
    await expect(outcome).rejects.toMatchObject({
      code: 'timeout',
      isRetryable: true,
      message: expect.stringContaining('timeouts.commentsMs'),
    });
  });

  it('comments between events count from the event before', async () => {
    const { outcome, send } = quiet({ timeouts: { idleMs: MINUTE, commentsMs: 2 * MINUTE } });
    for (let n = 0; n < 20; n += 1) {
      send(bytes(n % 4 === 0 ? 'data: {"type":"response.in_progress"}\n\n' : ': hm\n\n'));
      await vi.advanceTimersByTimeAsync(30_000);
    }
    send(whole());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toContain('finish');
  });

  it('silence in the middle of an answer is an error part that may be retried', async () => {
    const { outcome, send } = quiet({ timeouts: { idleMs: MINUTE } });
    send(encodeEvents(responseEvents({ output: [{ type: 'text', text: 'Hi.' }] }).slice(0, -2)));
    await vi.advanceTimersByTimeAsync(MINUTE + 1_000);
    expect((await outcome).slice(-2)).toEqual(['error', 'finish']);
  });

  it('0 waits for ever', async () => {
    const { outcome, send } = quiet({ timeouts: { idleMs: 0, headersMs: 0 } });
    await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE);
    send(whole());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toContain('finish');
  });
});
