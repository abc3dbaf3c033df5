const [, , sdk, entry] = process.argv;
const { generateText, streamText } = require(sdk);
const { createResponsesProvider } = require(entry);

async function main() {
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
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
