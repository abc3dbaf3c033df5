import { createProviderRegistry, generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createKelivoResponsesProvider } from 'responses-loop';
import { calls, reply, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';

describe('the kelivo provider', () => {
  it('is found by its name in a provider registry', async () => {
    const { server } = await rig([reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(says('resp_2', 'Two.'))]);
    const provider = createKelivoResponsesProvider({ baseURL: server.baseURL, tools: { add: adder().add } });
    const registry = createProviderRegistry({ 'kelivo-responses': provider });
    const model = registry.languageModel('kelivo-responses:gpt-test');
    expect([model.provider, model.modelId]).toEqual(['kelivo-responses', 'gpt-test']);
    expect((await generateText({ model, prompt: 'Add.' })).text).toBe('Two.');
    expect(server.requests[0]?.body['truncation']).toBe('auto');
  });

  it('gives no model a name that ends in .responses, on which an app’s old middleware would jump', () => {
    const provider = createKelivoResponsesProvider({ baseURL: 'http://localhost:1/v1' });
    expect(provider.responses('m').provider).toBe('kelivo-responses');
  });
});
