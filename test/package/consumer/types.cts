import { streamText } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import testing = require('responses-loop/testing');

const provider = createResponsesProvider({ apiKey: 'test-key', baseURL: 'http://127.0.0.1:1/v1' });
export const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Say hello.' });
export const names: string[] = Object.keys(testing);
export const closed: Promise<void> = provider.close();

// @ts-expect-error: an `any` would let this pass.
createResponsesProvider(42);
