import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';
import { createResponsesProvider, withStockFallback } from 'responses-loop/ai5';

const flags = new Set(process.argv.slice(2));

const provider = withStockFallback({
  primary: createResponsesProvider({
    tools: { now: { description: 'The current time.', readOnly: true, execute: () => new Date().toISOString() } },
  }),
  stock: createOpenAI(),
  useStock: () => flags.has('--stock'), // runs for every call
  fallOver: true,
});

const { text, providerMetadata } = await generateText({ model: provider('gpt-5.1'), prompt: 'What time is it?' });
console.log(text, providerMetadata?.['responses-loop']?.['fallback']);
