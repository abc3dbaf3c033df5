import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { createClient } from '@libsql/client';
import { createScriptedServer, responseEvents } from 'responses-loop/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { startMcpServer } from '../../../../test/runtimes/mcp-server.mjs';
import { AgentError } from '../../src/core/agent-error.js';
import type { LambdaResult, LambdaStreams } from '../../src/http/lambda-events.js';
import { type LambdaEnvironment, lambdaHandlers } from '../../src/lambda.js';

const TOKEN = 'a-token-of-16-characters';

/** An event in the form that AWS documents for function URLs and HTTP APIs (payload format 2.0). */
function eventOf(method: string, path: string, { body, ...more }: Record<string, unknown> = {}) {
  const [rawPath = '', rawQueryString = ''] = path.split('?');
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    cookies: ['theme=dark', 'tab=2'],
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      host: 'abc.lambda-url.eu-central-1.on.aws',
    },
    requestContext: {
      accountId: 'anonymous',
      apiId: 'abc',
      domainName: 'abc.lambda-url.eu-central-1.on.aws',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'id',
      stage: '$default',
      timeEpoch: 1,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
    ...more,
  };
}

/** As the runtime of AWS writes it: the head as JSON, eight zero bytes, the body. */
const STREAMS: LambdaStreams = {
  streamifyResponse: (handle) => handle,
  HttpResponseStream: {
    from: (stream, head) => {
      stream.write(JSON.stringify(head));
      stream.write(new Uint8Array(8));
      return stream;
    },
  },
};

async function functionOf(settings: LambdaEnvironment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lambda-'));
  vi.stubEnv('TMPDIR', folder);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const mcp = await startMcpServer();
  const model = await createScriptedServer({
    steps: [{ output: [{ type: 'call', name: 'measure', arguments: { place: 'pond' } }] }],
    otherwise: ({ input, index }) => {
      const text = JSON.stringify(input.at(-1)?.['output'] ?? 'Hello.');
      return { events: responseEvents({ id: `resp_${index}`, output: [{ type: 'text', text }] }), delayMs: 40 };
    },
  });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    warn.mockRestore();
    await model.close();
    await mcp.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const environment = {
    ...{ AGENT_TOKEN: TOKEN, OPENAI_BASE_URL: model.baseURL, OPENAI_API_KEY: 'sk-for-tests', MODEL: 'any' },
    ...{ MCP_SERVERS: JSON.stringify({ pond: { url: mcp.url } }), ...settings },
  };
  /** An instance that was started anew: nothing of another one is in its memory. */
  const instance = () => lambdaHandlers(environment, STREAMS);
  return { instance, warn, folder };
}

const read = ({ body }: LambdaResult) => JSON.parse(body);

async function streamed(handler: (event: unknown, stream: never) => Promise<unknown>, event: unknown) {
  const stream: Writable & AsyncIterable<Buffer> = new PassThrough({ highWaterMark: 2 ** 20 });
  await handler(event, stream as never);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\0'.repeat(8));
  return { head: JSON.parse(head), body };
}

test('a call waits for a person, and another instance of the function runs it once it is approved', async () => {
  const { instance } = await functionOf();
  const { buffered } = instance();
  const created = await buffered(eventOf('POST', '/sessions', { body: { title: 'Ponds' } }));
  expect(created).toMatchObject({ statusCode: 201, isBase64Encoded: false, cookies: [] });
  const { id } = read(created);
  const sent = await buffered(eventOf('POST', `/sessions/${id}/messages`, { body: { content: 'How large?' } }));
  expect(read(sent)).toMatchObject({ stopReason: 'approval_needed', approvals: [{ toolName: 'measure' }] });

  const later = instance();
  const [{ approvalId }] = read(await later.buffered(eventOf('GET', `/sessions/${id}/approvals`))).items;
  const body = { answers: [{ approvalId, approved: true }] };
  const done = await later.buffered(eventOf('POST', `/sessions/${id}/approvals`, { body }));
  expect(read(done)).toMatchObject({ stopReason: 'end_turn', text: expect.stringContaining('42') });
});

test('an answer is streamed, and its rows are written before the function is done', async () => {
  const { instance, warn } = await functionOf({ APPROVE: 'all' });
  const { handler, buffered } = instance();
  const { id } = read(await buffered(eventOf('POST', '/sessions', { body: {} })));
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('AGENT_DATABASE is not set'));
  const event = eventOf('POST', `/sessions/${id}/messages`, { body: { content: 'How large?' } });
  const { head, body } = await streamed(handler, {
    ...event,
    headers: { ...event.headers, accept: 'text/event-stream' },
  });
  expect(head).toMatchObject({
    statusCode: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    cookies: [],
  });
  expect(body).toMatch(/event: tool_result[^]*42[^]*event: message_stop/);
  const { items } = read(await instance().buffered(eventOf('GET', `/sessions/${id}/messages?after=1`)));
  expect(JSON.stringify(items)).toContain('42');
});

test('a client that goes away leaves the turn to be finished before the function is done', async () => {
  const { instance } = await functionOf({ APPROVE: 'all' });
  const { handler, buffered } = instance();
  const { id } = read(await buffered(eventOf('POST', '/sessions', { body: {} })));
  const event = eventOf('POST', `/sessions/${id}/messages`, { body: { content: 'How large?' } });
  const gone = new PassThrough();
  gone.destroy();
  const sse = { ...event, headers: { ...event.headers, accept: 'text/event-stream' } };
  await handler(sse, gone as never).catch(() => {});
  const [session, messages] = await Promise.all([
    buffered(eventOf('GET', `/sessions/${id}`)),
    buffered(eventOf('GET', `/sessions/${id}/messages`)),
  ]);
  expect(read(session).state).toBe('idle');
  expect(read(messages).items.at(-1).content).toContain('42');
});

test('an answer without a body is streamed with its status', async () => {
  const { handler, buffered } = (await functionOf()).instance();
  const { id } = read(await buffered(eventOf('POST', '/sessions', { body: {} })));
  const { head, body } = await streamed(handler, eventOf('DELETE', `/sessions/${id}`));
  expect([head.statusCode, body]).toEqual([204, '']);
});

test('a body in base64 and the path of a stage are read', async () => {
  const { buffered } = (await functionOf()).instance();
  const body = Buffer.from(JSON.stringify({ title: 'Übung' })).toString('base64');
  const event = { ...eventOf('POST', '/prod/sessions'), body, isBase64Encoded: true };
  const requestContext = { ...event.requestContext, stage: 'prod' };
  expect((await buffered({ ...event, requestContext })).statusCode).toBe(201);
  expect(read(await buffered(eventOf('GET', '/sessions?limit=1')))).toMatchObject({ items: [{ summary: 'Übung' }] });
});

/** Changes the database from outside. */
async function change(folder: string, statement: string): Promise<void> {
  const client = createClient({ url: pathToFileURL(join(folder, '.agentx', 'data', 'agent.db')).href });
  await client.execute(statement);
  client.close();
}

test('the log tells why rows could not be stored, and holds none of them', { timeout: 60_000 }, async () => {
  const { instance, folder } = await functionOf({ APPROVE: 'all' });
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => error.mockRestore());
  const { buffered } = instance();
  const { id } = read(await buffered(eventOf('POST', '/sessions', { body: {} })));
  await change(folder, "CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'No room.'); END");
  await buffered(eventOf('POST', `/sessions/${id}/messages`, { body: { content: 'A secret of the user.' } }));
  // The name of the session is random, and may contain the number.
  const logged = inspect(error.mock.calls, { depth: Infinity }).replaceAll(id, 'SESSION');
  expect(logged).toContain('Could not keep');
  expect(logged).not.toContain('secret of the user');
  expect(logged).not.toContain('42');
});

test('the log tells what is wrong with the database, without the values of the statement', async () => {
  const { instance, folder } = await functionOf();
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => error.mockRestore());
  const { buffered } = instance();
  await buffered(eventOf('POST', '/sessions', { body: {} }));
  await change(folder, 'ALTER TABLE messages RENAME TO elsewhere');
  expect((await buffered(eventOf('GET', '/sessions?search=secret'))).statusCode).toBe(500);
  const logged = inspect(error.mock.calls, { depth: Infinity });
  expect(logged).toContain('no such table: messages');
  expect(logged).not.toContain('secret');
});

test('an error that is printed shows none of the rows that could not be stored', () => {
  const row = { id: '1', seq: 1, turn: 1, type: 'user', content: 'A secret', timestamp: '2026-01-01T00:00:00.000Z' };
  const error = new AgentError('persist_failed', 'Could not keep 1 rows.', { messages: [row as never] });
  expect(error.messages).toEqual([row]);
  expect(inspect(error) + JSON.stringify(error)).not.toContain('A secret');
});

test('without the token nothing is open', async () => {
  const { buffered } = (await functionOf()).instance();
  expect((await buffered(eventOf('GET', '/sessions', { headers: {} }))).statusCode).toBe(401);
});

test.each([
  ['AGENT_TOKEN', undefined, 'Anyone can reach a Lambda function: set AGENT_TOKEN'],
  ['MCP_SERVERS', '{"files": {"command": "npx"}}', 'no program can be started here'],
  ['AGENT_DATABASE', 'mysql://u:secret-word@host/name', 'postgres://'],
])('a wrong %s (%s) is named in the answer', async (name, value, words) => {
  const { buffered } = (await functionOf({ [name]: value })).instance();
  const { statusCode, body } = await buffered(eventOf('GET', '/health'));
  expect(statusCode).toBe(500);
  expect(body).toContain(words);
  expect(body).not.toContain('secret-word');
});

test.each([
  ['nothing', undefined],
  ['payload format 1.0', { ...eventOf('GET', '/health'), version: '1.0' }],
  ['an event of a queue', { Records: [] }],
  ['a path that is no text', { ...eventOf('GET', '/health'), rawPath: 1 }],
])('%s is refused in words', async (_name, event) => {
  await expect((await functionOf()).instance().buffered(event)).rejects.toThrow('payload format 2.0');
});

test('where the runtime has no streams, both entries give the answer whole', async () => {
  const { handler, buffered } = lambdaHandlers({}, undefined);
  expect(handler).toBe(buffered);
});

describe('a turn that would take longer than the function has', () => {
  async function slowFunction() {
    const { instance } = await functionOf({ APPROVE: 'all', OPENAI_BASE_URL: (await slowModel()).baseURL });
    const { handler, buffered } = instance();
    const { id } = read(await buffered(eventOf('POST', '/sessions', { body: {} })));
    const event = eventOf('POST', `/sessions/${id}/messages`, { body: { content: 'Talk.' } });
    /** By the clock of AWS, as far as the function can see it. */
    const until = Date.now() + 3_000;
    const context = { getRemainingTimeInMillis: () => until - Date.now() };
    const kept = async () => {
      const [session, messages] = await Promise.all([
        instance().buffered(eventOf('GET', `/sessions/${id}`)),
        instance().buffered(eventOf('GET', `/sessions/${id}/messages`)),
      ]);
      return { state: read(session).state, text: read(messages).items.at(-1).content };
    };
    return { handler, buffered, event, context, kept };
  }

  /** Its answer takes a minute. */
  async function slowModel() {
    const text = 'word '.repeat(600);
    const model = await createScriptedServer({
      steps: [],
      otherwise: { events: responseEvents({ output: [{ type: 'text', text }] }), delayMs: 100 },
    });
    onTestFinished(() => model.close());
    return model;
  }

  test('ends before it with what it has, and the client reads that the time was over', async () => {
    const { handler, event, context, kept } = await slowFunction();
    const headers = { ...event.headers, accept: 'text/event-stream' };
    const { body } = await streamed((one, stream) => handler(one, stream, context), { ...event, headers });
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0);
    expect(body).toMatch(/event: text_delta[^]*event: interrupted[^]*"reason":"timeout"/);
    expect(await kept()).toEqual({ state: 'idle', text: expect.stringContaining('word') });
  });

  test('ends before it also if the answer is given whole', async () => {
    const { buffered, event, context, kept } = await slowFunction();
    const answer = read(await buffered(event, context));
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0);
    expect(answer).toMatchObject({ stopReason: 'timeout', text: expect.stringContaining('word') });
    expect(await kept()).toEqual({ state: 'idle', text: answer.text });
  });
});
