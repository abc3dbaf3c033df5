import { expect, it, vi } from 'vitest';
import type { Round, RoundRequest } from '../../src/core/round.js';
import { ApiError } from '../../src/errors/for-users.js';
import { type Ask, askThrough, type Layer } from '../../src/rounds/layers.js';

// Only passed on.
const request = {} as RoundRequest;
const answer = {} as Round;
const failure = (message: string): ApiError =>
  new ApiError({ message, url: 'http://model.invalid', isRetryable: false });

it('a round that succeeds loads no layers', async () => {
  const layers = vi.fn<() => Promise<readonly Layer[]>>();
  await expect(askThrough(request, layers, async () => answer)).resolves.toBe(answer);
  expect(layers).not.toHaveBeenCalled();
});

it('the first failure passes every layer, the last one first, and each request is sent and counted once', async () => {
  const log: string[] = [];
  const send = vi.fn(async ({ requests }: Ask) => {
    log.push(`send ${requests}`);
    if (send.mock.calls.length < 3) throw failure(`failure ${send.mock.calls.length}`);
    return answer;
  });
  const layer =
    (name: string): Layer =>
    (next) =>
    async (ask) => {
      try {
        return await next(ask);
      } catch (error) {
        log.push(`${name}: ${(error as Error).message}`);
        if (name === 'inner' && ask.requests > 1) throw error;
        return next(ask);
      }
    };
  await expect(askThrough(request, async () => [layer('outer'), layer('inner')], send)).resolves.toBe(answer);
  expect(log).toEqual(['send 0', 'inner: failure 1', 'send 2', 'outer: failure 2', 'send 3']);
});

it('a failure counts as it is if the code of the layers cannot be loaded', async () => {
  const send = vi.fn(() => Promise.reject(failure('The server is gone.')));
  const offline = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  await expect(askThrough(request, offline, send)).rejects.toThrow('The server is gone.');
  expect(send).toHaveBeenCalledOnce();
});
