import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop/v4';
import { responseBody, type ResponseDescription, scriptedFetch } from 'responses-loop/testing';

const USER = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello?' }] };
const SEALED = {
  output: [
    { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed' },
    { type: 'text', text: 'Yes.' },
  ],
};

type Case = readonly [name: string, settings: ResponsesProviderSettings];
const PLACES: readonly Case[] = [
  ['openai', { baseURL: 'https://api.openai.com/v1' }],
  ['azure', { resourceName: 'pond' }],
  ['xai', { baseURL: 'https://api.x.ai/v1' }],
];

async function ask(settings: ResponsesProviderSettings, options: object = {}) {
  const fetch = scriptedFetch([{ json: responseBody(SEALED as ResponseDescription) }]);
  const model = createResponsesProvider({ apiKey: 'k', fetch, ...settings })('some-model');
  const result = await model.doGenerate({ prompt: [USER], ...options });
  return { result, body: fetch.requests[0]?.body ?? {} };
}

describe('the name under which others read and write', () => {
  it.each(PLACES)(
    '%s: metadata of every part and of the end stands under it, and under no other',
    async (name, settings) => {
      const { result } = await ask(settings, { providerOptions: { [name]: { store: true } } });
      const parts: readonly { readonly providerMetadata?: object }[] = [...(result.content as object[]), result];
      const all = parts.flatMap(({ providerMetadata }) => Object.keys(providerMetadata ?? {}));
      expect([...new Set(all)].toSorted()).toEqual([name, 'responses-loop'].toSorted());
      expect(result.providerMetadata?.[name]).toMatchObject({ responseId: 'resp_1' });
    },
  );

  it.each([
    ['openai', ['openai', 'pond']],
    ['azure', ['openai', 'azure', 'pond']],
    ['xai', ['openai', 'xai', 'pond']],
  ])('%s: reasoning goes back that was sealed under a name of it, and none of another back end', async (name, sent) => {
    const settings = PLACES.find(([place]) => place === name)?.[1] ?? {};
    const back: string[] = [];
    for (const writer of ['openai', 'azure', 'xai', 'pond']) {
      const providerOptions = { [writer]: { itemId: 'rs_1', reasoningEncryptedContent: `by ${writer}` } };
      const answer = [
        { type: 'reasoning', text: 'Hm.', providerOptions },
        { type: 'text', text: 'Yes.' },
      ];
      const prompt = [USER, { role: 'assistant', content: answer }, USER];
      const { body } = await ask({ ...settings, name: 'pond' }, { prompt });
      if (JSON.stringify(body['input']).includes(`by ${writer}`)) back.push(writer);
    }
    expect(back).toEqual(sent);
  });

  it.each(PLACES)(
    '%s: options of a part are read under its name, ours and that of the provider',
    async (name, settings) => {
      for (const key of [name, 'responses-loop', 'pond']) {
        const image = {
          type: 'file',
          mediaType: 'image/png',
          data: { type: 'data', data: 'AQID' },
          providerOptions: { [key]: { imageDetail: 'low' } },
        };
        const { body } = await ask({ ...settings, name: 'pond' }, { prompt: [{ role: 'user', content: [image] }] });
        expect(JSON.stringify(body['input'])).toContain('"detail":"low"');
      }
    },
  );

  it.each(PLACES)('%s: the id of an uploaded file is found under its name', async (name, settings) => {
    const file = {
      type: 'file',
      mediaType: 'application/pdf',
      data: { type: 'reference', reference: { [name]: 'f_1', other: 'f_2' } },
    };
    const { body } = await ask(settings, { prompt: [{ role: 'user', content: [file] }] });
    expect(JSON.stringify(body['input'])).toContain('"file_id":"f_1"');
  });
});

it.each([
  [{ code: 'Some resource has been exhausted', error: 'You have run out of credits.' }],
  [{ error: 'You have run out of credits.' }],
  [{ error: { message: 'You have run out of credits.', type: null, param: null, code: 402 } }],
])('an error in the words of xAI is told as it is: %j', async (json) => {
  const fetch = scriptedFetch([{ status: 429, json }]);
  const model = createResponsesProvider({ apiKey: 'k', fetch, baseURL: 'https://api.x.ai/v1' })('grok-4.3');
  await expect(model.doGenerate({ prompt: [USER] })).rejects.toMatchObject({
    statusCode: 429,
    message: expect.stringContaining('You have run out of credits.') as string,
  });
});
