// Started as a process: one call over a socket, and nothing is closed.
import { streamText } from 'ai';
import { createResponsesProvider } from '../../../src/index.js';

const [baseURL, transport] = process.argv.slice(2) as [string, 'websocket' | 'auto'];
const execute = async (): Promise<string> => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  return 'ok';
};
const tools = { step: { inputSchema: { type: 'object' }, execute } };
const provider = createResponsesProvider({ baseURL, apiKey: 'k', backend: 'openai', transport, tools });
const { text } = streamText({ model: provider('m'), prompt: 'Go.' });
console.log(await text);
