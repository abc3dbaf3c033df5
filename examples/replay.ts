import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';
import { recordEvents } from 'responses-loop/node';
import { replayEvents, scriptedFetch } from 'responses-loop/testing';

// In production: record the run. Here and below, `scriptedFetch` replaces the model server.
const file = join(mkdtempSync(join(tmpdir(), 'run-')), 'refund.jsonl');
const record = recordEvents(file, { outputs: 'full' });
const provider = createResponsesProvider({
  apiKey: 'test',
  fetch: scriptedFetch([{ output: [{ type: 'call', name: 'order', arguments: { id: 7 } }] }, 'It cost 12 dollars.']),
  tools: { order: { inputSchema: { type: 'object' }, execute: ({ id }) => ({ id, dollars: 12 }) } },
  onEvent: record,
});
await generateText({ model: provider('gpt-5.1'), prompt: 'What did order 7 cost?' });
record.close();

// In a test: replay the run with another model. The tools do not run.
const fetch = scriptedFetch([{ output: [{ type: 'call', name: 'order', arguments: { id: 7 } }] }, '12 dollars.']);
const replay = await replayEvents(file, {
  model: 'gpt-5.1-mini',
  provider: (settings) => createResponsesProvider({ ...settings, apiKey: 'test', fetch }),
});
replay.assertSame({ answers: (recorded, replayed) => recorded.includes('12') === replayed.includes('12') });

for (const { recorded, replayed } of replay.calls) console.log(recorded.answer, '|', replayed.answer);
assert.equal(fetch.requests[1]?.input.at(-1)?.['output'], '{"id":7,"dollars":12}'); // from the recording
