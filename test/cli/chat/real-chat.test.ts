import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createScriptedServer,
  errorReply,
  responseEvents,
  type ScriptedServer,
  type ScriptedStep,
} from 'responses-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveOnLoopback } from '../../tools/support/serve-on-loopback.js';
import { everythingPath } from '../../tools/support/servers.js';
import { run, type Ran, type RunOptions } from '../support/run.js';

const text = (said: string): ScriptedStep => responseEvents({ output: [{ type: 'text', text: said }] });
const sum: ScriptedStep = responseEvents({ output: [{ type: 'call', name: 'get-sum', arguments: { a: 2, b: 40 } }] });
const saysOutput: ScriptedStep = ({ input }) =>
  responseEvents({ output: [{ type: 'text', text: `It said: ${JSON.stringify(input.at(-1)?.['output'])}` }] });

async function scripted(...steps: ScriptedStep[]): Promise<ScriptedServer> {
  const server = await createScriptedServer({ steps });
  onTestFinished(() => server.close());
  return server;
}

async function folder(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'chat-command-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const everything = { command: process.execPath, args: [everythingPath] };
  const mcpServers = { everything, gone: { command: '${NOT_SET}' } };
  await writeFile(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers }));
  return cwd;
}

const chat = (server: ScriptedServer, args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  run(['chat', '--base-url', server.baseURL, '-m', 'some-model', ...args], { stdin: 'hello\n', ...options });

describe('chat, with a question from a pipe', () => {
  it('answers once: the text alone on standard output, what it cost beside it', async () => {
    const server = await scripted(text('Hello \u001b[2Jyou.'));
    const { code, out, err } = await chat(server, ['--system', 'Be short.']);
    expect([code, out]).toEqual([0, 'Hello \\u{1b}[2Jyou.\n']);
    expect(err).toMatch(/^\[\d+ tokens in.*, \d+ out.*\]\n$/);
    const [request] = server.requests;
    expect(request?.body).toMatchObject({ model: 'some-model' });
    expect(JSON.stringify(request?.input)).toContain('Be short.');
    expect(request?.input.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'input_text', text: 'hello' }] });
  });

  it('shows the cost by the prices that it was given, and records it', async () => {
    const server = await scripted(text('Hello.'));
    const cwd = await folder();
    const { err } = await chat(server, ['--price', '1000,10000', '--events', 'events.jsonl'], { cwd });
    expect(err).toBe('[10 tokens in, 5 out, cost 0.06]\n');
    expect(await readFile(join(cwd, 'events.jsonl'), 'utf8')).toContain('"cost":0.06');
  });

  it.each(['1', '1,2,3,4', '1,', 'a,b', '1,-2', '1,Infinity'])('refuses prices like %s', async (price) => {
    const { code, err } = await chat(await scripted(), ['--price', price]);
    expect([code, err]).toEqual([2, expect.stringContaining('--price: it is IN,OUT or IN,OUT,CACHED')]);
  });

  it('denies tools, with a note, since there is nobody to ask', async () => {
    const server = await scripted(sum, saysOutput);
    const { code, out, err } = await chat(server, ['--mcp-config', 'mcp.json'], { cwd: await folder() });
    expect(code).toBe(0);
    expect(out).toContain('was denied and did not run: there is nobody to ask');
    expect(err).toContain('! gone: The environment has no "NOT_SET"');
    expect(err).toContain(
      'get-sum did not run: standard input is not a terminal, so nobody can approve it; use --yes to run tools without asking.',
    );
  });

  it('runs tools with --yes, shows calls and results, and writes down what happened', async () => {
    const server = await scripted(sum, saysOutput);
    const cwd = await folder();
    const args = ['--mcp-config', 'mcp.json', '--yes', '--events', 'events.jsonl'];
    const { code, out, err } = await chat(server, args, { cwd });
    expect([code, out]).toEqual([0, 'It said: "The sum of 2 and 40 is 42."\n']);
    expect(err).toContain('→ get-sum { "a": 2, "b": 40 }\n← get-sum The sum of 2 and 40 is 42.\n');
    expect(await readFile(join(cwd, 'events.jsonl'), 'utf8')).toContain('tool-end');
  });

  it('ends with 1 where there is no answer', async () => {
    const server = await scripted(errorReply({ status: 400, message: 'no such model' }));
    const { code, err } = await chat(server, []);
    expect(code).toBe(1);
    expect(err).toContain('no such model');
  });

  it('ends with 130 on Ctrl-C', async () => {
    const stop = new AbortController();
    const server = await scripted(() => {
      stop.abort();
      return { none: 'stall' };
    });
    expect((await chat(server, [], { signal: stop.signal })).code).toBe(130);
  });

  it.each([
    ['nothing was asked', ['-m', 'x'], '', 'Standard input is empty: pipe a question into it.'],
    ['the transport is none', ['--transport', 'pigeon'], 'hi', '--transport: it is one of sse, websocket, auto.'],
    ['both want standard input', ['-m', 'x', '--mcp-config', '-'], 'hi', 'standard input is for your messages'],
  ])('refuses where %s', async (_name, args, stdin, message) => {
    const { code, err } = await run(['chat', '--base-url', 'http://127.0.0.1:9/v1', ...args], { stdin });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('which server and model', () => {
  it('a server elsewhere wants a key', async () => {
    const { code, err } = await run(['chat', '-m', 'gpt-5.1'], { stdin: 'hi' });
    expect(code).toBe(2);
    expect(err).toContain('No API key for this server: set OPENAI_API_KEY');
  });

  const modelsServer = (status: number, body: unknown, seen: IncomingMessage[] = []): Promise<string> =>
    serveOnLoopback(async (request: IncomingMessage, response: ServerResponse) => {
      seen.push(request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });

  it('without --model it is the first that the server lists, asked with the key', async () => {
    const seen: IncomingMessage[] = [];
    const origin = await modelsServer(200, { data: [{ id: 'first' }, { id: 'second' }] }, seen);
    const { err } = await run(['chat', '--base-url', `${origin}/v1`], {
      stdin: 'hi',
      env: { OPENAI_API_KEY: 'sk-secret-key-1' },
    });
    expect(seen[0]).toMatchObject({ url: '/v1/models', headers: { authorization: 'Bearer sk-secret-key-1' } });
    expect(seen.at(-1)?.url).toBe('/v1/responses');
    expect(err).not.toContain('sk-secret');
  });

  it.each([
    ['lists none', 200, { data: [] }, 'it lists none'],
    ['does not know the path', 404, {}, 'it answered 404'],
    ['says what is no list', 200, 'no', 'it lists none'],
  ])('says to name one where the server %s', async (_name, status, body, reason) => {
    const origin = await modelsServer(status, body);
    const { code, err } = await run(['chat', '--base-url', `${origin}/v1`], { stdin: 'hi' });
    expect(code).toBe(1);
    expect(err).toContain(`${origin}/v1/models names no model: ${reason}; name a model with --model.`);
  });
});
