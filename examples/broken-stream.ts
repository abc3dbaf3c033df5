import { streamText } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';

const provider = createResponsesProvider({
  retry: { maxContinuations: 1 },
  onEvent(event) {
    if (event.type === 'continuation') console.log(`\n[broke off after ${event.shownChars} characters]`);
  },
});

const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Tell me about ducks.' });
for await (const text of textStream) process.stdout.write(text);
