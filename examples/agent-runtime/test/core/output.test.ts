import { createScriptedServer } from 'responses-loop/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

import { type AgentConfig, createAgent, createMemoryPersister } from '../../src/index.js';
import { collect, typesOf } from '../support/collect.js';
import { FakeAdapter } from '../support/fake-adapter.js';
import { startServer } from '../support/start-server.js';
import { toolsServer } from '../support/tools-server.js';
import { makeWorkspace } from '../support/workspace.js';

const DUCK = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
  additionalProperties: false,
};
const ALFRED = '{"name":"Alfred","age":3}';

type Steps = NonNullable<NonNullable<Parameters<typeof createScriptedServer>[0]>['steps']>;

/** Agents on one database, one after the other, whose model says these things. */
async function world(...steps: Steps) {
  const server = await createScriptedServer({ steps });
  onTestFinished(() => server.close());
  const workspace = makeWorkspace();
  const open = async (config: Partial<AgentConfig> = {}) => {
    const agent = createAgent({ workspace, model: 'any', apiKey: 'test', baseUrl: server.baseURL, ...config });
    await agent.initialize();
    onTestFinished(() => agent.destroy().catch(() => {}));
    return agent;
  };
  return { server, open };
}

describe('a message with a schema', () => {
  test('reaches the server with it; the answer is an event, and is read after a restart', async () => {
    const { server, open } = await world(ALFRED);
    const first = await open();
    const turn = first.chat('Which duck?', { schema: DUCK });
    const events = await collect(turn);
    expect(events.find(({ type }) => type === 'output')?.data).toEqual({ value: { name: 'Alfred', age: 3 } });
    expect(typesOf(events).slice(-2)).toEqual(['output', 'message_stop']);
    expect(server.requests[0]?.body['text']).toMatchObject({ format: { type: 'json_schema', schema: DUCK } });
    await first.destroy();
    const session = await (await open()).getSession(turn.sessionId);
    expect([session?.getOutput(), session?.getOutput(1), session?.getOutput(2)]).toEqual([
      ...[
        { name: 'Alfred', age: 3 },
        { name: 'Alfred', age: 3 },
      ],
      undefined,
    ]);
  });

  test.each([
    ['is not JSON', 'A duck.', 'is not JSON'],
    ['lacks a member', '{"name":"Alfred"}', 'age'],
    ['breaks a rule', '{"name":"Alfred","age":-1}', 'age'],
    ['has a member too many', '{"name":"Alfred","age":3,"wings":2}', 'wings'],
  ])('fails if the answer %s: the text stays, there is no output, the session goes on', async (_why, text, word) => {
    const { server, open } = await world(text, 'Fine.');
    const agent = await open();
    const session = await agent.createSession();
    const events = await collect(session.send('Which duck?', { schema: DUCK }));
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', data: { errorCode: 'output_invalid', message: expect.stringContaining(word) } },
      { type: 'message_stop', data: { stopReason: 'error' } },
    ]);
    expect([session.getOutput(), session.getMessages().at(-1)?.content]).toEqual([undefined, text]);
    expect((await collect(session.send('Go on'))).at(-1)?.data).toMatchObject({ stopReason: 'end_turn' });
    expect(server.requests[1]?.body['text']).toBeUndefined();
  });

  test('keeps it while a call waits for a person, also over a restart', async () => {
    const call = { type: 'call', name: 'note', arguments: { text: 'a' } } as const;
    const { server, open } = await world({ output: [call] }, ALFRED);
    const mcpServers = { pond: toolsServer().entry };
    const first = await open({ mcpServers });
    const turn = first.chat('Note it', { schema: DUCK });
    expect(typesOf(await collect(turn))).not.toContain('output');
    await first.destroy();
    const session = await (await open({ mcpServers })).getSession(turn.sessionId);
    const approvalId = session?.getApprovals()[0]?.approvalId ?? '';
    await session?.answer([{ approvalId, approved: true }]);
    expect(session?.getOutput()).toEqual({ name: 'Alfred', age: 3 });
    expect(server.requests[1]?.body['text']).toMatchObject({ format: { type: 'json_schema' } });
  });

  test('is checked for any adapter, and no text of an earlier turn counts', async () => {
    const adapter = new FakeAdapter(async function* (_prompt, { history }, say) {
      if (history.length === 0) yield { type: 'agent', content: ALFRED };
      say('message_stop', { stopReason: 'end_turn' });
    });
    const agent = createAgent({ workspace: '/pond' }, { adapter, persister: createMemoryPersister() });
    await agent.initialize();
    onTestFinished(() => agent.destroy());
    const session = await agent.createSession();
    await session.send('Which duck?', { schema: DUCK });
    expect(session.getOutput(1)).toEqual({ name: 'Alfred', age: 3 });
    expect(typesOf(await collect(session.send('And now?', { schema: DUCK })))).toContain('error');
  });

  test('comes back as it was, with what no text can hold', async () => {
    const { open } = await world('{"name":"\\u0000\\ud800 \u0065\u0301"}');
    const session = await (await open()).createSession();
    await session.send('Which duck?', { schema: { type: 'object' } });
    expect(session.getOutput()).toEqual({ name: '\u0000\ud800 \u0065\u0301' });
  });

  test.each([
    ['a list', []],
    ['no type that there is', { type: 'duck' }],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
  ])('is refused before anything happens if the schema is %s', async (_what, schema) => {
    const { server, open } = await world('never');
    const session = await (await open()).createSession();
    await expect(collect(session.send('Hello', { schema: schema as object as never }))).rejects.toMatchObject({
      code: 'bad_message',
      message: expect.stringContaining('schema'),
    });
    expect([session.getMessages(), session.state, server.requests.length]).toEqual([[], 'created', 0]);
  });
});

test('over HTTP the schema is part of the message, and the output of the answer', async () => {
  await using server = await startServer({ steps: [ALFRED] });
  const id = await server.newSession();
  const send = (body: object) =>
    server.json(`/sessions/${id}/messages`, { method: 'POST', headers: { accept: 'application/json' }, body });
  expect(await send({ content: 'Which duck?', schema: { type: 'duck' } })).toMatchObject({
    ...{ status: 400, body: { error: { code: 'bad_request', message: expect.stringContaining('schema') } } },
  });
  expect((await send({ content: 'Which duck?', schema: DUCK })).body).toMatchObject({
    output: { name: 'Alfred', age: 3 },
  });
  const { body } = await server.json(`/sessions/${id}/messages`);
  expect(body.items.at(-1)).toMatchObject({ kind: 'output', content: ALFRED });
});
