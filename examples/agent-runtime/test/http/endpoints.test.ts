import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { createGate, errorReply, responseEvents } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { createHandler } from '../../src/http/handler.js';
import { createMemoryPersister, type StoredMessage } from '../../src/index.js';
import { allEventsOf, eventsOf, startServer, TOKEN } from '../support/start-server.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const say = (content: unknown, more: object = {}): { method: string; body: object } => ({
  method: 'POST',
  body: { content, ...more },
});

/** An answer that stops in the middle until the gate is opened. */
function slowAnswer(): { readonly step: () => { events: never }; readonly release: () => void } {
  const gate = createGate();
  const events = responseEvents({ id: 'resp_slow', output: [{ type: 'text', text: ['Half ', 'an answer.'] }] });
  const at = events.findIndex(({ type }) => type.endsWith('output_text.delta')) + 1;
  const held = [...events.slice(0, at), gate.released, ...events.slice(at)];
  return { step: () => ({ events: held as never }), release: () => gate.release() };
}

describe('GET /health', () => {
  it('says who answers, without a token', async () => {
    await using server = await startServer();
    const response = await fetch(`${server.url}/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true, driver: 'mono', model: 'test-model' });
  });
});

describe('POST /sessions', () => {
  it('makes a session', async () => {
    await using server = await startServer();
    const { status, body } = await server.json('/sessions', {
      method: 'POST',
      body: { title: 'A title', model: 'mine' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(UUID),
      state: 'created',
      createdAt: expect.stringMatching(ISO),
    });
    expect(body).toMatchObject({ summary: 'A title', model: 'mine', messageCount: 0 });
  });

  it('needs no body', async () => {
    await using server = await startServer();
    expect((await server.json('/sessions', { method: 'POST' })).status).toBe(201);
  });

  it('keeps what the model is to be, and the model, for every turn', async () => {
    await using server = await startServer();
    const id = await server.newSession({ model: 'mine', system: 'You are a duck.' });
    await server.json(`/sessions/${id}/messages`, { ...say('Hi'), headers: { accept: 'application/json' } });
    const [request] = server.model.requests;
    expect(request?.body['model']).toBe('mine');
    expect(request?.text).toContain('You are a duck.');
  });
});

describe('GET /sessions', () => {
  it('lists the newest activity first, a page at a time', async () => {
    await using server = await startServer();
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c']) {
      ids.unshift(await server.newSession({ title }));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const first = await server.json('/sessions?limit=2');
    expect(first.body).toMatchObject({ total: 3, items: [{ id: ids[0] }, { id: ids[1] }] });
    const second = await server.json('/sessions?limit=2&offset=2');
    expect(second.body).toMatchObject({ total: 3, items: [{ id: ids[2], summary: 'a' }] });
    expect(Object.keys(second.body.items[0]).toSorted()).toEqual(
      ['createdAt', 'id', 'lastActivity', 'messageCount', 'model', 'state', 'summary'].toSorted(),
    );
  });

  it('shows ten if no number is asked for', async () => {
    await using server = await startServer();
    for (let number = 0; number < 11; number += 1) await server.newSession();
    const { body } = await server.json('/sessions');
    expect(body.items).toHaveLength(10);
    expect(body.total).toBe(11);
  });
});

describe('GET /sessions/:id', () => {
  it('shows a session with its usage', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    await server.json(`/sessions/${id}/messages`, { ...say('Hi'), headers: { accept: 'application/json' } });
    const { body } = await server.json(`/sessions/${id}`);
    expect(body).toMatchObject({ id, state: 'idle', summary: 'Hi', messageCount: 2 });
    expect(body.usage).toEqual({
      used: 15,
      breakdown: { input: 10, output: 5, cacheRead: 0, cacheCreation: 0, reasoning: 0 },
    });
  });
});

describe('GET /sessions/:id/messages', () => {
  it('lists rows by seq, after one and not more than asked for', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    for (const text of ['One', 'Two']) {
      await server.json(`/sessions/${id}/messages`, { ...say(text), headers: { accept: 'application/json' } });
    }
    const { body } = await server.json(`/sessions/${id}/messages`);
    const items = body.items as { seq: number; turn: number; type: string; content: string }[];
    expect(items.map(({ turn, type, content }) => ({ turn, type, content }))).toEqual([
      { turn: 1, type: 'user', content: 'One' },
      { turn: 1, type: 'agent', content: 'Hello there.' },
      { turn: 2, type: 'user', content: 'Two' },
      { turn: 2, type: 'agent', content: 'Hello there.' },
    ]);
    const seqs = items.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    const page = await server.json(`/sessions/${id}/messages?after=${seqs[0]}&limit=2`);
    expect((page.body.items as typeof items).map(({ seq }) => seq)).toEqual(seqs.slice(1, 3));
  });
});

it('GET /sessions/:id/messages gives 1000 rows at most, and the next ones after the last of them', async () => {
  const persister = createMemoryPersister();
  const now = new Date().toISOString();
  const session = { id: randomUUID(), summary: null, state: 'idle', model: null, cwd: '/tmp', usage: null } as const;
  const rows = Array.from({ length: 1001 }, (_none, at): StoredMessage => {
    return { id: randomUUID(), seq: at + 1, turn: at + 1, type: 'user', content: 'Hi', timestamp: now };
  });
  await persister.createSession({ ...session, createdAt: now, lastActivity: now }, rows);
  await using server = await startServer(undefined, {}, persister);
  const { body } = await server.json(`/sessions/${session.id}/messages`);
  expect(body.items).toHaveLength(1000);
  const rest = await server.json(`/sessions/${session.id}/messages?after=${body.items.at(-1).seq}&limit=1000`);
  expect(rest.body.items).toMatchObject([{ seq: 1001 }]);
});

describe('POST /sessions/:id/messages', () => {
  it('streams the events of the turn', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    const response = await server.ask(`/sessions/${id}/messages`, say('Hi'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = await allEventsOf(response);
    const first = events[0]?.id ?? 0;
    expect(events.map(({ id: number }) => number)).toEqual(events.map((_event, at) => first + at));
    expect(events[0]?.event).toBe('message_start');
    expect(events.at(-1)).toMatchObject({
      event: 'message_stop',
      data: { type: 'message_stop', data: { stopReason: 'end_turn' } },
    });
    for (const { event, data } of events) expect(data).toMatchObject({ type: event, timestamp: expect.any(Number) });
    const text = events.filter(({ event }) => event === 'text_delta').map(({ data }) => data.data['text']);
    expect(text.join('')).toBe('Hello there.');
  });

  it('takes a message with an id once, also when it is sent again while its turn runs', async () => {
    const { step, release } = slowAnswer();
    await using server = await startServer({ steps: [step, step] });
    const id = await server.newSession();
    const message = say('Hi', { id: 'message-1' });
    const running = server.ask(`/sessions/${id}/messages`, message);
    await server.model.waitForRequest(0);
    const meanwhile = await server.json(`/sessions/${id}/messages`, message);
    release();
    await allEventsOf(await running);
    const later = await server.json(`/sessions/${id}/messages`, message);
    expect([meanwhile, later].map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, 'message_exists'],
      [409, 'message_exists'],
    ]);
    const { body } = await server.json(`/sessions/${id}/messages`);
    expect(body.items.filter(({ type }: { type: string }) => type === 'user')).toHaveLength(1);
    expect(server.model.requests).toHaveLength(1);
  });

  it.each(['', 'a b', 'x'.repeat(65)])('refuses the id %j of a message', async (written) => {
    await using server = await startServer();
    const id = await server.newSession();
    const { status, body } = await server.json(`/sessions/${id}/messages`, say('Hi', { id: written }));
    expect([status, body.error]).toEqual([400, { code: 'bad_request', message: expect.stringContaining('"id"') }]);
  });

  it('answers with one object, if JSON is wanted', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    const { status, body } = await server.json(`/sessions/${id}/messages`, {
      ...say('Hi'),
      headers: { accept: 'application/json' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      text: 'Hello there.',
      toolCalls: [],
      usage: expect.objectContaining({ inputTokens: 10, outputTokens: 5 }),
      stopReason: 'end_turn',
    });
  });

  it('passes on the model and how long to think', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    const body = say('Hi', { model: 'another', thinking: 'high' });
    await server.json(`/sessions/${id}/messages`, { ...body, headers: { accept: 'application/json' } });
    expect(server.model.requests[0]?.body).toMatchObject({ model: 'another', reasoning: { effort: 'high' } });
  });

  it('takes texts, images and files', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', data: 'data:image/png;base64,iVBORw0KGgo=', mediaType: 'image/png' },
      { type: 'file', data: 'aGVsbG8=', mediaType: 'text/plain', name: 'a.txt' },
    ];
    const { status } = await server.json(`/sessions/${id}/messages`, {
      ...say(content),
      headers: { accept: 'application/json' },
    });
    expect(status).toBe(200);
    expect(server.model.requests[0]?.text).toContain('input_image');
    expect(server.model.requests[0]?.text).toContain('a.txt');
  });

  it('ends a stream with an error event, where JSON would be a 502', async () => {
    await using server = await startServer({ otherwise: errorReply({ status: 400, message: 'No such model' }) });
    const id = await server.newSession();
    const events = await allEventsOf(await server.ask(`/sessions/${id}/messages`, say('Hi')));
    expect(events.map(({ event }) => event).slice(-2)).toEqual(['error', 'message_stop']);
    expect(events.at(-1)?.data.data['stopReason']).toBe('error');
    const answer = await server.json(`/sessions/${id}/messages`, {
      ...say('Hi'),
      headers: { accept: 'application/json' },
    });
    expect(answer.status).toBe(502);
    expect(answer.body).toMatchObject({
      error: { code: 'model_error', message: expect.stringContaining('No such model') },
    });
    // The session goes on.
    expect((await server.json(`/sessions/${id}`)).body).toMatchObject({ state: 'idle' });
  });

  it('does not stop the turn when the client goes away', async () => {
    const { step, release } = slowAnswer();
    await using server = await startServer({ steps: [step] });
    const id = await server.newSession();
    const leaving = new AbortController();
    const response = await server.ask(`/sessions/${id}/messages`, { ...say('Hi'), signal: leaving.signal });
    await eventsOf(response).next();
    leaving.abort();
    release();
    await expect.poll(async () => (await server.json(`/sessions/${id}`)).body.state).toBe('idle');
    const { body } = await server.json(`/sessions/${id}/messages`);
    expect(body.items).toMatchObject([{ content: 'Hi' }, { content: 'Half an answer.' }]);
  });
});

describe('GET /sessions/:id/events', () => {
  it('has nothing while no turn runs', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    const response = await server.ask(`/sessions/${id}/events`);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  it('gives the running turn from its start, and on', async () => {
    const { step, release } = slowAnswer();
    await using server = await startServer({ steps: [step] });
    const id = await server.newSession();
    const first = server.ask(`/sessions/${id}/messages`, say('Hi')).then(allEventsOf);
    await expect.poll(async () => (await server.json(`/sessions/${id}`)).body.state).toBe('active');
    const again = await server.ask(`/sessions/${id}/events`);
    release();
    expect(await allEventsOf(again)).toEqual(await first);
  });

  it('gives it from the event that was seen last', async () => {
    const { step, release } = slowAnswer();
    await using server = await startServer({ steps: [step] });
    const id = await server.newSession();
    const first = await server.ask(`/sessions/${id}/messages`, say('Hi'));
    const seen = (await eventsOf(first.clone()).next()).value;
    const rest = await server.ask(`/sessions/${id}/events`, { headers: { 'last-event-id': String(seen.id) } });
    release();
    expect(await allEventsOf(rest)).toEqual((await allEventsOf(first)).slice(1));
  });

  it('takes no event of an earlier turn for one of this turn', async () => {
    const { step, release } = slowAnswer();
    await using server = await startServer({ steps: ['First.', step] });
    const id = await server.newSession();
    const earlier = await allEventsOf(await server.ask(`/sessions/${id}/messages`, say('One')));
    const last = earlier.at(-1)?.id ?? 0;
    const second = await server.ask(`/sessions/${id}/messages`, say('Two'));
    const again = await server.ask(`/sessions/${id}/events`, { headers: { 'last-event-id': String(last) } });
    release();
    const whole = await allEventsOf(second);
    expect(whole[0]?.id).toBeGreaterThan(last);
    expect(await allEventsOf(again)).toEqual(whole);
  });

  it('gives all of it to a client that has seen more than there is, before the server was started anew', async () => {
    const { step, release } = slowAnswer();
    await using server = await startServer({ steps: [step] });
    const id = await server.newSession();
    const first = await server.ask(`/sessions/${id}/messages`, say('Hi'));
    const again = await server.ask(`/sessions/${id}/events`, { headers: { 'last-event-id': '5000' } });
    release();
    expect(await allEventsOf(again)).toEqual(await allEventsOf(first));
  });

  it('takes no event of a process before this one for one of this turn, which is longer', async () => {
    const { step, release } = slowAnswer();
    await using server = await startServer({ steps: ['First.', step] });
    const id = await server.newSession();
    const earlier = await allEventsOf(await server.ask(`/sessions/${id}/messages`, say('One')));
    // Nothing of another handler is in the memory of this one.
    const restarted = createHandler({ agent: server.agent, driver: 'mono', model: 'test-model', token: TOKEN });
    const ask = (path: string, more: object) =>
      restarted(new Request(`${server.url}/sessions/${id}${path}`, more), { waitUntil: () => {} });
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const second = await ask('/messages', { ...{ method: 'POST', headers }, body: JSON.stringify({ content: 'Two' }) });
    const seen = { 'last-event-id': String(earlier[1]?.id) };
    const again = await ask('/events', { headers: { ...headers, ...seen } });
    release();
    expect(await allEventsOf(again)).toEqual(await allEventsOf(second));
  });
});

describe('stopping', () => {
  it('interrupts the turn and keeps what was said', async () => {
    const { step } = slowAnswer();
    await using server = await startServer({ steps: [step] });
    const id = await server.newSession();
    const running = server.ask(`/sessions/${id}/messages`, say('Hi'));
    for await (const { event } of eventsOf((await running).clone())) if (event === 'text_delta') break;
    expect(await server.json(`/sessions/${id}/interrupt`, { method: 'POST' })).toEqual({
      status: 202,
      body: { state: 'idle' },
    });
    const events = await allEventsOf(await running);
    expect(events.at(-1)).toMatchObject({ event: 'interrupted', data: { data: { reason: 'user' } } });
    const { body } = await server.json(`/sessions/${id}/messages`);
    expect(body.items).toMatchObject([{ content: 'Hi' }, { content: 'Half ' }]);
  });

  it.each(['interrupt', 'abort', 'complete'])('%s works while no turn runs', async (action) => {
    await using server = await startServer();
    const id = await server.newSession();
    const state = { interrupt: 'created', abort: 'aborted', complete: 'completed' }[action];
    expect(await server.json(`/sessions/${id}/${action}`, { method: 'POST' })).toEqual({
      status: 202,
      body: { state },
    });
  });

  it('cannot complete a session whose turn runs', async () => {
    const { step, release } = slowAnswer();
    await using server = await startServer({ steps: [step] });
    const id = await server.newSession();
    const running = server.ask(`/sessions/${id}/messages`, say('Hi'));
    await server.model.waitForRequest(0);
    const { status, body } = await server.json(`/sessions/${id}/complete`, { method: 'POST' });
    expect([status, body.error]).toMatchObject([409, { code: 'session_busy' }]);
    release();
    await allEventsOf(await running);
  });
});

describe('DELETE /sessions/:id', () => {
  it('deletes, also a second time', async () => {
    await using server = await startServer();
    const id = await server.newSession();
    expect(await server.json(`/sessions/${id}`, { method: 'DELETE' })).toEqual({ status: 204, body: undefined });
    expect((await server.json(`/sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await server.json(`/sessions/${id}`)).status).toBe(404);
    expect((await server.json('/sessions')).body).toMatchObject({ total: 0 });
  });
});

it('a call that waits is answered over HTTP: the questions are listed, and the answer is the rest of the turn', async () => {
  const call = { type: 'call', name: 'get-sum', arguments: { a: 1, b: 2 } } as const;
  const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  await using server = await startServer(
    { steps: [{ output: [call] }], otherwise: ({ input }) => JSON.stringify(input.at(-1)?.['output']) },
    { mcpServers: { everything: { command: process.execPath, args: [everything, 'stdio'] } } },
  );
  const id = await server.newSession();
  const accept = { accept: 'application/json' };
  const send = { method: 'POST', headers: accept, body: { content: 'One and two' } };
  const sent = await server.json(`/sessions/${id}/messages`, send);
  expect(sent.body).toMatchObject({ stopReason: 'approval_needed', approvals: [{ toolName: 'get-sum' }] });
  const { body } = await server.json(`/sessions/${id}/approvals`);
  const [{ approvalId }] = body.items;
  const answer = (given: object) =>
    server.json(`/sessions/${id}/approvals`, { method: 'POST', headers: accept, body: given });
  expect(await answer({ answers: [{ approvalId: 'none', approved: true }] })).toMatchObject({
    ...{ status: 404, body: { error: { code: 'no_such_approval' } } },
  });
  expect((await answer({ answers: [{ approvalId, approved: 'yes' }] })).status).toBe(400);
  const done = await answer({ answers: [{ approvalId, approved: true }] });
  expect(done.body).toMatchObject({ stopReason: 'end_turn', text: expect.stringContaining('3') });
  expect((await server.json(`/sessions/${id}/approvals`)).body).toEqual({ items: [] });
});
