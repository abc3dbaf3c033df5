import assert from 'node:assert/strict';

import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';
import { scriptedFetch } from 'responses-loop/testing';

const fetch = scriptedFetch([{ output: [{ type: 'call', name: 'add', arguments: { a: 2, b: 3 } }] }, 'It is 5.']);
const provider = createResponsesProvider({
  apiKey: 'test',
  fetch,
  tools: { add: { inputSchema: { type: 'object' }, execute: ({ a, b }) => Number(a) + Number(b) } },
});

const { text } = await generateText({ model: provider('any'), prompt: 'What is 2 + 3?' });
assert.equal(text, 'It is 5.');
assert.equal(fetch.requests[1]?.input.at(-1)?.['output'], '5'); // the second request contains the output
fetch.assertDone();
