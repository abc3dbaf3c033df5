import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hono } from 'hono';
import pg from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../../src/routes/body.js';
import { until } from '../../support/chat-client.js';
import { type Instance, listenAs, type Listening, startInstance } from '../../support/owners.js';

const postgres = await postgresForTests();
const seen: { readonly at: string; readonly headers: Headers }[] = [];
let aborted = 0;
let release: () => void = () => {};

/** What routes do: they read, stream, wait for the client to go, and answer without a body. */
function addRoutes(app: Hono, at: string): void {
  const tell = async (raw: Request): Promise<object> => {
    seen.push({ at, headers: raw.headers });
    return { at, body: await readJson(raw), url: new URL(raw.url).pathname + new URL(raw.url).search };
  };
  app.post('/api/chat', async ({ req }) =>
    Response.json(await tell(req.raw), {
      status: 202,
      headers: { 'x-own': 'yes', connection: 'x-hop', 'x-hop': 'no' },
    }),
  );
  app.post('/api/sessions', async ({ req }) => Response.json(await tell(req.raw)));
  app.get('/apps/:name', async ({ req }) => Response.json(await tell(req.raw)));
  app.delete('/api/sessions/:id', () => new Response(null, { status: 204 }));
  app.get('/api/sessions/:id', async ({ req }) => Response.json(await tell(req.raw)));
  app.get('/api/chat/:id/stream', ({ req }) => {
    req.raw.signal.addEventListener('abort', () => (aborted += 1));
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(encoder.encode('first\n'));
        await new Promise<void>((resolve) => (release = resolve));
        if (req.raw.signal.aborted) return;
        controller.enqueue(encoder.encode('second\n'));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
}

const open: Listening[] = [];
const instances: Instance[] = [];
let [database, client]: [string, pg.Client | undefined] = ['', undefined];

async function start(at: string): Promise<{ readonly instance: Instance; readonly url: string }> {
  const instance = await startInstance(database);
  instances.push(instance);
  const listening = await listenAs(instance.owners, (app) => addRoutes(app, at));
  open.push(listening);
  return { instance, url: listening.url };
}

describe.skipIf(postgres === undefined)('a request that names a chat', () => {
  let a: Awaited<ReturnType<typeof start>>;
  let b: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    database = postgres?.createDatabase() ?? '';
    [a, b] = [await start('a'), await start('b')];
    client = new pg.Client(database);
    await client.connect();
    await a.instance.owners.claim('one');
  });
  afterAll(async () => {
    for (const one of open) one.close();
    await client?.end();
    for (const one of instances) await one.close();
    await postgres?.stop();
  });
  const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/api/chat`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

  it('is answered by its owner, with status and headers, whether its path, its body or its query names the chat', async () => {
    const answer = await post(b.url, '{"id":"one","é":"\u{1f986}"}', {
      authorization: 'Bearer x',
      'x-forwarded-host': 'evil',
    });
    expect([answer.status, answer.headers.get('x-own'), answer.headers.get('x-hop')]).toEqual([202, 'yes', null]);
    expect(await answer.json()).toEqual({ at: 'a', body: { id: 'one', é: '\u{1f986}' }, url: '/api/chat' });
    expect(seen.at(-1)?.headers.get('authorization')).toBe('Bearer x');
    expect(seen.at(-1)?.headers.get('x-forwarded-host')).toBeNull();
    // The name as a route reads it.
    for (const path of ['/api/sessions/one?x=%2F', '/api/sessions/%6fne', '/apps/x?chat=one'])
      expect(await (await fetch(b.url + path)).json()).toMatchObject({ at: 'a', url: path });
    expect(await (await post(b.url, '{"id":"mine"}')).json()).toMatchObject({ at: 'b' });
    expect(await (await fetch(`${b.url}/api/sessions`, { method: 'POST', body: '{"id":"one"}' })).json()).toMatchObject(
      {
        at: 'a',
      },
    );
    expect((await fetch(`${b.url}/api/sessions/one`, { method: 'DELETE' })).status).toBe(204);
    const head = await fetch(`${b.url}/api/sessions/one`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('is streamed as it comes, and ends at the owner when the client goes', async () => {
    const leave = new AbortController();
    const answer = await fetch(`${b.url}/api/chat/one/stream`, { signal: leave.signal });
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first\n');
    release();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second\n');
    expect((await reader?.read())?.done).toBe(true);
    const before = aborted;
    const second = await fetch(`${b.url}/api/chat/one/stream`, { signal: leave.signal });
    await second.body?.getReader().read();
    leave.abort();
    await until(
      () => aborted,
      (count) => count === before + 1,
    );
    release();
  });

  it('goes to no place that a client names, and at most once further', async () => {
    const visited: string[] = [];
    const evil = createServer((incoming, answer) => {
      visited.push(incoming.url ?? '');
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    const host = `127.0.0.1:${(evil.address() as AddressInfo).port}`;
    const { port } = new URL(b.url);
    for (const path of [`http://${host}/api/sessions/one`, `//${host}/api/sessions/one`, '/api/sessions/one']) {
      const headers = { host, 'x-forwarded-host': host, forwarded: `host=${host}`, 'chat-server-address': host };
      const sent = httpRequest({ port, path, headers }).end();
      const [answer] = (await once(sent, 'response')) as [{ resume(): void; statusCode: number }];
      answer.resume();
    }
    expect(visited).toEqual([]);
    evil.close();
    // A forged header is of no use: the request is not sent further, and nothing is done.
    const count = seen.length;
    const forged = await post(b.url, '{"id":"one"}', { 'chat-server-hop': '1' });
    expect([forged.status, forged.headers.get('retry-after'), seen.length]).toEqual([503, '1', count]);
    expect(await forged.json()).toMatchObject({ error: { code: 'unavailable' } });
    // Not even if the table sends two instances to each other.
    await client?.query(`UPDATE responses_loop.places SET address = $1 WHERE instance = $2`, [
      b.url,
      a.instance.member.name,
    ]);
    const started = performance.now();
    expect((await post(b.url, '{"id":"one"}')).status).toBe(503);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(seen.length).toBe(count);
    await client?.query(`UPDATE responses_loop.places SET address = $1 WHERE instance = $2`, [
      a.url,
      a.instance.member.name,
    ]);
  }, 60_000);

  it('has a limit, as at its owner', async () => {
    const large = await post(b.url, JSON.stringify({ id: 'one', text: 'x'.repeat(5 * 1024 * 1024) }));
    expect(large.status).toBe(413);
  });

  it('waits for the time in which an owner that died counts as dead, and is then answered here', async () => {
    const dying = await start('dying');
    await dying.instance.owners.claim('two');
    open.at(-1)?.close();
    dying.instance.fallSilent();
    expect(await (await post(b.url, '{"id":"two"}')).json()).toMatchObject({ at: 'b' });
  }, 60_000);

  it('of an owner that gives no answer and no sign of life is ended: what has begun ends, what may be repeated is answered here', async () => {
    const frozen = await start('frozen');
    await frozen.instance.owners.claim('three');
    const streaming = await fetch(`${b.url}/api/chat/three/stream`);
    const reader = streaming.body?.getReader();
    await reader?.read();
    frozen.instance.fallSilent();
    await expect(reader?.read()).rejects.toThrow();
    await sleep(0);
    expect(await (await fetch(`${b.url}/api/sessions/three`)).json()).toMatchObject({ at: 'b' });
  }, 60_000);
});
