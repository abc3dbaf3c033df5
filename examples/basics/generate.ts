/** Generates an answer in one piece: several rounds of tool calls, one step of `generateText`. */
import assert from 'node:assert/strict';

import { generateText, tool } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import { z } from 'zod';

import { openModelServer } from './support/model-server.js';

await using server = await openModelServer('generate');

const ducks: Record<string, number> = { north: 4, south: 38 };

await using provider = createResponsesProvider({
  ...server.settings,
  tools: {
    count_ducks: tool({
      description: 'Counts the ducks on the north or the south pond.',
      inputSchema: z.object({ pond: z.enum(['north', 'south']) }),
      execute: ({ pond }) => ducks[pond],
    }),
    add: tool({
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a + b,
    }),
  },
});

const { text, steps, usage, providerMetadata } = await generateText({
  model: provider(server.modelId),
  prompt: 'How many ducks are on the north and the south pond together? Count and add with your tools.',
});
const rounds = providerMetadata?.['responses-loop']?.['rounds'];

console.log(text);
console.log(`${steps.length} step, ${Array.isArray(rounds) ? rounds.length : 0} rounds, ${usage.totalTokens} tokens`);

assert.match(text, /42/, `The answer should hold the sum, 42, but is "${text}".`);
assert.equal(steps.length, 1, 'The AI SDK should see one step: the rounds are inside it.');
assert.ok(Array.isArray(rounds) && rounds.length > 1, 'There should have been several rounds.');
