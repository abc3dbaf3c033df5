/** Records a conversation with a server, then replays it without the server, as a test of an app would. */
import assert from 'node:assert/strict';
import { join } from 'node:path';

import { generateText, tool } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import { recordFetch, replayFetch } from 'responses-loop/testing';
import { z } from 'zod';

import { openModelServer } from './support/model-server.js';
import { openTemporaryFolder } from './support/temporary-folder.js';

await using folder = await openTemporaryFolder();
await using server = await openModelServer('record-and-replay');

/** What is tested: it knows nothing of recordings. */
async function answer(prompt: string, fetch: typeof globalThis.fetch): Promise<string> {
  const provider = createResponsesProvider({
    ...server.settings,
    fetch,
    tools: {
      count_ducks: tool({
        description: 'Counts the ducks on a pond.',
        inputSchema: z.object({ pond: z.string() }),
        execute: ({ pond }) => `42 ducks on the ${pond} pond`,
      }),
    },
  });
  return (await generateText({ model: provider(server.modelId), prompt, maxRetries: 0 })).text;
}

const prompt = 'How many ducks are on the north pond? Count them with your tool.';
const directory = join(folder.path, 'ducks');

const recording = recordFetch(directory, { source: 'an example' });
const recorded = await answer(prompt, recording);
await recording.save();
console.log(`recorded: ${recorded}`);

// Gone: from here on nobody listens there.
await server[Symbol.asyncDispose]();

const replaying = replayFetch(directory);
const replayed = await answer(prompt, replaying);
console.log(`replayed: ${replayed}`);

assert.match(recorded, /42/, `The answer should hold what the tool counted, but is "${recorded}".`);
assert.equal(replayed, recorded, 'The replay should answer what was recorded.');
replaying.assertDone();

// Another question is not in the recording. The error says what differs.
const other = replayFetch(directory);
await assert.rejects(answer('How many geese?', other), 'Another question should be refused.');
console.log(`another question: ${other.problems.join('\n')}`);
assert.match(other.problems.join('\n'), /How many geese/, 'The difference should be told.');
