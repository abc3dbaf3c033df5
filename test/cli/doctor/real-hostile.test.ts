import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modelServer } from './support/model-server.js';
import { diagnose, runDoctor } from './support/run-doctor.js';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

async function hostile(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.on('error', () => {});
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Writes until the reader leaves. */
function flood(response: ServerResponse, piece: string): void {
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
}

const DELTA = 'data: {"type":"response.output_text.delta","delta":"x"}\n\n';

type Row = readonly [what: string, answer: Answer, words: RegExp];

/** Nothing more comes of these: a probe has only this long. */
const SILENT_SECONDS = '0.5';

const SILENT: readonly Row[] = [
  ['never answers', () => {}, /nothing came in time/],
  ['sends a head and no body', (response) => response.writeHead(200).flushHeaders(), /did not end in time/],
  [
    'streams for ever',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(DELTA), 5);
      response.on('close', () => clearInterval(timer));
    },
    /did not end in time/,
  ],
];

const ROWS: readonly Row[] = [
  ['closes the connection', (response) => response.destroy(), /the connection broke/],
  ['answers everything with a web page', (response) => response.end('<!doctype html><title>Hi</title>'), /a web page/],
  ['redirects', (response) => response.writeHead(302, { location: '/login' }).end(), /a redirect to \/login/],
  ['sends 100 MB', (response) => flood(response, 'x'.repeat(65_536)), /more than 4 MB/],
  ['streams 100 MB', (response) => flood(response, DELTA.repeat(500)), /more than 4 MB/],
  ['sends JSON that is cut', (response) => response.end('{"id":"resp_1","output":['), /no JSON/],
  ['answers with an empty body', (response) => response.end(), /no JSON \(without a word\)/],
  ['streams nothing', (response) => response.end(': hello\n\n'), /a stream without events/],
  ['is overloaded', (response) => response.writeHead(503).end('{"error":{"message":"busy"}}'), /503 “busy”/],
  [
    'sends orders to the terminal',
    (response) => response.writeHead(400).end('{"error":"\\u001b[2Jgone"}'),
    /\\u\{1b\}\[2Jgone/,
  ],
];

describe('doctor ends with a clear line and 2 at a server that', () => {
  const rows = [
    ...SILENT.map((row) => ({ row, seconds: SILENT_SECONDS, what: row[0] })),
    ...ROWS.map((row) => ({ row, seconds: '30', what: row[0] })),
  ];

  it.each(rows)('$what', async ({ row: [, answer, words], seconds }) => {
    const baseURL = await hostile(answer);
    const { code, stdout } = await runDoctor(['--base-url', baseURL, '--model', 'm', '--timeout', seconds]);
    expect(code).toBe(2);
    expect(stdout).toMatch(words);
    expect(stdout).toContain('Does not work with the loop.');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.length).toBeLessThan(5_000);
  });

  it('is not there', async () => {
    const { code, stdout } = await runDoctor(['--base-url', 'http://127.0.0.1:1/v1', '--timeout', '2']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^no +reachable/m);
  });
});

describe('doctor stops', () => {
  it('at once with Ctrl-C', async () => {
    const abort = new AbortController();
    const baseURL = await hostile(() => abort.abort());
    const { code } = await runDoctor(['--base-url', baseURL, '--timeout', '600'], { signal: abort.signal });
    expect(code).toBe(130);
  });

  it('when the time for all is over, and says so', async () => {
    const able = await modelServer();
    let requests = 0;
    // Answers the first questions, and none from then on.
    const baseURL = await hostile((response, request) => {
      requests += 1;
      if (requests < 5) void relay(able.origin, request, response);
    });
    const report = await diagnose(baseURL, ['--model', 'm', '--timeout', '1.5']);
    expect(report.points.some(({ detail }) => detail === 'the time for all probes is over')).toBe(true);
    expect(report.exitCode).not.toBe(0);
  });
});

async function relay(origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '' } = request;
  const answer = await fetch(`${origin}${url}`, {
    method,
    ...(method === 'POST' ? { body: '{"model":"m","input":"hi","stream":true}' } : {}),
  });
  response.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) });
  response.end(await answer.text());
}

const KEY = 'sk-secret-0123456789abcdefghij';
const TOKEN = 'tok-9876543210zyxwvuts';

/** Repeats what it was sent, everywhere; also where its words are cut. */
const echo: Answer = (response, request) => {
  const all = `${'x'.repeat(180)} ${KEY} ${JSON.stringify(request.headers)} ${TOKEN}`;
  response.writeHead(request.method === 'GET' ? 200 : 400, { 'x-echo': KEY, server: KEY });
  response.end(JSON.stringify({ data: [{ id: `m ${KEY}` }], error: { message: all } }));
};

const echoInStream: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify({ type: 'error', message: `${'x'.repeat(180)} ${KEY}` })}\n\n`);
};

describe('doctor never prints a key', () => {
  const args = ['--api-key-env', 'K', '--header', `x-team-token=${TOKEN}`, '--timeout', '5'];
  const env = { K: KEY };

  it.each([
    ['as text', []],
    ['as JSON', ['--json']],
  ])('%s, also where the server repeats it', async (_how, more) => {
    const baseURL = await hostile(echo);
    const able = await modelServer({ keyIn: 'authorization', key: KEY, models: [{ id: KEY }] });
    const streaming = await hostile(echoInStream);
    for (const url of [baseURL, streaming, able.baseURL, `${able.baseURL}?api_key=${KEY}`]) {
      const { stdout, stderr } = await runDoctor(['--base-url', url, ...args, ...more], { env });
      for (const piece of [KEY.slice(0, 14), KEY.slice(10), TOKEN.slice(0, 12)]) {
        expect(stdout).not.toContain(piece);
        expect(stderr).not.toContain(piece);
      }
    }
  });

  it('nor keeps it in a recording, which nobody else may read', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const able = await modelServer({ keyIn: 'authorization', key: KEY });
    const echoing = await hostile(echo);
    for (const [at, url] of [able.baseURL, echoing].entries())
      await runDoctor(['--base-url', url, '--record', `r${at}`, ...args], { env, cwd: dir });
    const files = ['r0', 'r1'].flatMap((name) => readdirSync(join(dir, name)).map((file) => join(dir, name, file)));
    expect(files.length).toBeGreaterThan(60);
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      expect(text).not.toContain(KEY.slice(0, 14));
      expect(text).not.toContain(TOKEN.slice(0, 12));
      expect(statSync(file).mode & 0o077).toBe(0);
    }
    const streamed = files.filter((file) => file.includes('r0') && file.includes('streamed-text'));
    expect(streamed.map((file) => file.split('.').slice(-2).join('.'))).toEqual([
      'body.txt',
      'request.json',
      'response.json',
    ]);
    expect(readFileSync(streamed[0] ?? '', 'utf8')).toContain('event: response.completed');
    expect(files.some((file) => file.includes('the-loop'))).toBe(true);
  });
});
