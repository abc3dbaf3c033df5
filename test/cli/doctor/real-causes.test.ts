import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modelServer } from './support/model-server.js';
import { type DoctorOptions, runDoctor } from './support/run-doctor.js';

const KEY = 'sk-wrong-0123456789abcdef';

/** What the doctor says at its end, behind “does not work”. */
async function causeOf(baseURL: string, args: readonly string[] = [], options: DoctorOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runDoctor(['--base-url', baseURL, ...args], options);
  expect([code, stderr]).toEqual([2, '']);
  expect(stdout).not.toContain(KEY);
  const [, said = ''] = stdout.split('Does not work with the loop.\n');
  return said.split('\n\n')[0] ?? '';
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const error = (message: string, rest: object = {}) => ({ error: { message, ...rest } });
const env = { OPENAI_API_KEY: KEY };
const named = ['--model', 'm-1'];

describe('doctor and a server that answers nothing names the cause and what to do', () => {
  it.each([
    ['with a model', named],
    ['and lists no model either', []],
  ])('the key is refused, %s', async (_name, args) => {
    const { baseURL } = await modelServer({ keyIn: 'authorization' });
    const cause = await causeOf(baseURL, args, { env });
    expect(cause).toContain('the server refused the key in OPENAI_API_KEY (401)');
    expect(cause).not.toContain('can be streamed');
    const other = await causeOf(baseURL, [...args, '--api-key-env', 'MY_KEY'], { env: { MY_KEY: KEY } });
    expect(other).toContain('the server refused the key in MY_KEY (401)');
  });

  it('a key is wanted, and there is none', async () => {
    const { baseURL } = await modelServer({ keyIn: 'authorization' });
    expect(await causeOf(baseURL, named)).toContain(
      'the server requires a key (401): put it into OPENAI_API_KEY, or name another variable with --api-key-env',
    );
    expect(await causeOf(baseURL, [...named, '--header', `authorization=Bearer ${KEY}`])).toContain(
      'the server refused what --header sends (401)',
    );
  });

  it('the version was forgotten in the URL, and the key is refused where the API is', async () => {
    const { origin } = await modelServer({ keyIn: 'authorization' });
    expect(await causeOf(origin, named, { env })).toContain('the server refused the key in OPENAI_API_KEY (401)');
    // As servers that look for a key behind their routes.
    const url = await listen((request, response) =>
      request.url === '/v1/responses'
        ? says(401, error('Wrong key.'))(request, response)
        : says(404, error('No such route.'))(request, response),
    );
    expect(await causeOf(url, named, { env })).toContain('the server refused the key in OPENAI_API_KEY (401)');
  });

  it.each<[string, RequestListener, string]>([
    [
      'the key is not allowed this',
      says(403, error('Country not supported.')),
      'the key in OPENAI_API_KEY is known and not allowed this (403): check its permissions',
    ],
    [
      'the path is wrong',
      says(404, error('Not Found')),
      'the server has no Responses API at URL or at the usual paths (404): set --base-url to the root of the API',
    ],
    [
      'the method is wrong',
      says(405, error('Method Not Allowed')),
      'the server has no Responses API at URL or at the usual paths (405)',
    ],
    [
      'a page is there',
      says(200, '<html>Hello'),
      'the server at URL answers, but not as a Responses API: set --base-url to',
    ],
    [
      'it redirects',
      says(307, '', { location: 'https://other.example/v1/responses?token=abcdefgh12345678' }),
      'the server redirects to https://other.example/v1/responses',
    ],
    ['the quota is used up', says(429, error('Slow down.')), 'is over its rate limit or quota (429): wait'],
    ['nobody has paid', says(402, error('Pay.')), 'the account of the key in OPENAI_API_KEY has no money'],
    ['the server fails', says(500, error('Oops.')), 'the server itself fails (500): its log says why'],
    ['it says what only it knows', says(400, error('agent_id is required')), 'no answer: 400 “agent_id is required”'],
    [
      'the model is unknown, by its code',
      says(404, error('Nope.', { code: 'model_not_found' })),
      'the server has no model "m-1" for this key: name one with --model',
    ],
    [
      'the model is unknown, by its parameter',
      says(400, error('Nope.', { param: 'model' })),
      'the server has no model "m-1" for this key: name one with --model',
    ],
    [
      'the model is unknown, by words (Ollama)',
      says(404, error("model 'm-1' not found", { type: 'not_found_error', param: null, code: null })),
      'the server has no model "m-1" for this key: name one with --model',
    ],
  ])('%s', async (_name, answer, expected) => {
    const url = `${await listen(answer)}/v1`;
    expect(await causeOf(url, named, { env })).toContain(expected.replace('URL', url));
  });

  it('the model is unknown, and others are listed', async () => {
    const models = Array.from({ length: 7 }, (_, at) => ({ id: `able-${at}` }));
    const url = await listen((request, response) =>
      request.method === 'GET'
        ? says(200, { data: models })(request, response)
        : says(404, error('The model `m-1` does not exist', { code: 'model_not_found' }))(request, response),
    );
    expect(await causeOf(`${url}/v1`, named)).toContain(
      'the server has no model "m-1" for this key; it lists "able-0", "able-1", "able-2", "able-3", "able-4" and 2 more',
    );
  });

  it('no model is named or listed', async () => {
    const { baseURL } = await modelServer({ models: 'none' });
    expect(await causeOf(baseURL)).toContain('no model to ask: name one with --model');
  });

  it('nothing listens there', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await causeOf(`http://127.0.0.1:${port}/v1`)).toContain(
      `nothing listens at 127.0.0.1:${port}: start the server, or check host and port of --base-url`,
    );
  });

  it.each([
    ['it never answers', () => {}, 'http', 'did not answer in time: check that it is reachable'],
    ['it hangs up', (_request, response) => void response.destroy(), 'http', 'ends the connection without an answer'],
    ['it speaks no TLS', says(200, ''), 'https', 'does not speak TLS: write http:// in place of https://'],
  ] satisfies [string, RequestListener, string, string][])('%s', async (_name, answer, scheme, expected) => {
    const url = (await listen(answer)).replace('http', scheme);
    expect(await causeOf(`${url}/v1`, ['--timeout', '1'])).toContain(expected);
  });
});
