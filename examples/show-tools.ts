import { stepCountIs, streamText, tool } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';
import { z } from 'zod';

const provider = createResponsesProvider({
  tools: { now: { description: 'The current time.', execute: () => new Date().toISOString(), readOnly: true } },
});

const { fullStream } = streamText({
  model: provider('gpt-5.1'),
  prompt: 'Greet Ada, and tell her the time.',
  tools: {
    ...(await provider.tools()), // run by the provider; declared so that the stream shows the calls
    greet: tool({ inputSchema: z.object({ name: z.string() }), execute: ({ name }) => `Hello, ${name}!` }), // run by the AI SDK
  },
  stopWhen: stepCountIs(5),
});
for await (const part of fullStream) {
  if (part.type === 'tool-call') console.log('call', part.toolName, part.input);
  if (part.type === 'tool-result') console.log('result', part.toolName, part.output);
  if (part.type === 'tool-error') console.log('failed', part.toolName, part.error);
  if (part.type === 'text-delta') process.stdout.write(part.text);
}
