/** Streams an answer. To `streamText` it is one model and one stream, though a tool runs in the middle of it. */
import assert from 'node:assert/strict';

import { streamText, tool } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import { z } from 'zod';

import { openModelServer } from './support/model-server.js';

await using server = await openModelServer('stream');

await using provider = createResponsesProvider({
  ...server.settings,
  tools: {
    count_ducks: tool({
      description: 'Counts the ducks on a pond.',
      inputSchema: z.object({ pond: z.string() }),
      execute: ({ pond }) => `42 ducks on the ${pond} pond`,
    }),
  },
});

const { textStream, finishReason } = streamText({
  model: provider(server.modelId),
  prompt: 'How many ducks are on the north pond? Count them with your tool.',
});

let text = '';
for await (const delta of textStream) {
  process.stdout.write(delta);
  text += delta;
}
process.stdout.write('\n');

assert.match(text, /42/, `The answer should hold what the tool counted, but is "${text}".`);
assert.equal(await finishReason, 'stop', 'A call whose tools were run inside the model should end with "stop".');
