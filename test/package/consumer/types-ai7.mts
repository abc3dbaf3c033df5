import { createProviderRegistry, customProvider, streamText, wrapLanguageModel } from 'ai-7';
import { createResponsesProvider as createForV4, type ResponsesProviderV4 } from 'responses-loop/v4';
import { createResponsesProvider } from 'responses-loop/ai7';
import { createResponsesProvider as createForV2 } from 'responses-loop';
import { createResponsesProvider as createForV3 } from 'responses-loop/v3';

const provider: ResponsesProviderV4 = createForV4({ apiKey: 'test-key', baseURL: 'http://127.0.0.1:1/v1' });
export const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Say hello.', reasoning: 'low' });
export const other = streamText({ model: createResponsesProvider()('gpt-5.1'), prompt: 'Say hello.' });
export const older = streamText({ model: createForV2()('gpt-5.1'), prompt: 'Say hello.' });
export const old = streamText({ model: createForV3()('gpt-5.1'), prompt: 'Say hello.' });
export const registry = createProviderRegistry({ loop: provider, old: createForV3() });
export const custom = customProvider({ languageModels: { fast: provider('gpt-5.1') }, fallbackProvider: provider });
export const wrapped = wrapLanguageModel({ model: provider('gpt-5.1'), middleware: { specificationVersion: 'v4' } });

// @ts-expect-error: an `any` would let this pass.
createForV4(42);
