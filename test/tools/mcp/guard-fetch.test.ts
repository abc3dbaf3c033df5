import { describe, expect, it } from 'vitest';
import { guardFetch } from '../../../src/tools/mcp/sdk-gaps/guard-fetch.js';

const CLOSED = '{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Connection closed"}}';
const request = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call' }) };

/** What comes out of the guard for a body that arrives in these chunks and then ends or breaks. */
async function guarded(
  chunks: string[],
  breaks: boolean,
  init: RequestInit = request,
  type = 'text/event-stream',
): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
      else if (breaks) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  const fetch = guardFetch(async () => new Response(body, { headers: { 'content-type': type } }));
  return (await fetch('http://example.invalid/', init)).text();
}

describe('a stream that ends without the answer', () => {
  it.each([false, true])('gets an error for its request at the end (broken: %s)', async (breaks) => {
    expect(await guarded([': hi\n\n', 'data: {"jso'], breaks)).toBe(
      `: hi\n\ndata: {"jso\n\nevent: message\ndata: ${CLOSED}\n\n`,
    );
  });

  it.each([['id: 1\ndata: x\n\n'], ['data: x\ni', 'd: 4\n\n'], ['data: x\r', 'id:4\n\n']])(
    'is left alone when it can be resumed: %j',
    async (...chunks) => {
      expect(await guarded([...chunks], false)).toBe(chunks.join(''));
    },
  );

  it.each([['data: {"id: 5"}\n\n'], ['data: gr', 'id: 5\n\n'], ['xi', 'd: 5\n\n']])(
    'does not take %j for an event id',
    async (...chunks) => {
      expect(await guarded([...chunks], false)).toContain(CLOSED);
    },
  );

  it.each([
    ['a notification', { method: 'POST', body: '{"method":"notifications/initialized"}' }, 'text/event-stream'],
    ['the listening stream', { method: 'GET' }, 'text/event-stream'],
    ['a JSON answer', request, 'application/json'],
  ])('leaves %s alone', async (_name, init, type) => {
    expect(await guarded(['data: x\n\n'], false, init, type)).toBe('data: x\n\n');
  });
});
