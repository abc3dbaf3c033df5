import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import { createReplayServer, recordFetch, replayFetch } from 'responses-loop/testing';

const baseURL = process.env.BASE_URL;
const root = await mkdtemp(join(tmpdir(), 'responses-loop-recorded-'));
const directory = join(root, 'hello');
after(() => rm(root, { recursive: true }));

async function ask(settings) {
  const provider = createResponsesProvider({ apiKey: 'test-key', baseURL, ...settings });
  const { text } = await generateText({ model: provider('gpt-5.1'), prompt: 'Say hello.' });
  await provider.close();
  return text;
}

void test('a back end can be recorded', async () => {
  const fetch = recordFetch(directory);
  assert.equal(await ask({ fetch }), 'Hello from the tarball.');
  await fetch.save();
});

void test('and replayed through a fetch', async () => {
  const fetch = replayFetch(directory);
  assert.equal(await ask({ fetch }), 'Hello from the tarball.');
  fetch.assertDone();
});

void test('and through a server', async () => {
  const server = await createReplayServer(directory);
  assert.equal(await ask({ baseURL: server.baseURL }), 'Hello from the tarball.');
  server.assertDone();
  await server.close();
});
