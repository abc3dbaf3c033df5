import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MessageIds, sendLater } from '../../page/lib/chat-queue.js';

const text = (words: string) => [{ type: 'text' as const, text: words }];

/** A server that takes each id once. While the line is bad, its answers are lost. */
class LossyApi {
  readonly taken: string[] = [];
  isLineBad = false;

  readonly fetch = (_: string, { body }: RequestInit = {}): Promise<Response> => {
    const { message } = JSON.parse(typeof body === 'string' ? body : '{}') as { message: { id: string } };
    const isNew = !this.taken.includes(message.id);
    if (isNew) this.taken.push(message.id);
    if (this.isLineBad) return Promise.reject(new TypeError('fetch failed'));
    const refusal = { error: { code: 'message_exists', message: 'It is there.' } };
    return Promise.resolve(Response.json(isNew ? { queued: {} } : refusal, { status: isNew ? 202 : 409 }));
  };
}

describe('a message to a chat whose turn runs', () => {
  let server: LossyApi;
  let ids: MessageIds;
  beforeEach(() => {
    server = new LossyApi();
    ids = new MessageIds();
    const storage = { getItem: () => 'kept', setItem: () => {} };
    vi.stubGlobal('fetch', server.fetch);
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('sessionStorage', storage);
    vi.stubGlobal('location', new URL('http://127.0.0.1:4300/'));
  });
  afterEach(() => vi.unstubAllGlobals());
  const send = (words: string) => sendLater('s1', text(words), { ids, whileRunning: 'queue', choice: undefined });

  it('is queued once if the answer was lost and it is sent again', async () => {
    server.isLineBad = true;
    await expect(send('hello')).rejects.toThrow(TypeError);
    await expect(send('hello')).rejects.toThrow(TypeError);
    server.isLineBad = false;
    expect(await send('hello')).toBe('queued');
    expect(server.taken).toHaveLength(1);
  });

  it('is another one if the same is said again, or something else after a lost answer', async () => {
    expect(await Promise.all([send('yes'), send('yes')])).toEqual(['queued', 'queued']);
    server.isLineBad = true;
    await expect(send('hello')).rejects.toThrow(TypeError);
    server.isLineBad = false;
    expect(await send('hello, again')).toBe('queued');
    expect(server.taken).toHaveLength(4);
  });
});
