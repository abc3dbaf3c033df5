import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResponsesProvider } from '../../src/index.js';
import { ApiError } from '../../src/errors/for-users.js';
import { createKeyPool } from '../../src/request/key-pool.js';
import { HELLO } from '../provider/support/talk.js';

const KEYS = Array.from({ length: 50 }, (_, n) => `sk-test-number-${n}-of-fifty`);

/** A server that refuses all, each time after as many turns of the loop as it likes. */
function refusing(status: number, headers: Record<string, string>) {
  const seen: string[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    seen.push(new Headers(init?.headers).get('authorization') ?? '');
    await new Promise((resolve) => setTimeout(resolve, (seen.length * 7) % 20));
    return new Response('{"error":{"message":"No."}}', { status, headers });
  };
  const provider = createResponsesProvider({ baseURL: 'http://127.0.0.1:1/v1', apiKey: KEYS, fetch });
  onTestFinished(() => provider.close());
  return { seen, provider };
}

describe('many calls at once, all of which are refused', () => {
  const answers: readonly (readonly [string, Record<string, string>])[] = [
    ['no header', {}],
    ['Retry-After: 0', { 'retry-after': '0' }],
    ['Retry-After: -5', { 'retry-after': '-5' }],
    ['a date that is over', { 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }],
    ['retry-after-ms: 0', { 'retry-after-ms': '0' }],
    ['a limit that is back at once', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '0s' }],
  ];
  it.each(answers.flatMap(([name, headers]) => [401, 429].map((status) => [status, name, headers] as const)))(
    'cause about one request per call plus one per key: %i with %s',
    async (status, _name, headers) => {
      const { seen, provider } = refusing(status, headers);
      const started = performance.now();
      await Promise.allSettled(Array.from({ length: 200 }, async () => provider('m').doStream(HELLO)));
      // A refused key rests for a second: on a busy machine the calls take longer, and may ask with it again.
      const rests = Math.floor((performance.now() - started) / 1_000);
      expect(seen.length).toBeGreaterThanOrEqual(200);
      expect(seen.length).toBeLessThanOrEqual(200 + (4 + rests) * KEYS.length);
    },
  );

  it('leave a refused key alone while others work', async () => {
    const bad = new Set(KEYS.filter((_, n) => n % 5 === 0));
    const asked = new Map<string, number>();
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const key = (new Headers(init?.headers).get('authorization') ?? '').slice('Bearer '.length);
      asked.set(key, (asked.get(key) ?? 0) + 1);
      const status = bad.has(key) ? 429 : 200;
      const body = { id: 'r', status: 'completed', output: [] };
      return Response.json(status === 200 ? body : {}, { status, headers: { 'retry-after': '0' } });
    };
    const provider = createResponsesProvider({ baseURL: 'http://127.0.0.1:1/v1', apiKey: KEYS, fetch });
    onTestFinished(() => provider.close());
    for (let n = 0; n < 150; n += 1) await provider('m').doGenerate(HELLO);
    expect([...bad].map((key) => asked.get(key))).toEqual([...bad].map(() => 1));
  });
});

describe('how long a refused key rests', () => {
  const number = fc.oneof(fc.integer(), fc.double(), fc.bigInt()).map(String);
  const text = fc.oneof(
    number,
    fc.string(),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.tuple(number, fc.constantFrom('s', 'ms', 'm0s', 'h', 'd', '')).map((pair) => pair.join('')),
    fc.constantFrom('-5', '1e400', '9'.repeat(400), 'NaN', 'Infinity', '0x10', ' ', 'Thu, 01 Jan 1970 00:00:00 GMT'),
  );
  const headers = fc.record(
    {
      'retry-after': text,
      'Retry-After-Ms': text,
      'x-ratelimit-remaining-requests': fc.constantFrom('0', '1'),
      'x-ratelimit-reset-requests': text,
      'x-ratelimit-remaining-tokens': fc.constantFrom('0', '1'),
      'x-ratelimit-reset-tokens': text,
    },
    { requiredKeys: [] },
  );

  it('is between a second and an hour, whatever the server asks for', async () => {
    await fc.assert(
      fc.asyncProperty(headers, text, fc.constantFrom(401, 402, 403, 429), async (given, words, statusCode) => {
        const pool = createKeyPool('k1,k2', { now: () => Date.parse('2026-01-01') });
        const key = await pool.pick({ modelId: 'm' });
        const message = `Please try again in ${words}.`;
        const error = new ApiError({ message, url: '', isRetryable: false, statusCode, responseHeaders: given });
        const rest = pool.refused(key, error);
        expect(rest).toBeGreaterThanOrEqual(1_000);
        expect(rest).toBeLessThanOrEqual(3_600_000);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not longer because somebody’s words were repeated', async () => {
    const restAfter = async (message: string): Promise<number> => {
      const pool = createKeyPool('k1,k2');
      const key = await pool.pick({ modelId: 'm' });
      return pool.refused(key, new ApiError({ message, url: '', isRetryable: true, statusCode: 429 }));
    };
    const usual = await restAfter('No.');
    for (const words of ['20s', '90s', '5 days'])
      expect(await restAfter(`try again in ${words}`)).toBeLessThanOrEqual(usual);
    expect(await restAfter('try again in 2s')).toBe(2_000);
  });
});
