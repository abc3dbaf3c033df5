import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';

const provider = createResponsesProvider();

const { text } = await generateText({
  model: provider('gpt-5.1'),
  prompt: 'Why do ducks float?',
  providerOptions: {
    openai: { reasoningEffort: 'low', textVerbosity: 'low' },
    'responses-loop': { promptCacheKey: 'ducks', body: { metadata: { project: 'pond' } } },
  },
});
console.log(text);
