import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ScriptedServer } from 'responses-loop/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startStandIn } from '../../server/stand-in';
import { APP, bundle } from './support/start-app';

type Post = (body: unknown, signal?: AbortSignal) => Promise<Response>;

let model: ScriptedServer;
let folder: string;
beforeAll(async () => {
  model = await startStandIn();
  folder = mkdtempSync(join(APP, 'node_modules', 'servers-'));
  vi.stubEnv('OPENAI_BASE_URL', model.baseURL);
  vi.stubEnv('HISTORY_SECRET', 'a secret for this test only');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await model.close();
});

const load = async (name: string) =>
  (await import(pathToFileURL(await bundle(6, join(folder, name), `server/${name}.ts`)).href)) as Record<
    string,
    unknown
  >;

let calls = 0;
const chat = (text: string) => ({ messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }] });
const toRequest = (url: string, body: unknown, signal?: AbortSignal) =>
  new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

/** The same of each server: an answer, a question, and an end if the client leaves. */
async function expectChat(post: Post): Promise<void> {
  expect(await (await post(chat('list my notes'))).text()).toContain('tool-output-available');
  expect(await (await post(chat('add Call Ada'))).text()).toContain('tool-approval-request');
  const leaving = new AbortController();
  // Of this server alone.
  const words = `tell me story ${calls++}`;
  const story = await post(chat(words), leaving.signal);
  await story.body?.getReader().read();
  const request = await vi.waitUntil(() => model.requests.findLast(({ body }) => JSON.stringify(body).includes(words)));
  leaving.abort();
  await request.closed;
  expect(request.aborted).toBe(true);
}

it('answers behind Express, and ends calls that their users have left', async () => {
  const { app } = await load('express');
  const server = (app as { listen(port: number, host: string): Server }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`;
  await expectChat((body, signal) => fetch(toRequest(url, body, signal)));
  server.closeAllConnections();
  server.close();
});

it('answers as a Worker, and ends calls that their users have left', async () => {
  const worker = (await load('worker'))['default'] as { fetch(request: Request): Promise<Response> };
  await expectChat((body, signal) => worker.fetch(toRequest('https://chat.example/api/chat', body, signal)));
  expect((await worker.fetch(new Request('https://chat.example/other'))).status).toBe(404);
});
