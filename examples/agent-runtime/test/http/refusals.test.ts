import { request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { responseEvents } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/http/body.js';
import { allEventsOf, type AskOptions, startServer, TOKEN } from '../support/start-server.js';

const NO_ID = '00000000-0000-4000-8000-000000000000';
const post = (body?: unknown, headers: Record<string, string> = {}): AskOptions => ({ method: 'POST', body, headers });

describe('a request that is not right is refused with 400 and the name of the field', () => {
  it.each([
    ['/sessions', post({ title: 5 }), '"title"'],
    ['/sessions', post({ modell: 'x' }), '"modell"'],
    ['/sessions', post('{"title": '), 'not JSON'],
    ['/sessions', post('[]'), 'The body'],
    ['/sessions', post('null'), 'The body'],
    ['/sessions?limit=ten', {}, '"limit"'],
    ['/sessions?limit=-1', {}, '"limit"'],
    ['/sessions?limit=1001', {}, '"limit": must be 1000 or less'],
    ['/sessions/ID/messages?limit=1001', {}, '"limit": must be 1000 or less'],
    ['/sessions/ID/messages?latest=999999999999999', {}, '"latest": must be 1000 or less'],
    ['/sessions?offset=1e3', {}, '"offset"'],
    ['/sessions/ID/messages?after=x', {}, '"after"'],
    ['/sessions/ID/messages', post({}), '"content"'],
    ['/sessions/ID/messages', post({ content: '' }), '"content"'],
    ['/sessions/ID/messages', post({ content: [] }), '"content"'],
    ['/sessions/ID/messages', post({ content: [{ type: 'video', data: 'x' }] }), '"content"'],
    ['/sessions/ID/messages', post({ content: 'Hi', thinking: 'hard' }), '"thinking"'],
    ['/sessions/ID/messages', post({ content: 'Hi', model: '' }), '"model"'],
    ['/sessions/ID/messages', post(), '"content"'],
  ])('%s %j: %s', async (path, init, named) => {
    await using server = await startServer();
    const { status, body } = await server.json(path.replace('ID', await server.newSession()), init);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: 'bad_request', message: expect.stringContaining(named) } });
    expect(server.model.requests).toEqual([]);
  });
});

describe('what no model could be sent', () => {
  const png = 'iVBORw0KGgo=';
  it.each<[string, object]>([
    ['a file of this machine', { type: 'image', data: 'file:///etc/passwd' }],
    ['another kind of address', { type: 'file', data: 'ftp://example.com/a.pdf', mediaType: 'application/pdf' }],
    ['an address without TLS', { type: 'image', data: 'http://example.com/a.png' }],
    ['loopback', { type: 'file', data: 'https://127.0.0.1/a.pdf', mediaType: 'application/pdf' }],
    ['loopback in another spelling', { type: 'image', data: 'https://0x7f.1/a.png' }],
    ['loopback by name', { type: 'image', data: 'https://localhost/a.png' }],
    ['a private network', { type: 'image', data: 'https://[fd00::1]/a.png' }],
    ['a metadata service', { type: 'image', data: 'https://metadata.google.internal./a.png' }],
    ['a password', { type: 'image', data: 'https://me:secret@example.com/a.png' }],
    ['a broken address', { type: 'image', data: 'https://' }],
    ['a data URL without data', { type: 'image', data: 'data:image/png;base64,' }],
    ['a data URL without a comma', { type: 'image', data: 'data:image/png;base64' }],
    ['a data URL of no base64', { type: 'image', data: 'data:image/png;base64,%%%' }],
    ['a data URL that is wrongly escaped', { type: 'file', data: 'data:text/plain,%E0%A4%A', mediaType: 'text/plain' }],
    ['no base64', { type: 'image', data: 'not base64!' }],
    ['base64 that is cut', { type: 'image', data: 'abcde' }],
    ['no media type', { type: 'file', data: png, mediaType: 'pdf' }],
    ['an image that is none', { type: 'image', data: png, mediaType: 'text/html' }],
    ['blanks alone', { type: 'text', text: '  ' }],
  ])('%s is refused with 400, and leaves no row', async (_what, block) => {
    await using server = await startServer();
    const id = await server.newSession();
    for (const accept of ['application/json', 'text/event-stream']) {
      const { status, body } = await server.json(`/sessions/${id}/messages`, post({ content: [block] }, { accept }));
      expect([status, body]).toMatchObject([400, { error: { code: 'bad_request' } }]);
    }
    expect((await server.json(`/sessions/${id}/messages`)).body.items).toEqual([]);
    expect(
      (await server.json(`/sessions/${id}/messages`, post({ content: 'Hi' }, { accept: 'application/json' }))).status,
    ).toBe(200);
    expect(server.model.requests).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['base64', { type: 'image', data: png }],
    ['a data URL', { type: 'image', data: `data:image/png;base64,${png}` }],
    ['a text as it is', { type: 'file', data: 'a: b', mediaType: 'text/yaml', name: 'a.yaml' }],
    ['an address', { type: 'image', data: 'https://example.com/a.png' }],
  ])('%s is taken', async (_what, block) => {
    await using server = await startServer();
    const content = [{ type: 'text', text: 'Look.' }, block];
    const { status } = await server.json(
      `/sessions/${await server.newSession()}/messages`,
      post({ content }, { accept: 'application/json' }),
    );
    expect(status).toBe(200);
  });
});

describe('a body that is too large', () => {
  it('closes its connection and says so: the next request comes through', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    for (let time = 0; time < 20; time += 1) {
      const refused = await server.ask(`/sessions/${id}/messages`, post({ content: 'x'.repeat(1_100_000) }));
      expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
      await refused.text();
      expect((await server.json('/sessions')).status).toBe(200);
    }
  });
});

describe('a session that is not there', () => {
  it.each([
    ['GET', ''],
    ['GET', '/messages'],
    ['GET', '/events'],
    ['POST', '/messages'],
    ['POST', '/interrupt'],
    ['POST', '/abort'],
    ['POST', '/complete'],
  ])('%s /sessions/:id%s is a 404', async (method, path) => {
    await using server = await startServer();
    const init = path === '/messages' && method === 'POST' ? post({ content: 'Hi' }) : { method };
    const { status, body } = await server.json(`/sessions/${NO_ID}${path}`, init);
    expect([status, body]).toMatchObject([404, { error: { code: 'no_such_session', message: expect.any(String) } }]);
  });

  it('is the same for one that was deleted', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    await server.ask(`/sessions/${id}`, { method: 'DELETE' });
    const { status, body } = await server.json(`/sessions/${id}/messages`, post({ content: 'Hi' }));
    expect([status, body]).toMatchObject([404, { error: { code: 'no_such_session' } }]);
  });

  it('is not found by a beginning of its id', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    expect((await server.json(`/sessions/${id.slice(0, 8)}`)).status).toBe(404);
  });
});

describe('a session that takes no message', () => {
  it('is busy while its turn runs', async () => {
    const events = responseEvents({ output: [{ type: 'text', text: 'Well' }] });
    await using server = await startServer({ steps: [{ events: events.slice(0, -1), ending: 'stall' }] });
    const id = await server.newSession();
    const running = server.ask(`/sessions/${id}/messages`, post({ content: 'Hi' }));
    await server.model.waitForRequest(0);
    for (const accept of ['application/json', 'text/event-stream']) {
      const { status, body } = await server.json(`/sessions/${id}/messages`, post({ content: 'Hi' }, { accept }));
      expect([status, body]).toMatchObject([409, { error: { code: 'session_busy', message: expect.any(String) } }]);
    }
    await server.ask(`/sessions/${id}/interrupt`, { method: 'POST' });
    expect((await allEventsOf(await running)).at(-1)?.event).toBe('interrupted');
  });

  it.each([
    ['complete', 'completed'],
    ['abort', 'aborted'],
  ])('after %s it is closed, and the answer names the state', async (action, state) => {
    await using server = await startServer();
    const id = await server.newSession();
    await server.ask(`/sessions/${id}/${action}`, { method: 'POST' });
    const { status, body } = await server.json(`/sessions/${id}/messages`, post({ content: 'Hi' }));
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: { code: 'session_closed', message: expect.stringContaining(state) } });
  });
});

describe('attacks', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['a token in another scheme', { authorization: `Basic ${TOKEN}` }],
  ])('every path but /health is closed to %s', async (_what, headers) => {
    await using server = await startServer();
    const id = await server.newSession();
    for (const [method, path] of [
      ['GET', '/sessions'],
      ['POST', '/sessions'],
      ['GET', `/sessions/${id}`],
      ['GET', `/sessions/${id}/messages`],
      ['POST', `/sessions/${id}/messages`],
      ['GET', `/sessions/${id}/events`],
      ['POST', `/sessions/${id}/abort`],
      ['DELETE', `/sessions/${id}`],
      ['OPTIONS', '/sessions'],
      ['GET', '/nothing'],
      ['GET', '/health/../sessions'],
    ] as const) {
      const response = await fetch(`${server.url}${path}`, { method, headers });
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } });
    }
    expect((await server.json(`/sessions/${id}`)).body).toMatchObject({ state: 'created' });
  });

  it('a token in the address is not taken: addresses are kept in logs', async () => {
    await using server = await startServer();
    expect((await server.json(`/sessions?token=${TOKEN}`, { headers: { authorization: '' } })).status).toBe(401);
  });

  it('a page of another origin gets nothing, not even with the token', async () => {
    await using server = await startServer();
    for (const path of ['/health', '/sessions']) {
      const { status, body } = await server.json(path, { headers: { origin: 'https://evil.example' } });
      expect([status, body]).toMatchObject([403, { error: { code: 'bad_origin' } }]);
    }
    expect((await server.json('/sessions', { headers: { origin: server.url } })).status).toBe(200);
  });

  it('a name that leads to loopback gets nothing', async () => {
    await using server = await startServer();
    for (const path of ['/health', '/sessions']) {
      const { status, body } = await rawRequest(server.url, path, 'evil.example');
      expect([status, body]).toMatchObject([403, { error: { code: 'bad_host' } }]);
    }
  });

  it('a browser is given no leave to read answers', async () => {
    await using server = await startServer();
    const response = await server.ask('/sessions');
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body of type %s, which forms can send, is refused',
    async (type) => {
      await using server = await startServer();
      const answer = await server.json('/sessions', post('{}', { 'content-type': type }));
      expect([answer.status, answer.body]).toMatchObject([415, { error: { code: expect.any(String) } }]);
    },
  );

  it('a body of a mebibyte is read, and one byte more is not', async () => {
    await using server = await startServer();
    const bodyOf = (length: number): string => `{"title":"${'x'.repeat(length - '{"title":""}'.length)}"}`;
    expect((await server.json('/sessions', post(bodyOf(MAX_BODY_BYTES)))).status).toBe(201);
    const { status, body } = await server.json('/sessions', post(bodyOf(MAX_BODY_BYTES + 1)));
    expect([status, body]).toMatchObject([413, { error: { code: expect.any(String) } }]);
    expect((await server.json('/sessions')).status).toBe(200);
  });

  it('a body that does not say how long it is, is read no further than that', async () => {
    await using server = await startServer();
    const chunk = new Uint8Array(64 * 1024).fill(32);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 200) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const init = {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    };
    // The server may close the connection before all is sent.
    const status = await fetch(`${server.url}/sessions`, init as RequestInit).then(
      async (response) => (await response.text(), response.status),
      () => 413,
    );
    expect(status).toBe(413);
    expect(sent).toBeLessThan(200);
  });

  it('no answer ever holds the key or the token', async () => {
    await using server = await startServer({
      otherwise: { json: { error: { message: 'Bad key sk-for-tests' } }, status: 401 },
    });
    const id = await server.newSession();
    const texts = [
      await (await fetch(`${server.url}/health`)).text(),
      await (await server.ask(`/sessions/${id}/messages`, post({ content: 'Hi' }))).text(),
      await (
        await server.ask(`/sessions/${id}/messages`, post({ content: 'Hi' }, { accept: 'application/json' }))
      ).text(),
      await (await server.ask(`/sessions/${id}/messages`)).text(),
      await (await fetch(`${server.url}/sessions`, { headers: { authorization: 'Bearer nearly' } })).text(),
    ];
    for (const text of texts) {
      expect(text).not.toContain('sk-for-tests');
      expect(text).not.toContain(TOKEN);
    }
  });
});

/** `fetch` sends no Host but its own. */
function rawRequest(url: string, path: string, host: string): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${TOKEN}` };
    const request = httpRequest(`${url}${path}`, { headers, agent: false }, (response) => {
      json(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    request.on('error', reject).end();
  });
}
