import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateText } from 'ai';
import { createResponsesProvider, type ObserverEvent } from '../../src/index.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScriptedServer, encodeEvents, responseEvents } from '../../src/testing.js';
import { timerMs, withTimeout } from '../../src/util/timers.js';
import { finishOf, partsOf, streamParts, textOf } from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';
import { failureOf } from '../provider/support/talk.js';
import { everythingPath } from '../tools/support/servers.js';

const SECRET = 'sk-test-0123456789abcdef';

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('to another origin is not followed (%s)', async (status) => {
    const other = await createScriptedServer({ otherwise: reply(says('resp_x', 'Stolen.')) });
    onTestFinished(() => other.close());
    const target = `${other.baseURL}/responses`;
    const { model, requests } = await rig([{ html: '', status, headers: { location: target } }], { apiKey: SECRET });
    const error = await failureOf(model.doStream({ prompt: [] }));
    expect(error.message).toContain(target);
    expect(error.message).toContain('set baseURL');
    expect(error.isRetryable).toBe(false);
    expect(other.requests).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('in a follow-up is the end of the call, and the tool does not run again', async () => {
    const { add, runs } = adder();
    const away = { html: '', status: 307, headers: { location: 'https://elsewhere.test/v1/responses?key=hidden' } };
    const steps = [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), away];
    const { model } = await rig(steps, { tools: { add }, apiKey: SECRET });
    const parts = await streamParts(model);
    expect(finishOf(parts).finishReason).toBe('error');
    const message = String(partsOf(parts, 'error')[0]?.error);
    expect(message).toContain('https://elsewhere.test/v1/responses');
    expect(message).not.toContain('hidden');
    expect(runs).toHaveLength(1);
  });

  it('without a target is explained too', async () => {
    const { model } = await rig([{ html: '', status: 307 }]);
    expect((await failureOf(model.doStream({ prompt: [] }))).message).toMatch(/redirects elsewhere.*set baseURL/);
  });
});

describe('a secret that a server echoes in its headers', () => {
  const echo = { 'x-echo': `got Bearer ${SECRET}!`, 'x-request-id': 'req_1' };

  it('is hidden in an error and in events, while the rest stays', async () => {
    const seen: ObserverEvent[] = [];
    const { model } = await rig([{ status: 400, json: { error: { message: 'No.' } }, headers: echo }], {
      apiKey: SECRET,
      onEvent: (event) => seen.push(event),
    });
    const error = await failureOf(model.doStream({ prompt: [] }));
    expect(error.responseHeaders).toMatchObject({ 'x-request-id': 'req_1' });
    expect(error.responseHeaders?.['x-echo']).toMatch(/^got .*!$/);
    expect(JSON.stringify(error)).not.toContain(SECRET);
    expect(seen.map(({ type }) => type)).toContain('response');
    expect(JSON.stringify(seen)).not.toContain(SECRET);
  });

  it('is hidden in an error inside a good answer', async () => {
    const failed = responseEvents({ id: 'resp_1', status: 'failed' });
    const { model } = await rig([{ events: failed, headers: echo }], { apiKey: SECRET });
    const error = await failureOf(model.doStream({ prompt: [] }));
    expect(error.responseHeaders).toMatchObject({ 'x-request-id': 'req_1' });
    expect(JSON.stringify(error.responseHeaders)).not.toContain(SECRET);
  });
});

describe('an error whose body never ends', () => {
  it('is told with the half that came, and the connection is let go', async () => {
    const half = '{"error":{"message":"The model is overl';
    const { model, requests } = await rig([{ bytes: half, status: 503, ending: 'stall' }]);
    const error = await failureOf(model.doStream({ prompt: [] }));
    expect(error).toMatchObject({ statusCode: 503, isRetryable: true });
    expect(error.message).toContain('The model is overl');
    await requests[0]?.closed;
    expect(requests[0]?.aborted).toBe(true);
  });
});

describe('the connection', () => {
  it('is used again by the six rounds of a call', async () => {
    const add = toolOf(() => sleep(30, 'waited'));
    let connections = 0;
    let round = 0;
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        round += 1;
        const id = `resp_${round}`;
        const answer = round < 6 ? calls(id, ['add', { a: 1, b: 1 }]) : says(id, 'Done.');
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(Buffer.from(encodeEvents(responseEvents(answer))));
        // The end of a body comes a moment behind the last event.
        setTimeout(() => response.end(), 5);
      });
    }).on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server that listens has no other kind of address
    const provider = createResponsesProvider({ baseURL: `http://127.0.0.1:${port}/v1`, tools: { add } });
    onTestFinished(async () => {
      await provider.close();
      server.close();
      server.closeAllConnections();
    });
    expect(textOf(await streamParts(provider('m')))).toBe('Done.');
    expect(round).toBe(6);
    // A round that begins before the last one’s end was read needs a second one.
    expect(connections).toBeLessThanOrEqual(2);
  });
});

describe('a time limit', () => {
  const DAYS_30 = 30 * 24 * 3_600_000;
  const LONGEST = 2 ** 31 - 1;

  it.each([
    [0, LONGEST],
    [Number.POSITIVE_INFINITY, LONGEST],
    [DAYS_30, LONGEST],
    [LONGEST, LONGEST],
    [Number.NaN, LONGEST],
    [60_000, 60_000],
  ])('of %s ms is a delay that timers can take', (given, delay) => {
    expect(timerMs(given)).toBe(delay);
  });

  it.each([0, Number.POSITIVE_INFINITY, DAYS_30])('of %s ms does not fire at once', async (ms) => {
    const late = sleep(20, 'late');
    expect(await withTimeout(late, ms, () => new Error('It fired.'))).toBe('late');
  });

  it.each([0, Number.POSITIVE_INFINITY, DAYS_30])('of %s ms everywhere leaves a slow call alone', async (ms) => {
    const events = responseEvents(calls('resp_1', ['wait', {}, 'call_1']));
    const slow = { events: [...events.slice(0, 1), sleep(20), ...events.slice(1)], after: sleep(20) };
    const { model, requests } = await rig([slow, reply(says('resp_2', 'Ok.'))], {
      tools: { wait: toolOf(() => sleep(20, 'waited')) },
      toolTimeoutMs: ms,
      timeouts: { headersMs: ms, idleMs: ms, connectMs: ms },
    });
    const { text } = await generateText({ model, prompt: 'Go.', maxRetries: 0 });
    expect(text).toBe('Ok.');
    expect(outputs(requests[1])).toEqual([['call_1', 'waited']]);
  });

  it.each([0, Number.POSITIVE_INFINITY, DAYS_30])('of %s ms lets an MCP server connect', async (connectMs) => {
    const { provider } = await rig([], {
      mcpServers: { everything: { command: process.execPath, args: [everythingPath, 'stdio'] } },
      timeouts: { connectMs },
    });
    expect((await provider.listTools()).map(({ name }) => name)).toContain('echo');
  });
});
