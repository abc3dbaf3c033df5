import { connect } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import {
  createGate,
  createScriptedServer,
  errorReply,
  everyByte,
  responseBody,
  responseEvents,
  type ScriptedServer,
  type ScriptedServerOptions,
} from '../../src/testing.js';

const servers: ScriptedServer[] = [];

async function start(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const server = await createScriptedServer(options);
  servers.push(server);
  return server;
}

function ask(server: ScriptedServer, body: unknown = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.baseURL}/responses`, {
    method: 'POST',
    headers: { authorization: 'Bearer test', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('what it answers', () => {
  it('streams events with their event lines', async () => {
    const server = await start({ steps: [[{ type: 'response.created', response: { id: 'resp_1' } }]] });
    const response = await ask(server);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toBe(
      'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1"}}\n\n',
    );
  });

  it('leaves event lines out and adds [DONE] when told to', async () => {
    const server = await start({ steps: [{ events: [{ type: 'ping' }], eventLines: false, done: true }] });
    expect(await (await ask(server)).text()).toBe('data: {"type":"ping"}\n\ndata: [DONE]\n\n');
  });

  it('sends raw bytes as they are, however they are cut', async () => {
    const bytes = new TextEncoder().encode('data: é\r\n\r\n');
    const server = await start({ steps: [{ bytes, rechunk: everyByte, delayMs: 1 }] });
    expect(new Uint8Array(await (await ask(server)).arrayBuffer())).toEqual(bytes);
  });

  it('sends JSON, errors and web pages', async () => {
    const server = await start({
      steps: [
        { json: responseBody({ output: [{ type: 'text', text: 'Hello.' }] }) },
        errorReply({ status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } }),
        { html: '<p>Not here</p>', status: 404 },
      ],
    });
    expect(await (await ask(server)).json()).toMatchObject({ object: 'response', status: 'completed' });
    const limited = await ask(server);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await limited.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
    const page = await ask(server);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it.each([
    ['a request that is wrong', { status: 400 }, 'invalid_request_error'],
    ['too many requests', { status: 429 }, 'rate_limit_error'],
    ['an empty account', { status: 429, code: 'insufficient_quota' }, 'insufficient_quota'],
    ['a failure of the server', { status: 503 }, 'server_error'],
    ['a type that the test names', { status: 429, type: 'tokens' }, 'tokens'],
  ])('gives the error of %s the type that servers use', async (_case, options, type) => {
    const server = await start({ steps: [errorReply(options)] });
    expect(await (await ask(server)).json()).toMatchObject({ error: { type } });
  });

  it('makes a reply from the request', async () => {
    const server = await start({ steps: [(request) => ({ json: { last: request.input.at(-1) ?? null } })] });
    const response = await ask(server, { input: [{ role: 'user' }, { type: 'function_call_output', output: '5' }] });
    expect(await response.json()).toEqual({ last: { type: 'function_call_output', output: '5' } });
  });

  it('breaks the connection after what it has sent', async () => {
    const server = await start({ steps: [{ bytes: 'data: 1\n\n', ending: 'reset' }, { none: 'reset' }] });
    const reader = (await ask(server)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    await expect(reader?.read()).rejects.toThrow('terminated');
    await expect(ask(server)).rejects.toThrow('fetch failed');
    expect(server.requests.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  it('holds the head and the middle of an answer until they are released', async () => {
    const head = createGate();
    const middle = createGate();
    const server = await start({
      steps: [{ after: head.released, bytes: ['one', middle.released, 'two'] }],
    });
    let answered = false;
    const pending = ask(server).then((response) => {
      answered = true;
      return response;
    });
    await server.waitForRequest(0);
    expect(answered).toBe(false);
    head.release();
    const reader = (await pending).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one');
    middle.release();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('two');
  });
});

describe('what it records', () => {
  it('keeps method, path, headers and body of each request', async () => {
    const server = await start({ otherwise: { json: {} } });
    await ask(server, { model: 'm', input: 'Hi' });
    expect(server.requests).toMatchObject([
      { index: 0, method: 'POST', url: '/v1/responses', body: { model: 'm', input: 'Hi' }, input: [], aborted: false },
    ]);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer test');
  });

  it('tells a client that left from one that stayed', async () => {
    const server = await start({ steps: [{ bytes: 'data: 1\n\n', ending: 'stall' }, { json: {} }] });
    const leaving = new AbortController();
    const response = await ask(server, {}, leaving.signal);
    leaving.abort();
    await expect(response.text()).rejects.toThrow('abort');
    await ask(server);
    await Promise.all(server.requests.map(({ closed }) => closed));
    expect(server.requests.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('gives concurrent requests steps of their own', async () => {
    const steps = Array.from({ length: 20 }, (_, at) => ({ json: { step: at } }));
    const server = await start({ steps });
    const answers = await Promise.all(steps.map(async () => (await ask(server)).json()));
    expect(answers.map((answer: { step: number }) => answer.step).toSorted((a, b) => a - b)).toEqual(
      steps.map((_, at) => at),
    );
    expect(server.requests.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(steps.map((_, at) => at));
  });
});

describe('when the script does not fit', () => {
  it('answers a request too many with 417, which nobody sends again, and says so', async () => {
    const server = await start({ steps: [{ json: {} }] });
    await ask(server);
    const response = await ask(server);
    expect([response.status, await response.json()]).toMatchObject([417, { error: { code: 'script_mismatch' } }]);
    expect(() => server.assertDone()).toThrow('Request 2 came, but the script has only 1 step.');
  });

  it('says which steps were never asked for', async () => {
    const server = await start({ steps: [{ json: {} }, { json: {} }] });
    await ask(server);
    expect(() => server.assertDone()).toThrow('1 of 2 steps was never asked for.');
  });

  it('answers another path with 404 and takes no step', async () => {
    const server = await start({ steps: [{ json: {} }] });
    expect((await fetch(`${server.baseURL}/models`)).status).toBe(404);
    expect((await ask(server)).status).toBe(200);
    expect(server.problems).toEqual(['GET /v1/models came, but this server knows only POST …/responses.']);
  });

  it('answers a step that throws with 417', async () => {
    const server = await start({
      steps: [
        () => {
          throw new Error('no idea');
        },
      ],
    });
    expect((await ask(server)).status).toBe(417);
    expect(() => server.assertDone()).toThrow('steps[0] threw: Error: no idea');
  });

  it('has nothing to complain about when everything was asked for', async () => {
    const server = await start({ steps: [responseEvents()] });
    await (await ask(server)).text();
    expect(() => server.assertDone()).not.toThrow();
  });
});

describe('close', () => {
  it('ends silent connections, is safe to call twice, and frees the port', async () => {
    const server = await start({ steps: [{ none: 'stall' }, { bytes: 'data: 1\n\n', ending: 'stall' }] });
    const silent = ask(server).catch((error: unknown) => error);
    await server.waitForRequest(0);
    const response = await ask(server);
    await server.close();
    await server.close();
    expect(await silent).toBeInstanceOf(TypeError);
    await expect(response.text()).rejects.toThrow('terminated');
    await expect(canConnect(server.baseURL)).resolves.toBe(false);
    expect(server.requests.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});

function canConnect(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
