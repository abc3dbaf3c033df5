import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { ContextWindow } from 'responses-loop-example-shared/context-window.js';
import { knownWindow } from 'responses-loop-example-shared/known-windows.js';
import { serverWindow } from 'responses-loop-example-shared/server-window.js';
import { call, startEngine } from '../../support/engine-rig.js';
import { newFolder } from '../../support/folders.js';

/** A server that answers each path with this. */
async function serverOf(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, apiKey: undefined, asked };
}

test.each([
  ['vLLM', { id: 'm', max_model_len: 8192 }],
  [
    'OpenRouter, of a provider that takes less',
    { id: 'm', context_length: 16_384, top_provider: { context_length: 8192 } },
  ],
  [
    'OpenRouter, of a provider that takes more',
    { id: 'm', context_length: 8192, top_provider: { context_length: 16_384 } },
  ],
  ['OpenRouter, of who answers alone', { id: 'm', top_provider: { context_length: 8192 } }],
  ['Groq', { id: 'm', context_window: 8192 }],
  ['Mistral', { id: 'm', max_context_length: 8192 }],
  ['a server without a better word', { id: 'm', meta: { n_ctx_train: 8192 } }],
])('%s says how much a model takes', async (_name, entry) => {
  const server = await serverOf({ '/v1/models': { data: [{ id: 'other', max_model_len: 1 }, entry] } });
  expect(await serverWindow(server, 'm')).toBe(8192);
  expect(await serverWindow(server, 'unknown')).toBeUndefined();
});

test('llama.cpp says how it was started, which counts more than how the model was trained', async () => {
  const models = { data: [{ id: '/models/m.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }] };
  const started = { default_generation_settings: { n_ctx: 4096 } };
  expect(await serverWindow(await serverOf({ '/v1/models': models, '/props': started }), 'm')).toBe(4096);
  expect(await serverWindow(await serverOf({ '/v1/models': models }), 'm')).toBe(131_072);
});

test.each([[{}], [{ '/v1/models': 'x' }], [{ '/v1/models': { data: [null, { id: 'm', max_model_len: -1 }] } }]])(
  'a server that says nothing usable is none that says so: %j',
  async (answers) => {
    expect(await serverWindow(await serverOf(answers), 'm')).toBeUndefined();
  },
);

test('a list of models that is said to be elsewhere is not asked for there, where the key does not belong', async () => {
  const other = await serverOf({ '/v1/models': { data: [{ id: 'm', max_model_len: 8192 }] } });
  const moved = createServer((_, response) => response.writeHead(302, { location: `${other.baseURL}/models` }).end());
  onTestFinished(() => void moved.close());
  await once(moved.listen(0, '127.0.0.1'), 'listening');
  const baseURL = `http://127.0.0.1:${(moved.address() as AddressInfo).port}/v1`;
  expect(await serverWindow({ baseURL, apiKey: 'secret' }, 'm')).toBeUndefined();
  expect(other.asked).toEqual([]);
});

test('the longest beginning of a name counts, and the maker in front of it does not', () => {
  expect(knownWindow('gpt-5.1-codex')).toBe(272_000);
  expect(knownWindow('openai/gpt-oss-20b')).toBe(131_072);
  expect(knownWindow('Qwen/Qwen3-Coder-30B')).toBe(262_144);
  // Of models whose names begin alike, each has its own.
  expect(knownWindow('gpt-5.4')).toBe(922_000);
  expect(knownWindow('gpt-5.4-mini-2026-03-17')).toBe(272_000);
  expect(knownWindow('claude-sonnet-4-5-20250929')).toBe(200_000);
  expect(knownWindow('anthropic/claude-sonnet-4-6')).toBe(1_000_000);
  expect(knownWindow('qwen3-8b')).toBe(32_768);
  expect(knownWindow('qwen3.5-27b')).toBe(262_144);
  expect(knownWindow('my-model')).toBeUndefined();
});

test('a setting counts more than the server, the server more than the table; the server is asked once, and not of little', async () => {
  const server = await serverOf({ '/v1/models': { data: [{ id: 'gpt-5', max_model_len: 10_000 }] } });
  const windowOf = (set?: number, compactAt = 80) => new ContextWindow({ set, compactAt, model: 'gpt-5', server });
  expect(await windowOf(500).tokens()).toBe(500);
  const asking = windowOf();
  expect(await asking.isFull(1_999)).toBe(false);
  expect(server.asked).toEqual([]);
  expect([await asking.isFull(7_999), await asking.isFull(8_000)]).toEqual([false, true]);
  expect(server.asked).toEqual(['/v1/models']);
  expect(await windowOf(undefined, 0).isFull(1_000_000)).toBe(false);
  expect(new ContextWindow({ set: undefined, compactAt: 80, model: 'x', server: undefined }).maxLoopChars).toBe(
    400_000,
  );
});

test('one call may grow to the share of the window at which conversations are made shorter, or to all of it', () => {
  const charsOf = (compactAt: number): number =>
    new ContextWindow({ set: 1_000, compactAt, model: 'x', server: undefined }).maxLoopChars;
  expect([charsOf(80), charsOf(0)]).toEqual([2_400, 3_000]);
});

test('within one call old outputs are left out before the window is full', async () => {
  const prints = (index: number) => ({
    output: [call('bash', { command: `printf '%.0sx' $(seq 1 1000) && echo ${index}` }, `b${index}`)],
  });
  const rig = await startEngine([...[0, 1, 2, 3, 4].map(prints), 'Done.'], {
    flags: { contextWindow: 1_000, approval: 'never', sandbox: 'danger_full_access' },
  });
  await rig.say('Print');
  expect(JSON.stringify(rig.requests.at(-1)?.input).length).toBeLessThan(5_000);
});

test('a conversation that the server refuses as too long is made shorter, and goes on', async () => {
  const { errorReply } = await import('responses-loop/testing');
  const tooLong = errorReply({ status: 400, code: 'context_length_exceeded' });
  const rig = await startEngine(['A1', 'A2', tooLong, 'Short.', 'A4']);
  for (const text of ['Q1', 'Q2', 'Q3', 'Q4']) await rig.say(text);
  expect(rig.data('error')).toMatchObject([{ code: 'context_too_long' }]);
  expect(rig.data('compaction_complete')).toHaveLength(1);
  expect(JSON.stringify(rig.requests.at(-1)?.input)).toContain('Short.');
});

test('one message that the server refuses as too long is summarized as a text that fits, and the session goes on', async () => {
  const { errorReply } = await import('responses-loop/testing');
  const rig = await startEngine([], {
    otherwise: ({ text }) =>
      text.length > 12_000
        ? errorReply({ status: 400, code: 'context_length_exceeded' })
        : { output: [{ type: 'text', text: text.includes('Summarize our conversation') ? 'Short.' : 'Answer.' }] },
  });
  await rig.say(`begin ${'x '.repeat(20_000)} end`);
  expect(rig.data('compaction_complete')).toMatchObject([{ kept_turns: 0 }]);
  expect(rig.data('warning')).toEqual([]);
  expect(JSON.stringify(rig.requests.at(-1)?.input)).toMatch(/user: begin x.* \[…\] .*x +end/);
  expect(await rig.say('Go on')).toMatchObject({ data: { last_agent_message: 'Answer.' } });
  expect(JSON.stringify(rig.requests.at(-1)?.input)).toContain('Short.');
});

test('what was cut out of a long output can be read again after a resume', async () => {
  const workspace = newFolder();
  const lines = Array.from({ length: 900 }, (_, index) => `line ${index} ${'y'.repeat(60)}`);
  writeFileSync(`${workspace}/big.txt`, lines.join('\n'));
  const rig = await startEngine([{ output: [call('read', { path: 'big.txt' }, 'r1')] }, 'Long.'], { workspace });
  await rig.say('Read it');
  const [, id] = /read_output\(\{\\*"id\\*":\\*"([\w-]+)/.exec(JSON.stringify(rig.requests.at(-1)?.input)) ?? [];
  expect(id).toBeDefined();
  await rig.close();
  const again = await rig.reopen([{ output: [call('read_output', { id, search: 'line 450 ' }, 'o1')] }, 'Found.']);
  await again.say('And line 450?');
  expect(JSON.stringify(again.requests.at(-1)?.input.at(-1))).toContain('line 450 y');
});
