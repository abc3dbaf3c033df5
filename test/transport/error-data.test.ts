import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureData } from '../../src/stream/decode-failure.js';
import { failWith, URL_OF_ALL } from './support/fail-with.js';

const SECRET = 'sk-duck-0123456789abcdef';

describe('what the server sent about a failure, as `data`', () => {
  it('is the error body of an error status', async () => {
    const body = { error: { message: 'Slow down.', type: 'requests', param: null, code: 'rate_limit_exceeded' } };
    expect((await failWith({ status: 429, body })).data).toEqual(body);
  });

  it.each(['<h1>Bad gateway</h1>', '', '"bad"', '{"error":', '[]'])(
    'is nothing where the body is no JSON object: %j',
    async (body) => expect((await failWith({ status: 502, body })).data).toBeUndefined(),
  );

  it('of a failed response leaves out what the response only repeats', () => {
    const response = { id: 'resp_1', error: { code: 'server_error', message: 'm' }, instructions: 'Be a duck.' };
    expect(failureData({ type: 'response.failed', response })).toEqual({
      type: 'response.failed',
      response: { error: { code: 'server_error', message: 'm' } },
    });
  });

  it('holds no secret that the server repeats, as a value or as a name', async () => {
    const body = { error: { message: `Bad key ${SECRET}`, param: { [SECRET]: [SECRET] } } };
    const { data } = await failWith({ status: 401, body }, { url: `${URL_OF_ALL}?api_key=${SECRET}` });
    expect(JSON.stringify(data)).not.toContain(SECRET.slice(0, 12));
    expect(data).toMatchObject({ error: { message: 'Bad key [redacted]' } });
  });

  it('holds no secret that is the name of a member, even if another has that name without the secret', async () => {
    const body = { error: { message: 'm', param: { '[redacted]': 1, [SECRET]: 1 } } };
    const { data } = await failWith({ status: 401, body }, { url: `${URL_OF_ALL}?api_key=${SECRET}` });
    expect(JSON.stringify(data)).not.toContain(SECRET);
  });

  it('is nothing where the server sent too much, too deep or too many', () => {
    const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 'x');
    const many = Array.from({ length: 100_000 }, () => 0);
    for (const param of ['x'.repeat(20_000), deep, many])
      expect(failureData({ error: { message: 'm', param } })).toBeUndefined();
  });

  it('is a copy of what was sent, within its bounds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (param) => {
        const error = JSON.parse(JSON.stringify({ message: 'm', param })) as unknown;
        const data = failureData({ error });
        if (data !== undefined) expect(data).toEqual({ error });
      }),
    );
  });
});
