import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LLMock } from '@copilotkit/aimock';

/** Where the servers are that others publish and this project does not install; `update.ts --install` fills it. */
export const PEERS = resolve('node_modules/.cache/doctor-servers');
export const PEER_VERSIONS = {
  '@openai/codex': '0.169.0',
  '@portkey-ai/gateway': '1.15.2',
  '@mastra/core': '1.71.0',
  '@mastra/hono': '1.7.9',
  hono: '4',
  '@hono/node-server': '1',
};

export interface Running {
  readonly baseURL: string;
  readonly args: readonly string[];
  readonly stop: () => Promise<void>;
}

export interface Row {
  readonly file: string;
  readonly title: string;
  /** Says why it cannot be had here, or starts it. */
  readonly start: () => Promise<Running | string>;
}

const LLAMA = 'RESPONSES_LOOP_LLAMA_URL';
const THINKING = 'RESPONSES_LOOP_LLAMA_THINK_URL';

export const ROWS: readonly Row[] = [
  { file: '1-llama-cpp', title: 'llama.cpp', start: () => Promise.resolve(running(LLAMA)) },
  {
    file: '2-llama-cpp-thinking',
    title: 'llama.cpp with a reasoning model',
    start: () => Promise.resolve(running(THINKING)),
  },
  { file: '3-aimock', title: 'aimock 1.43.0', start: startAimock },
  {
    file: '4-codex-proxy',
    title: 'codex responses-api-proxy 0.169.0 with llama.cpp behind it',
    start: startCodexProxy,
  },
  { file: '5-portkey', title: 'Portkey gateway 1.15.2 with llama.cpp behind it', start: startPortkey },
  { file: '6-mastra', title: 'Mastra 1.71.0 with aimock behind it', start: startMastra },
];

function running(variable: string): Running | string {
  const baseURL = process.env[variable];
  if (baseURL === undefined) return `${variable} names none`;
  return { baseURL, args: [], stop: () => Promise.resolve() };
}

/** Calls the first tool where it may, then answers. */
async function startAimock(): Promise<Running> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  mock.on({ hasToolResult: true }, { content: 'The sum is 5.' });
  mock.on(
    { predicate: ({ tools = [], tool_choice: choice }) => tools.length > 0 && choice !== 'none' },
    { toolCalls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] },
  );
  mock.on({}, { content: 'ok' });
  await mock.start();
  return { baseURL: `${mock.url}/v1`, args: ['--model', 'gpt-5-mini'], stop: () => mock.stop() };
}

async function startCodexProxy(): Promise<Running | string> {
  const llama = process.env[LLAMA];
  const program = join(PEERS, 'node_modules/@openai/codex/bin/codex.js');
  if (llama === undefined || !existsSync(program)) return missing(program);
  const port = await freePort();
  const args = [program, 'responses-api-proxy', '--port', String(port), '--upstream-url', `${llama}/responses`];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  // The key that it puts in place of ours.
  child.stdin.end('sk-upstream-0123456789');
  return started(child, port, { path: '/v1', args: ['--model', 'toy'] });
}

async function startPortkey(): Promise<Running | string> {
  const llama = process.env[LLAMA];
  const program = join(PEERS, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (llama === undefined || !existsSync(program)) return missing(program);
  const port = await freePort();
  const child = spawn(process.execPath, [program, `--port=${port}`, '--headless'], { stdio: 'ignore' });
  const headers = ['x-portkey-provider=openai', `x-portkey-custom-host=${llama}`];
  const args = ['--model', 'toy', ...headers.flatMap((header) => ['--header', header])];
  return started(child, port, { path: '/v1', args });
}

/** An agent without tools of its own, whose model is aimock. */
const MASTRA = `
import { Hono } from 'hono';
import { serve } from '@hono/node-server';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { MastraServer } from '@mastra/hono';
const helper = new Agent({ id: 'helper', name: 'helper', instructions: 'Be brief.', model: 'openai/gpt-4o-mini' });
const app = new Hono();
await new MastraServer({ app, mastra: new Mastra({ agents: { helper } }) }).init();
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
`;

async function startMastra(): Promise<Running | string> {
  if (!existsSync(join(PEERS, 'node_modules/@mastra/hono'))) return missing('@mastra/hono');
  const behind = await startAimock();
  const port = await freePort();
  const env = { OPENAI_BASE_URL: behind.baseURL, OPENAI_API_KEY: 'test', DO_NOT_TRACK: '1', PORT: String(port) };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', MASTRA], {
    cwd: PEERS,
    stdio: 'ignore',
    env: { ...process.env, ...env, MASTRA_TELEMETRY_DISABLED: '1' },
  });
  const args = ['--model', 'openai/gpt-4o-mini', '--body', '{"agent_id":"helper"}'];
  return started(child, port, { path: '/api/v1', args, after: behind.stop });
}

function missing(what: string): string {
  return `${what.replace(`${PEERS}/`, '')} is not installed (--install), or ${LLAMA} names no server for it`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

interface Place {
  readonly path: string;
  readonly args: readonly string[];
  readonly after?: () => Promise<void>;
}

const START_MS = 30_000;

async function started(child: ChildProcess, port: number, { path, args, after }: Place): Promise<Running | string> {
  const stop = async (): Promise<void> => {
    const end = new Promise((done) => child.once('exit', done));
    if (child.exitCode === null && child.kill()) await end;
    await after?.();
  };
  const origin = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + START_MS; Date.now() < deadline && child.exitCode === null; await sleep(100)) {
    const isThere = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (isThere) return { baseURL: `${origin}${path}`, args, stop };
  }
  await stop();
  return 'it did not start';
}
