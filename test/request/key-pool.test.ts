import { FailedFunction } from '../../src/errors/failed-function.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApiErrorOptions } from '../../src/errors/api-error.js';
import { ApiError } from '../../src/errors/for-users.js';
import { createKeyPool, type KeyPool, type PickedKey } from '../../src/request/key-pool.js';

afterEach(() => {
  vi.useRealTimers();
});

async function pickFrom(pool: KeyPool, modelId: string, wanted?: string): Promise<PickedKey> {
  return pool.pick({ modelId, wanted: () => wanted });
}

async function pickMany(pool: KeyPool, modelId: string, count: number): Promise<(string | undefined)[]> {
  const picked: (string | undefined)[] = [];
  for (let n = 0; n < count; n += 1) picked.push((await pickFrom(pool, modelId)).key);
  return picked;
}

describe('which keys there are', () => {
  it.each<[string, string | readonly string[] | undefined, readonly (string | undefined)[]]>([
    ['one', 'k1', ['k1', 'k1']],
    ['a comma list, with blanks and a comma too many', ' k1, k2 ,,k3,', ['k1', 'k2', 'k3', 'k1']],
    ['an array', ['k1', ' k2 '], ['k1', 'k2', 'k1']],
    ['the same one twice', 'k1,k1,k2', ['k1', 'k2', 'k1']],
    ['none', undefined, [undefined, undefined]],
    ['an empty text', '', [undefined]],
    ['blanks and commas', ' , ', [undefined]],
    ['an empty array', [], [undefined]],
  ])('%s', async (_name, setting, expected) => {
    expect(await pickMany(createKeyPool(setting), 'm', expected.length)).toEqual(expected);
  });

  it.each<[string, string | readonly string[], RegExp]>([
    ['a line break from copying', 'good,sk-one\nsk-two', /apiKey number 2 .*white space/],
    ['a blank', ['sk one'], /apiKey number 1 .*white space/],
    ['a comma in an array', ['sk-one,sk-two'], /apiKey number 1 contains a comma.*of its own/],
    ['a character HTTP cannot carry', 'sk-ключ', /apiKey number 1 .*cannot be sent/],
  ])('a key with %s is refused by its number, not by its value', (_name, setting, message) => {
    const create = (): unknown => createKeyPool(setting);
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-settings' }));
    expect(create).toThrow(message);
    expect(create).not.toThrow(/sk-/);
  });
});

describe('whose turn it is', () => {
  it('every model takes its own turns', async () => {
    const pool = createKeyPool('k1,k2');
    expect(await pickMany(pool, 'a', 1)).toEqual(['k1']);
    expect(await pickMany(pool, 'b', 2)).toEqual(['k1', 'k2']);
    expect(await pickMany(pool, 'a', 1)).toEqual(['k2']);
  });

  it('pools share no turns', async () => {
    await pickMany(createKeyPool('k1,k2'), 'm', 1);
    expect(await pickMany(createKeyPool('k1,k2'), 'm', 1)).toEqual(['k1']);
  });

  it('a wanted key is given out without using up a turn', async () => {
    const pool = createKeyPool('k1,k2,k3');
    const { fingerprint } = await pickFrom(pool, 'm');
    expect((await pickFrom(pool, 'm', fingerprint)).key).toBe('k1');
    expect(await pickMany(pool, 'm', 2)).toEqual(['k2', 'k3']);
  });

  it('a wanted key that is gone leaves the choice to the rotation', async () => {
    expect((await pickFrom(createKeyPool('k1'), 'm', 'gone')).key).toBe('k1');
  });

  it('fingerprints differ between keys, are the same in another process, and hold no part of a key', async () => {
    const prints = async (): Promise<string[]> => {
      const pool = createKeyPool('sk-secret-one,sk-secret-two');
      return [(await pickFrom(pool, 'm')).fingerprint, (await pickFrom(pool, 'm')).fingerprint];
    };
    const [one, two] = await prints();
    expect(one).not.toBe(two);
    expect(await prints()).toEqual([one, two]);
    expect(`${one}${two}`).not.toMatch(/secret|sk-/);
  });
});

describe('keys that rest', () => {
  const refusal = (facts: Partial<ApiErrorOptions>): ApiError =>
    new ApiError({ message: '', url: '', isRetryable: false, statusCode: 429, ...facts });

  it.each<[string, Partial<ApiErrorOptions>, number]>([
    ['a rate, where nothing is said', {}, 30_000],
    ['a rate, as long as a header says', { responseHeaders: { 'retry-after': '7' } }, 7_000],
    ['a rate, but never less than a second', { responseHeaders: { 'retry-after': '0' } }, 1_000],
    ['a rate, whatever stands where a time should', { responseHeaders: { 'retry-after': '-5' } }, 30_000],
    ['a rate, no longer because of its message', { message: 'Please try again in 2h.' }, 30_000],
    ['a rate, as long as its message says', { message: 'Please try again in 1.5s.' }, 1_500],
    ['a rate, as long as its body says', { responseBody: 'Please try again in 20s.' }, 20_000],
    ['a wrong key', { statusCode: 401 }, 600_000],
    ['a wrong key, whatever its message says', { statusCode: 401, message: 'try again in 1s' }, 600_000],
    ['a spent quota', { serverCode: 'insufficient_quota' }, 600_000],
    [
      'a spent quota, although a header says at once',
      { serverCode: 'insufficient_quota', responseHeaders: { 'retry-after': '0' } },
      600_000,
    ],
    [
      'an empty account, although a header says at once',
      { statusCode: 402, responseHeaders: { 'retry-after': '0' } },
      600_000,
    ],
    [
      'a spent quota, longer where a header says so',
      { serverCode: 'insufficient_quota', responseHeaders: { 'retry-after': '1200' } },
      1_200_000,
    ],
    ['anything, but never longer than an hour', { responseHeaders: { 'retry-after': '86400' } }, 3_600_000],
  ])('%s', async (_name, facts, expected) => {
    const pool = createKeyPool('k1,k2', { now: () => 0 });
    expect(pool.refused(await pickFrom(pool, 'm'), refusal(facts))).toBe(expected);
  });

  it('a key that worked since rests no longer; an answer to what was sent before it was refused proves nothing', async () => {
    let now = 1_000;
    const pool = createKeyPool('k1,k2', { now: () => now });
    const first = await pickFrom(pool, 'm');
    pool.refused(first, refusal({}));
    pool.worked(first, 999);
    expect(await pickMany(pool, 'm', 2)).toEqual(['k2', 'k2']);
    now = 1_001;
    pool.worked(first, 1_000);
    expect(await pickMany(pool, 'm', 2)).toEqual(['k1', 'k2']);
  });

  it.each([
    ['back', -86_400_000],
    ['forward', 86_400_000],
  ])('a key is paused for the full time, even if the clock is set %s by a day', async (_name, shift) => {
    vi.useFakeTimers();
    const pool = createKeyPool('k1,k2');
    pool.refused(await pickFrom(pool, 'm'), refusal({ responseHeaders: { 'retry-after': '30' } }));
    vi.advanceTimersByTime(10_000);
    vi.setSystemTime(Date.now() + shift);
    expect(await pickMany(pool, 'm', 2)).toEqual(['k2', 'k2']);
    vi.advanceTimersByTime(20_000);
    expect(new Set(await pickMany(pool, 'm', 2))).toEqual(new Set(['k1', 'k2']));
  });

  it('a date that a server names is one of the wall clock', async () => {
    vi.useFakeTimers();
    vi.setSystemTime(new Date('2026-10-21T07:28:00Z'));
    const pool = createKeyPool('k1,k2');
    const error = refusal({ responseHeaders: { 'retry-after': 'Wed, 21 Oct 2026 07:29:00 GMT' } });
    expect(pool.refused(await pickFrom(pool, 'm'), error)).toBe(60_000);
  });

  it('the first to be back is known, with the time until then', async () => {
    let now = 0;
    const pool = createKeyPool('k1,k2', { now: () => now });
    const [one, two] = [await pickFrom(pool, 'm'), await pickFrom(pool, 'm')];
    pool.refused(one, refusal({ responseHeaders: { 'retry-after': '9' } }));
    pool.refused(two, refusal({ responseHeaders: { 'retry-after': '7' } }));
    now = 1_000;
    expect(pool.nextAvailable()).toEqual({ key: two, waitMs: 6_000 });
    now = 8_000;
    expect(pool.nextAvailable()).toEqual({ key: two, waitMs: 0 });
  });

  it.each([['k1'], [() => 'token'], [undefined]])(
    'nobody comes back where there is no other key: %s',
    async (setting) => {
      const pool = createKeyPool(setting);
      pool.refused(await pickFrom(pool, 'm'), refusal({}));
      expect(pool.nextAvailable()).toBeUndefined();
    },
  );
});

describe('a key from a function', () => {
  it('is remembered with any number of others, and forgotten ten minutes after it was used last', async () => {
    let asked = 0;
    let now = 0;
    const tokens = Array.from({ length: 200 }, (_, n) => `token-${n}`);
    const pool = createKeyPool(() => tokens[(asked += 1) - 1] ?? 'late', { now: () => now });
    await pickMany(pool, 'm', 200);
    expect(pool.secrets()).toEqual(tokens);
    expect(pool.secrets()).toBe(pool.secrets());
    now = 500_000;
    pool.sends({ key: 'token-3', fingerprint: 'dynamic' });
    now = 700_000;
    expect(pool.secrets()).toEqual(['token-3']);
    await pickMany(pool, 'm', 1);
    expect(pool.secrets()).toEqual(['token-3', 'late']);
  });

  it('is asked for at every pick, and trimmed', async () => {
    let asked = 0;
    const pool = createKeyPool(async () => ` token-${(asked += 1)}\n`);
    expect(await pickMany(pool, 'm', 2)).toEqual(['token-1', 'token-2']);
    expect(pool.secrets()).toEqual(['token-1', 'token-2']);
  });

  it('all its tokens belong to one account, so they share a fingerprint', async () => {
    let asked = 0;
    const pool = createKeyPool(() => `token-${(asked += 1)}`);
    expect((await pickFrom(pool, 'm')).fingerprint).toBe((await pickFrom(pool, 'm')).fingerprint);
  });

  it.each([
    ['an empty text', ''],
    ['nothing', undefined],
    ['null', null],
  ])('that gives %s means no key', async (_name, value) => {
    const pool = createKeyPool(() => value as string);
    expect((await pickFrom(pool, 'm')).key).toBeUndefined();
    expect(pool.secrets()).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a line break inside', 'sk-a\nsk-b'],
    ['an object', { token: 'sk-a' }],
    ['a list', 'sk-a,sk-b'],
  ])('that gives %s is told so, without the key', async (_name, value) => {
    const picked = pickFrom(
      createKeyPool(() => value as string),
      'm',
    );
    await expect(picked).rejects.toMatchObject({ code: 'invalid-settings', message: expect.stringMatching(/^apiKey/) });
    await expect(picked).rejects.not.toThrow(/sk-/);
  });

  it('that gives several is told that it returns one', async () => {
    await expect(
      pickFrom(
        createKeyPool(() => 'sk-a,sk-b'),
        'm',
      ),
    ).rejects.toThrow(/an apiKey function returns one key/);
  });

  const failure = new Error('Entra is down');
  it.each<[string, () => string | Promise<string>]>([
    [
      'throws',
      () => {
        throw failure;
      },
    ],
    ['rejects', () => Promise.reject(failure)],
  ])('that %s is named, with what it said and its error as cause', async (_name, ask) => {
    const picked = pickFrom(createKeyPool(ask), 'm');
    await expect(picked).rejects.toBeInstanceOf(FailedFunction);
    await expect(picked).rejects.toMatchObject({
      code: 'missing-api-key',
      message: 'The apiKey function failed: Entra is down',
      cause: failure,
    });
  });
});
