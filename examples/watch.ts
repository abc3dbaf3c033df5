import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';

const provider = createResponsesProvider({
  tools: { now: { description: 'The current time.', execute: () => new Date().toISOString(), readOnly: true } },
  onEvent(event) {
    if (event.type === 'tool-start') console.log(event.source, event.tool, event.arguments);
    if (event.type === 'tool-end') console.log(event.output, event.isError, `${event.durationMs} ms`);
    if (event.type === 'round-end') console.log('round', event.round, event.usage);
  },
});

const result = await generateText({ model: provider('gpt-5.1'), prompt: 'What time is it?' });
console.log(result.providerMetadata?.['responses-loop']?.['rounds']);
