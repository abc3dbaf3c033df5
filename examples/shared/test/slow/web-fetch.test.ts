import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webFetch, type WebFetchOptions, type WebPage } from '../../web-fetch.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const seen: IncomingMessage[] = [];
let answer: Answer;
let port = 0;
const server = createServer((request, response) => {
  seen.push(request);
  answer(request, response);
});
beforeEach(async () => {
  seen.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
const urlOf = (path = '/'): string => `http://a.test:${port}${path}`;
function fetchPage(path?: string, more: Partial<WebFetchOptions> = {}): Promise<WebPage> {
  const signal = new AbortController().signal;
  return webFetch({ url: urlOf(path), signal, lookup, isAllowed: () => true, ...more });
}
const says =
  (body: string | Buffer, type = 'text/html', headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body);

const ARTICLE = `<html><head><title>Ducks</title><style>x{}</style></head><body><nav>Menu</nav><article><h1>About ducks</h1>
<p>${'A duck is a bird that swims. '.repeat(20)}</p><p>See <a href="/more">more</a> and <a href="javascript:evil()">this</a>.</p>
<pre><code>quack()</code></pre></article><script>evil()</script><p hidden>unseen</p></body></html>`;

describe('a page', () => {
  it('is read as the text of its article, with whole addresses of pages', async () => {
    answer = says(ARTICLE);
    const { title, text, type, status, url } = await fetchPage('/ducks');
    expect({ title, type, status, url }).toEqual({
      title: 'Ducks',
      type: 'text/html',
      status: 200,
      url: urlOf('/ducks'),
    });
    expect(text).toContain('A duck is a bird that swims.');
    expect(text).toContain(`[more](${urlOf('/more')})`);
    expect(text).toContain('```\nquack()\n```');
    expect(text).not.toMatch(/evil|unseen|Menu|x\{\}/);
  });

  it('without an article is read as a whole, and other texts as they are', async () => {
    answer = says('<ul><li>one</li><li>two</li></ul><script>evil()</script>');
    expect((await fetchPage()).text).toMatch(/^- +one\n- +two$/);
    answer = says('{"a": 1}', 'application/json; charset=utf-8');
    expect(await fetchPage()).toMatchObject({ text: '{"a": 1}', type: 'application/json' });
    answer = (_, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('none');
    expect(await fetchPage()).toMatchObject({ text: 'none', status: 404 });
  });

  it.each([
    ['by its header', Buffer.from('Käse', 'latin1'), 'text/plain; charset=iso-8859-1'],
    ['by what it says itself', Buffer.from('<meta charset="windows-1252"><p>Käse', 'latin1'), 'text/html'],
    ['by its mark', Buffer.from('\uFEFFKäse', 'utf16le'), 'text/plain'],
    ['as UTF-8, if its charset is not known', Buffer.from('Käse'), 'text/plain; charset=no-such'],
  ])('is decoded %s', async (_, body, type) => {
    answer = says(body, type);
    expect((await fetchPage()).text).toBe('Käse');
  });

  it.each([
    ['gzip', gzipSync('packed')],
    ['br', brotliCompressSync('packed')],
  ])('is unpacked: %s', async (encoding, body) => {
    answer = says(body, 'text/plain', { 'content-encoding': encoding });
    expect((await fetchPage()).text).toBe('packed');
  });

  it('is read in parts', async () => {
    answer = says('0123456789', 'text/plain');
    expect(await fetchPage('/', { offset: 3, maxChars: 4 })).toMatchObject({ text: '3456', offset: 3, totalChars: 10 });
  });

  it('gets no cookie and no key, though it sets one', async () => {
    answer = says('x', 'text/plain', { 'set-cookie': 'a=b' });
    await fetchPage();
    await fetchPage();
    for (const { headers, method } of seen) {
      expect(method).toBe('GET');
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('authorization');
    }
  });
});

describe('what is refused', () => {
  it('is this machine, at the first address and behind a redirect', async () => {
    answer = says('secret', 'text/plain');
    await expect(fetchPage('/', { url: `http://127.0.0.1:${port}/`, isAllowed: undefined })).rejects.toThrow(
      'no public address',
    );
    await expect(fetchPage('/', { isAllowed: undefined })).rejects.toThrow('a.test is at 127.0.0.1');
    expect(seen).toHaveLength(0);
  });

  it('is a name that leads elsewhere at the next hop', async () => {
    let asked = 0;
    const rebinding = async () => [{ address: (asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    answer = (_, response) => response.writeHead(302, { location: '/next' }).end();
    const isAllowed = (address: string): boolean => address === '127.0.0.1';
    await expect(fetchPage('/', { lookup: rebinding, isAllowed })).rejects.toThrow('a.test is at 127.0.0.2');
    expect(seen).toHaveLength(1);
  });

  it('is a redirect to another host, another port, or what is no page', async () => {
    const to = (location: string): Promise<unknown> => {
      answer = (_, response) => response.writeHead(301, { location }).end();
      return fetchPage();
    };
    await expect(to('http://b.test/x')).rejects.toThrow('redirects to another host: http://b.test/x. Ask for that');
    await expect(to(`http://a.test:${port + 1}/`)).rejects.toThrow('redirects to another host');
    await expect(to('file:///etc/passwd')).rejects.toThrow('Only http and https');
    await expect(to('http://me:pw@a.test/')).rejects.toThrow('a user name or a password');
    await expect(to('/again')).rejects.toThrow('It redirects more than 5 times.');
  });

  it('is what is no text, what is too long, and what is packed to be long', async () => {
    answer = says('x', 'image/png');
    await expect(fetchPage()).rejects.toThrow('is image/png (status 200): only text can be read.');
    answer = (_, response) => response.writeHead(200).end('x');
    await expect(fetchPage()).rejects.toThrow('is of no type');
    answer = says('x'.repeat(2000), 'text/plain');
    await expect(fetchPage('/', { maxBytes: 1000 })).rejects.toThrow('more than 1000 bytes');
    answer = says(gzipSync('x'.repeat(1_000_000)), 'text/plain', { 'content-encoding': 'gzip' });
    await expect(fetchPage('/', { maxBytes: 100_000 })).rejects.toThrow('more than 100000 bytes');
    answer = says('x', 'text/plain', { 'content-encoding': 'lzma' });
    await expect(fetchPage()).rejects.toThrow('is packed as lzma');
  });

  it('is a server that never ends, at the time limit and by a stop', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('x');
    await expect(fetchPage('/', { timeoutMs: 200 })).rejects.toThrow('It took longer than 200 ms');
    const stop = new AbortController();
    const running = fetchPage('/', { signal: stop.signal });
    stop.abort();
    await expect(running).rejects.toThrow('It was stopped.');
  });

  it('is told as it is: no host, nobody listens, a body that breaks off', async () => {
    await expect(fetchPage('/', { lookup: async () => [] })).rejects.toThrow('There is no host a.test.');
    await expect(fetchPage('/', { url: 'http://a.test:1/' })).rejects.toThrow(/cannot be read: .*ECONNREFUSED/);
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' }).write('x');
      setImmediate(() => response.destroy());
    };
    await expect(fetchPage()).rejects.toThrow('cannot be read');
  });

  it('ends a page that is nested without end, while everything else goes on', async () => {
    answer = says('<div>'.repeat(200_000), 'text/html');
    await fetchPage('/', { timeoutMs: 1500 }).catch((error: unknown) => expect(String(error)).toMatch(/WebError/));
    answer = says('after', 'text/plain');
    expect((await fetchPage()).text).toBe('after');
  });
});
