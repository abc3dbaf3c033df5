import { createProviderRegistry, customProvider, streamText, wrapLanguageModel } from 'ai-6';
import { createResponsesProvider as createForV3, type ResponsesProviderV3 } from 'responses-loop/v3';
import { createResponsesProvider } from 'responses-loop/ai6';
import { createResponsesProvider as createForV2 } from 'responses-loop';

const provider: ResponsesProviderV3 = createForV3({ apiKey: 'test-key', baseURL: 'http://127.0.0.1:1/v1' });
export const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Say hello.' });
export const other = streamText({ model: createResponsesProvider()('gpt-5.1'), prompt: 'Say hello.' });
export const older = streamText({ model: createForV2()('gpt-5.1'), prompt: 'Say hello.' });
export const registry = createProviderRegistry({ loop: provider });
export const custom = customProvider({ languageModels: { fast: provider('gpt-5.1') }, fallbackProvider: provider });
export const wrapped = wrapLanguageModel({ model: provider('gpt-5.1'), middleware: { specificationVersion: 'v3' } });

// @ts-expect-error: an `any` would let this pass.
createForV3(42);
