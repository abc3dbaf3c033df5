import { generateText } from 'ai';
import { createResponsesProvider, type LoopCallOptions, type ResponsesCallOptions } from 'responses-loop/ai5';

const provider = createResponsesProvider();

const { text } = await generateText({
  model: provider('gpt-5.1'),
  prompt: 'Why do ducks float?',
  providerOptions: {
    openai: { reasoningEffort: 'low', textVerbosity: 'low' } satisfies ResponsesCallOptions,
    'responses-loop': { promptCacheKey: 'ducks', body: { metadata: { project: 'pond' } } } satisfies LoopCallOptions,
  },
});
console.log(text);
