/** Goes back to the stock provider by a flag, by the environment, or when ours fails. The tools are there either way. */
import assert from 'node:assert/strict';

import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type LanguageModel, tool } from 'ai';
import { createResponsesProvider, withStockFallback } from 'responses-loop';
import { z } from 'zod';

import { openModelServer } from './support/model-server.js';

await using server = await openModelServer('feature-flag');

let stockRequests = 0;
const stock = createOpenAI({
  ...server.settings,
  fetch: (...request) => {
    stockRequests += 1;
    return fetch(...request);
  },
});
const settings = {
  ...server.settings,
  tools: {
    count_ducks: tool({
      description: 'Counts the ducks on a pond.',
      inputSchema: z.object({ pond: z.string() }),
      execute: ({ pond }) => `42 ducks on the ${pond} pond`,
    }),
  },
};

// A flag of the app, asked for every call; closing the provider closes the primary one.
const flags = { stockResponses: false };
await using flagged = withStockFallback({
  primary: createResponsesProvider(settings),
  stock,
  useStock: () => flags.stockResponses,
});
await answers(flagged(server.modelId), { uses: 'primary', because: 'flag' });
flags.stockResponses = true;
await answers(flagged(server.modelId), { uses: 'stock', because: 'flag' });

// Without a flag RESPONSES_LOOP=off decides, asked for every call too.
await using switched = withStockFallback({ primary: createResponsesProvider(settings), stock });
process.env['RESPONSES_LOOP'] = 'off';
await answers(switched(server.modelId), { uses: 'stock', because: 'environment' });
delete process.env['RESPONSES_LOOP'];

// Nobody listens there.
const unreachable = { ...settings, baseURL: 'http://127.0.0.1:59999/v1' };
await using safe = withStockFallback({ primary: createResponsesProvider(unreachable), stock, fallOver: true });
await answers(safe(server.modelId), { uses: 'stock', because: 'failure' });

async function answers(model: LanguageModel, expected: { uses: string; because: string }): Promise<void> {
  stockRequests = 0;
  const { text, providerMetadata } = await generateText({
    model,
    prompt: 'How many ducks are on the north pond? Count them with your tool.',
  });
  const decision = providerMetadata?.['responses-loop']?.['fallback'];
  console.log(`${expected.uses}, because of the ${expected.because}: ${text}`);
  assert.match(text, /42/, `The answer should hold what the tool counted, but is "${text}".`);
  assert.deepEqual(decision, expected, 'The decision stands in the metadata, and should have been another.');
  assert.equal(stockRequests > 0, expected.uses === 'stock', `The stock provider sent ${stockRequests} requests.`);
}
