import { createScriptedServer, errorReply } from 'responses-loop/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

import { type AgentConfig, createAgent, createMemoryPersister, type Session } from '../../src/index.js';
import { collect, typesOf } from '../support/collect.js';
import { FakeAdapter, greet, talkOn } from '../support/fake-adapter.js';
import { toolsServer } from '../support/tools-server.js';
import { makeWorkspace } from '../support/workspace.js';

type Script = NonNullable<Parameters<typeof createScriptedServer>[0]>;

/** Agents on one database, whose model sums up by a fixed text and counts this many tokens. */
async function world(
  { inputTokens = 10, ...script }: Script & { inputTokens?: number } = {},
  workspace = makeWorkspace(),
) {
  const server = await createScriptedServer({
    otherwise: ({ input }) => ({
      output: [{ type: 'text', text: JSON.stringify(input.at(-1)).includes('Summarize') ? 'SUMMARY' : 'Fine.' }],
      usage: { input_tokens: inputTokens, output_tokens: 1, total_tokens: inputTokens + 1 },
    }),
    ...script,
  });
  onTestFinished(() => server.close());
  const open = async (config: Partial<AgentConfig> = {}) => {
    const agent = createAgent({ workspace, model: 'any', apiKey: 'test', baseUrl: server.baseURL, ...config });
    await agent.initialize();
    onTestFinished(() => agent.destroy().catch(() => {}));
    return agent;
  };
  const sent = (index = -1): string => JSON.stringify(server.requests.at(index)?.input);
  return { server, open, sent };
}

/** What fits into a request to the server that refuses long ones. */
const SERVER_CHARS = 12_000;

function bounded(
  { text }: { readonly text: string },
  refusal: Parameters<typeof errorReply>[0] = { status: 400, code: 'context_length_exceeded' },
) {
  if (text.length > SERVER_CHARS) return errorReply(refusal);
  return text.includes('Summarize our conversation') ? 'SUMMARY' : 'Fine.';
}

async function sayAll(session: Session, ...texts: string[]): Promise<void> {
  for (const text of texts) await session.send(text);
}

describe('compact()', () => {
  test('the model reads a summary and the last two turns, after a restart too; what is stored stays whole', async () => {
    const { open, sent, server } = await world();
    const first = await open();
    const session = await first.createSession({ systemPrompt: 'Be brief.' });
    await sayAll(session, 'first', 'second', 'third', 'fourth');
    const before = session.getMessages();
    expect(await session.compact()).toEqual({ throughTurn: 2, summary: 'SUMMARY' });
    expect(sent()).toContain('first');
    expect(sent()).not.toContain('third');
    expect(session.getMessages().slice(0, before.length)).toEqual(before);
    await first.destroy();
    const again = await (await open()).getSession(session.id);
    await again?.send('fifth');
    expect(sent()).toContain('SUMMARY');
    for (const text of ['third', 'fourth', 'fifth']) expect(sent()).toContain(text);
    for (const text of ['first', 'second']) expect(sent()).not.toContain(text);
    expect(server.requests.at(-1)?.body['instructions'] ?? sent()).toContain('Be brief.');
    expect(again?.getMessages().filter(({ type }) => type === 'user')).toHaveLength(5);
  });

  test('counts its tokens, and the next summary is made of the one before', async () => {
    const { open, sent } = await world();
    const session = await (await open()).createSession();
    await sayAll(session, 'duck', 'two', 'three');
    const { used } = session.getTokenUsage();
    await session.compact();
    expect(session.getTokenUsage().used).toBe(used + 11);
    await sayAll(session, 'four', 'five');
    expect(await session.compact()).toMatchObject({ throughTurn: 3 });
    expect(sent()).toContain('SUMMARY');
    expect(sent()).not.toContain('duck');
  });

  test('does nothing if there is nothing to make shorter', async () => {
    const { open, server } = await world();
    const session = await (await open()).createSession();
    await sayAll(session, 'one', 'two');
    expect(await session.compact()).toBeNull();
    expect([server.requests.length, session.state]).toEqual([2, 'idle']);
  });

  test('offers no tools for it, so that nothing runs', async () => {
    const { open, server } = await world();
    const { entry, notes } = toolsServer();
    const session = await (await open({ mcpServers: { pond: entry }, approve: 'all' })).createSession();
    await sayAll(session, 'one', 'two', 'three');
    await session.compact();
    expect(server.requests.map(({ body }) => body['tools'] !== undefined)).toEqual([true, true, true, false]);
    expect(notes()).toEqual([]);
  });

  test('stores nothing if the model fails, or gives no summary; the session goes on', async () => {
    const { open } = await world({
      steps: ['a', 'b', 'c', errorReply({ status: 400, message: 'No.' }), '', 'e'],
    });
    const session = await (await open()).createSession();
    await sayAll(session, 'one', 'two', 'three');
    const before = session.getMessages();
    await expect(session.compact()).rejects.toMatchObject({ code: 'summary_failed' });
    await expect(session.compact()).rejects.toMatchObject({ code: 'summary_failed', message: /no summary/ });
    expect(session.getMessages()).toEqual(before);
    expect(typesOf(await collect(session.send('four'))).at(-1)).toBe('message_stop');
  });

  test('is refused while a turn runs, and stopped by an interruption', async () => {
    let asked = 0;
    const adapter = new FakeAdapter((prompt, options, say) =>
      ((asked += 1) > 3 ? talkOn : greet)(prompt, options, say),
    );
    const agent = createAgent({ workspace: '/pond' }, { adapter, persister: createMemoryPersister() });
    await agent.initialize();
    onTestFinished(() => agent.destroy());
    const session = await agent.createSession();
    await sayAll(session, 'one', 'two', 'three');
    const compaction = session.compact();
    await expect(session.compact()).rejects.toMatchObject({ code: 'session_busy' });
    await expect(session.pop()).rejects.toMatchObject({ code: 'session_busy' });
    await expect(agent.forkSession(session.id)).rejects.toMatchObject({ code: 'session_busy' });
    await session.interrupt();
    await expect(compaction).rejects.toMatchObject({ code: 'summary_failed', message: /interrupted/ });
    expect([session.state, session.getMessages().length]).toEqual(['idle', 6]);
    expect(adapter.asked.at(-1)?.options).toMatchObject({ purpose: 'summary' });
  });
});

describe('by itself', () => {
  test('a session is made shorter behind an answer, at a share of what the model takes', async () => {
    const { open } = await world({ inputTokens: 85 });
    const session = await (await open({ contextWindow: 100 })).createSession();
    await sayAll(session, 'one', 'two');
    const events = await collect(session.send('three'));
    expect(typesOf(events).slice(-4)).toEqual([
      ...['message_delta', 'compaction_started', 'compaction_complete', 'message_stop'],
    ]);
    expect(events.find(({ type }) => type === 'compaction_started')?.data).toEqual({ tokens: 86, by: 'limit' });
  });

  test.each([
    ['below the share', { contextWindow: 200 }],
    ['if it is switched off', { contextWindow: 100, compactAt: 0 }],
    ['if nobody knows the window', {}],
  ])('it is left as it is %s', async (_when, config) => {
    const { open } = await world({ inputTokens: 85 });
    const session = await (await open(config)).createSession();
    await sayAll(session, 'one', 'two', 'three');
    expect(session.getMessages().some(({ metadata }) => metadata?.kind === 'summary')).toBe(false);
  });

  test('what the server refuses as too long is made shorter for the next message', async () => {
    const tooLong = errorReply({ status: 400, code: 'context_length_exceeded' });
    const { open, sent } = await world({ steps: ['a', 'b', tooLong] });
    const session = await (await open()).createSession();
    await sayAll(session, 'duck', 'two');
    const events = await collect(session.send('three'));
    expect(events.find(({ type }) => type === 'error')?.data).toMatchObject({ errorCode: 'context_too_long' });
    expect(typesOf(events)).toContain('compaction_complete');
    await session.send('four');
    expect(sent()).toContain('SUMMARY');
    expect(sent()).not.toContain('duck');
  });

  test.each([
    ['OpenAI', { status: 400, code: 'context_length_exceeded' }],
    ['llama.cpp', { status: 400, type: 'exceed_context_size_error' }],
  ])(
    'a message that %s refuses as too long is summarized as a text that fits, and the session goes on',
    async (_name, refusal) => {
      const { open, sent, server } = await world({ otherwise: (request) => bounded(request, refusal) });
      const session = await (await open()).createSession();
      const events = await collect(session.send(`begin ${'x '.repeat(20_000)} end`));
      expect(events.find(({ type }) => type === 'error')?.data).toMatchObject({
        errorCode: 'context_too_long',
        message: expect.stringContaining('send your message again'),
      });
      expect(events.find(({ type }) => type === 'compaction_complete')?.data).toEqual({ throughTurn: 1, keptTurns: 0 });
      expect(typesOf(events)).not.toContain('warning');
      expect(sent()).toMatch(/user: begin x.* \[…\] .*x +end/);
      expect(server.requests.at(-1)?.text.length).toBeLessThanOrEqual(SERVER_CHARS);
      expect(typesOf(await collect(session.send('Go on')))).not.toContain('error');
      expect(sent()).toContain('SUMMARY');
    },
  );

  test('compact() of turns that no longer fit into one request asks for the summary in a text that fits', async () => {
    let isSmall = false;
    const { open, sent } = await world({ otherwise: (request) => (isSmall ? bounded(request) : 'Fine.') });
    const session = await (await open()).createSession();
    await sayAll(session, ...['one', 'two', 'three', 'four'].map((text) => `${text} ${'y '.repeat(5_000)}`));
    isSmall = true;
    expect(await session.compact()).toMatchObject({ throughTurn: 2, summary: 'SUMMARY' });
    expect(sent()).toContain('user: one');
    expect(sent()).not.toContain('three');
    const events = await collect(session.send('five'));
    expect(events.find(({ type }) => type === 'compaction_complete')?.data).toEqual({ throughTurn: 5, keptTurns: 0 });
    expect(typesOf(await collect(session.send('six')))).not.toContain('error');
  });

  test('a server that refuses even the shortest text gets no more requests; a warning tells what to do', async () => {
    const refused = errorReply({ status: 400, code: 'context_length_exceeded' });
    const { open, server } = await world({ otherwise: ({ text }) => (text.includes('duck') ? refused : 'Fine.') });
    const session = await (await open()).createSession({ systemPrompt: 'duck' });
    const events = await collect(session.send('x '.repeat(5_000)));
    expect(events.find(({ type }) => type === 'warning')?.data).toMatchObject({
      message: expect.stringMatching(/larger context window|shorter system prompt/),
    });
    expect([server.requests.length, session.state]).toEqual([5, 'idle']);
  });

  test('an answer stands also if there is no summary: a warning tells of it', async () => {
    const adapter = new FakeAdapter(async function* (prompt, options, say) {
      if (options.purpose === 'summary') throw new Error('The pond is dry.');
      yield* greet(prompt, options, say);
    });
    const agent = createAgent(
      { workspace: '/pond', isLong: async () => true },
      { adapter, persister: createMemoryPersister() },
    );
    await agent.initialize();
    onTestFinished(() => agent.destroy());
    const session = await agent.createSession();
    await sayAll(session, 'one', 'two');
    const events = await collect(session.send('three'));
    expect(events.find(({ type }) => type === 'warning')?.data).toMatchObject({ message: /The pond is dry/ });
    expect(events.at(-1)?.data).toEqual({ stopReason: 'end_turn' });
  });
});

test('old outputs of tools are left out of long requests by the limit that is passed on', async () => {
  const call = (id: string) =>
    ({ output: [{ type: 'call', name: 'note', arguments: { text: id.repeat(400) }, id }] }) as const;
  const { open, sent } = await world({ steps: [call('a'), call('b'), call('c'), call('d'), 'done'] });
  const tools = { note: { execute: ({ text }: Record<string, unknown>) => `noted ${String(text)}` } };
  const session = await (await open({ tools, approve: 'all', maxLoopChars: 3_000 })).createSession();
  await session.send('Note them');
  expect(sent()).not.toContain(`noted ${'a'.repeat(400)}`);
  expect(session.getMessages().some(({ content }) => content.includes(`noted ${'a'.repeat(400)}`))).toBe(true);
});
