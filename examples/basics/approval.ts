/** Decides about each call before it runs: read-only tools run at once, somebody is asked about all others. */
import assert from 'node:assert/strict';

import { generateText } from 'ai';
import { approveByAnnotations, createResponsesProvider } from 'responses-loop';

import { openModelServer } from './support/model-server.js';

await using server = await openModelServer('approval');

const asked: string[] = [];
const ran: string[] = [];
const run = (tool: string, result: string) => () => {
  ran.push(tool);
  return result;
};

await using provider = createResponsesProvider({
  ...server.settings,
  tools: {
    look: { description: 'Looks at the pond.', execute: run('look', '3 hungry ducks'), readOnly: true },
    feed: { description: 'Feeds the ducks.', execute: run('feed', 'the ducks are fed') },
    drain: { description: 'Drains the pond.', execute: run('drain', 'the pond is dry') },
  },
  // An app would ask its user here, and wait.
  approve: approveByAnnotations(({ tool }) => {
    asked.push(tool);
    return tool === 'feed' ? true : { approved: false, reason: 'The ducks live there.' };
  }),
});

const { text } = await generateText({
  model: provider(server.modelId),
  prompt: 'Look at the pond. Then feed the ducks and drain the pond. Call each tool once and report what they said.',
});

console.log(`asked about: ${asked.join(', ')}`);
console.log(`ran: ${ran.join(', ')}`);
console.log(text);

assert.deepEqual(asked, ['feed', 'drain'], 'Somebody should have been asked about all tools that change something.');
assert.deepEqual(ran, ['look', 'feed'], 'What was denied should not have run.');
assert.match(text, /ducks live there/i, `The model should have been told why "drain" was denied, but says "${text}".`);
