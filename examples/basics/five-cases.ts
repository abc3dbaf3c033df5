/** Plays recorded conversations: no tool, one tool, several tools, a tool that fails, a long text. Streamed text is generated text. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import { generateText, streamText } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import { replayFetch } from 'responses-loop/testing';

import { recordedTools } from './support/recorded-tools.js';

const RECORDINGS = process.env['RECORDINGS'] ?? fileURLToPath(new URL('../../fixtures', import.meta.url));

const CASES = [
  { recording: 'no-tool', ran: [], says: /^The file is in Tokyo\.$/ },
  { recording: 'one-tool', ran: ['get_weather'], says: /^It is 24 °C and clear in Lisbon\.$/ },
  {
    recording: 'several-tools-one-round',
    ran: ['get_weather', 'get_weather', 'get_weather'],
    says: /so Cairo is the warmest\.$/,
  },
  { recording: 'failing-tool', ran: ['read_text_file (failed)'], says: /^There is no file notes\/missing\.txt\.$/ },
  { recording: 'long-text', ran: [], says: /^Line 1 — (.*\n){15}Line 16 — .* fin\.$/ },
];

for (const { recording, ran, says } of CASES) {
  const streamed = await play(recording, async (model) => streamText({ model, prompt: 'Play.' }).text);
  const generated = await play(recording, async (model) => (await generateText({ model, prompt: 'Play.' })).text);
  console.log(`${recording}: ran [${streamed.ran.join(', ')}], said ${streamed.text.length} characters`);
  assert.match(streamed.text, says, `${recording}: the answer is "${streamed.text}".`);
  assert.deepEqual(streamed.ran, ran, `${recording}: other tools ran than expected.`);
  assert.deepEqual(generated, streamed, `${recording}: what is generated should be what is streamed.`);
}

type Ask = (model: ReturnType<ReturnType<typeof createResponsesProvider>>) => Promise<string>;

async function play(recording: string, ask: Ask): Promise<{ text: string; ran: string[] }> {
  const ran: string[] = [];
  // The recorded answers come in order, whatever is asked.
  const fetch = replayFetch(`${RECORDINGS}/${recording}`, { match: 'lenient' });
  await using provider = createResponsesProvider({
    apiKey: 'none-needed',
    fetch,
    tools: recordedTools,
    onEvent(event) {
      if (event.type === 'tool-end') ran.push(event.isError ? `${event.tool} (failed)` : event.tool);
    },
  });
  const text = await ask(provider('any'));
  fetch.assertDone();
  return { text, ran };
}
