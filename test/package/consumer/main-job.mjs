const [, , sdk, entry] = process.argv;
const { generateText, streamText } = await import(sdk);
const { createResponsesProvider } = await import(entry);

const provider = createResponsesProvider({ apiKey: 'test-key', baseURL: process.env.BASE_URL });

let streamed = '';
const { textStream } = streamText({
  model: provider('gpt-5.1'),
  prompt: 'Say hello.',
  onError: ({ error }) => {
    throw error;
  },
});
for await (const delta of textStream) streamed += delta;
const { text: generated } = await generateText({ model: provider('gpt-5.1'), prompt: 'Say hello.' });
await provider.close();
console.log(JSON.stringify({ streamed, generated }));
