import { streamText } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';

// The key is read from OPENAI_API_KEY.
const provider = createResponsesProvider({
  mcpServers: {
    files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
  },
});

const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Which of my files mentions ducks?' });
for await (const text of textStream) process.stdout.write(text);

await provider.close();
