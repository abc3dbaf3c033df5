import { createProviderRegistry, streamText } from 'ai-6';
import { createResponsesProvider } from 'responses-loop/v3';

const provider = createResponsesProvider({ apiKey: 'test-key', baseURL: 'http://127.0.0.1:1/v1' });
export const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Say hello.' });
export const registry = createProviderRegistry({ loop: provider });

// @ts-expect-error: an `any` would let this pass.
createResponsesProvider(42);
