import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { untilSignedIn } from 'responses-loop/node';

/** A port that nobody listens at. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function pageOf(callback: string, state = 's1'): URL {
  return new URL(`https://auth.example.com/authorize?${new URLSearchParams({ redirect_uri: callback, state })}`);
}

describe('untilSignedIn', () => {
  it('takes only the answer to this sign-in, whoever else comes to its page', async () => {
    const callback = `http://127.0.0.1:${await freePort()}/back`;
    const finish = vi.fn(async () => {});
    let isOver = false;
    await new Promise<void>((onListening) => {
      void untilSignedIn(pageOf(callback), { finish, onListening }).then(() => (isOver = true));
    });
    for (const url of [`${callback}?code=c`, `${callback}?code=c&state=s2`, callback.replace('/back', '/?state=s1')]) {
      expect((await fetch(url)).status).toBe(404);
    }
    expect([finish.mock.calls, isOver]).toEqual([[], false]);
    const answer = await fetch(`${callback}?code=c&state=s1`);
    expect([answer.status, await answer.text()]).toEqual([200, 'You are signed in. You may close this window.']);
    await expect.poll(() => isOver).toBe(true);
    expect(finish.mock.calls).toEqual([[`${callback}?code=c&state=s1`]]);
    await expect(fetch(callback)).rejects.toThrow('fetch failed');
  });

  it('takes no answer without a state, as if each were one', async () => {
    const callback = `http://127.0.0.1:${await freePort()}/back`;
    const page = new URL(`https://auth.example.com/?redirect_uri=${encodeURIComponent(callback)}`);
    const end = new AbortController();
    const ended = new Promise((resolve) => {
      const onListening = (): void => void fetch(callback).then(({ status }) => resolve(status));
      untilSignedIn(page, { finish: async () => {}, onListening, signal: end.signal }).catch(() => {});
    });
    expect(await ended).toBe(404);
    end.abort();
  });

  it('rejects with what the service refused, and shows it', async () => {
    const callback = `http://127.0.0.1:${await freePort()}/back`;
    let shown: Promise<string> | undefined;
    const waiting = untilSignedIn(pageOf(callback), {
      finish: () => Promise.reject(new Error('The service refused: access_denied.')),
      onListening: () => {
        shown = fetch(`${callback}?error=access_denied&state=s1`).then((answer) => answer.text());
      },
    });
    await expect(waiting).rejects.toThrow('access_denied');
    expect(await shown).toBe('The service refused: access_denied.');
  });

  it('ends by its signal, and frees the port', async () => {
    const port = await freePort();
    const gone = new AbortController();
    const options = { finish: async () => {}, onListening: () => gone.abort(), signal: gone.signal };
    await expect(untilSignedIn(pageOf(`http://127.0.0.1:${port}/back`), options)).rejects.toThrow('aborted');
    const next = createServer().listen(port, '127.0.0.1');
    await once(next, 'listening');
    next.close();
  });

  it('names the page whose port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const callback = `http://127.0.0.1:${(other.address() as AddressInfo).port}/back`;
    await expect(untilSignedIn(pageOf(callback), { finish: async () => {} })).rejects.toThrow(
      new RegExp(`${callback} cannot be served .*EADDRINUSE.*If another sign-in waits there, end it first`),
    );
    other.close();
  });

  it.each(['', 'https://127.0.0.1:8976/back', 'http://0.0.0.0:8976/back', 'http://example.com/back'])(
    'serves no page that is not of this machine: %j',
    async (callback) => {
      await expect(untilSignedIn(pageOf(callback), { finish: async () => {} })).rejects.toThrow(
        JSON.stringify(callback),
      );
    },
  );
});
