import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';

const provider = createResponsesProvider({
  baseURL: process.env['MODEL_SERVER'] ?? 'http://localhost:8080', // "/v1" and "/responses" are added
  backend: 'llamacpp',
  headers: { 'x-team': 'pond' },
  models: {
    '*': { body: { seed: 7 } },
    'qwen*': { body: { temperature: 0.2, store: null } }, // null: do not send this field
  },
});
console.log(provider.endpoint('qwen3').url);

const { text } = await generateText({ model: provider('qwen3'), prompt: 'Why do ducks float?' });
console.log(text);
