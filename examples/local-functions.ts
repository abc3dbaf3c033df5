import { generateText, tool } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';
import { z } from 'zod';

const provider = createResponsesProvider({
  tools: {
    now: {
      description: 'The current time in ISO 8601.',
      execute: () => new Date().toISOString(),
      readOnly: true,
    },
    add: tool({
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a + b,
    }),
  },
});

const { text } = await generateText({ model: provider('gpt-5.1'), prompt: 'What time is it, and what is 2 + 3?' });
console.log(text);
