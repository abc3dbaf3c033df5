/** Generates an object of a given shape, from what tools have said. */
import assert from 'node:assert/strict';

import { generateObject, tool } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import { z } from 'zod';

import { openModelServer } from './support/model-server.js';

await using server = await openModelServer('structured-output');

const ducks: Record<string, number> = { north: 4, south: 38 };

// `generateObject` takes no tools. The provider's own are there all the same.
await using provider = createResponsesProvider({
  ...server.settings,
  tools: {
    count_ducks: tool({
      description: 'Counts the ducks on the north or the south pond.',
      inputSchema: z.object({ pond: z.enum(['north', 'south']) }),
      execute: ({ pond }) => ducks[pond],
    }),
  },
});

const { object, reasoning } = await generateObject({
  model: provider(server.modelId),
  schema: z.object({ north: z.number(), south: z.number(), most: z.enum(['north', 'south']) }),
  prompt: 'How many ducks are on the north and the south pond, and where are most? Count them with your tool.',
});

// What a model says before the JSON would break it; it becomes reasoning.
if (reasoning !== undefined) console.log(`thought: ${reasoning.trim()}`);
console.log(object);

assert.deepEqual(object, { north: 4, south: 38, most: 'south' }, `The counts are wrong: ${JSON.stringify(object)}.`);
