import { generateText, jsonSchema, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { reply, rig, says } from '../acceptance/support/rig.js';
import { itemsOfType } from '../acceptance/support/wire.js';
import {
  fullPartsOf,
  type Generated,
  type Loose,
  messagesOf,
  sdk,
  spec,
  type Streamed,
  wantsRaw,
} from './support/sdk.js';

const ROADS = ['stream', 'generate'] as const;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function play(
  road: (typeof ROADS)[number],
  options: Parameters<typeof generateText<ToolSet>>[0],
): Promise<Streamed | Generated> {
  return road === 'generate' ? generateText(options) : streamText(options);
}

/** A tool the server runs, as each major declares it. */
const hosted = (id: string, name: string): ToolSet => {
  const common = { id, name, args: {}, inputSchema: jsonSchema({}), outputSchema: jsonSchema({}) };
  const declared =
    sdk === 5
      ? { type: 'provider-defined', ...common }
      : { type: 'provider', isProviderExecuted: true, supportsDeferredResults: false, ...common };
  return { [name]: declared } as unknown as ToolSet;
};

const search = {
  type: 'item',
  item: {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: { type: 'search', query: 'ducks' },
  },
} as const;
const cited = {
  type: 'text',
  text: 'Ducks swim.',
  annotations: [
    { type: 'url_citation', url: 'https://example.com/ducks', title: 'Ducks', start_index: 0, end_index: 10 },
  ],
} as const;

describe.each(ROADS)('what else an answer holds, on the %s road', (road) => {
  it('a hosted search: the tool is offered, call and result are shown as run by the provider, and its source is there', async () => {
    const { model, requests } = await rig([reply({ id: 'resp_1', output: [search, cited] })]);
    const result = await play(road, { model, prompt: 'Ducks?', tools: hosted('openai.web_search', 'web_search') });
    expect(await result.sources).toMatchObject([
      { sourceType: 'url', url: 'https://example.com/ducks', title: 'Ducks' },
    ]);
    expect(await result.toolCalls).toMatchObject([{ toolName: 'web_search', providerExecuted: true }]);
    expect(await result.toolResults).toMatchObject([{ toolName: 'web_search', providerExecuted: true }]);
    expect(await result.finishReason).toBe('stop');
    expect(requests[0]?.body['tools']).toMatchObject([{ type: 'web_search' }]);
  });

  it('a hosted search goes back with the next turn once', async () => {
    const { model, requests } = await rig(
      [reply({ id: 'resp_1', output: [search, cited] }), reply(says('resp_2', 'Yes.'))],
      { backend: 'openai' },
    );
    const tools = hosted('openai.web_search', 'web_search');
    const result = await play(road, { model, prompt: 'Ducks?', tools });
    const messages = await messagesOf(result);
    await generateText({
      model,
      tools,
      messages: [{ role: 'user', content: 'Ducks?' }, ...messages, { role: 'user', content: 'Sure?' }],
    });
    expect(itemsOfType(requests[1], 'function_call')).toEqual([]);
    expect(itemsOfType(requests[1], 'web_search_call').length).toBeLessThanOrEqual(1);
    expect(requests[1]?.text.match(/Ducks swim\./g)).toHaveLength(1);
  });

  it('a picture the server made is a generated file', async () => {
    const picture = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PIXEL } as const;
    const { model } = await rig([
      reply({
        id: 'resp_1',
        output: [
          { type: 'item', item: picture },
          { type: 'text', text: 'There.' },
        ],
      }),
    ]);
    const result = await play(road, {
      model,
      prompt: 'Draw.',
      tools: hosted('openai.image_generation', 'image_generation'),
    });
    const files = await result.files;
    expect(files.map(({ mediaType, base64 }) => ({ mediaType, base64 }))).toEqual([
      { mediaType: 'image/png', base64: PIXEL },
    ]);
    expect(files[0]?.uint8Array.length).toBeGreaterThan(50);
  });

  it('a summary the server made of the conversation is a custom part with V4, and nothing with the others', async () => {
    const summary = { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' } as const;
    const { model } = await rig([
      reply({
        id: 'resp_1',
        output: [
          { type: 'item', item: summary },
          { type: 'text', text: 'On we go.' },
        ],
      }),
    ]);
    const result = await play(road, { model, prompt: 'Go on.' });
    const content = (await result.content) as unknown as Loose[];
    const shown = content.filter(({ type }) => type !== 'text' && type !== 'reasoning');
    expect(shown).toMatchObject(spec === 'v4' ? [{ type: 'custom', kind: 'openai.compaction' }] : []);
    expect(await result.text).toBe('On we go.');
  });

  it('reasoning is there as parts and as text', async () => {
    const { model } = await rig([
      reply({
        id: 'resp_1',
        output: [
          { type: 'reasoning', summary: ['One.', 'Two.'], encrypted: 'sealed' },
          { type: 'text', text: 'Three.' },
        ],
      }),
    ]);
    const result = await play(road, { model, prompt: 'Think.' });
    expect((await result.reasoning).map(({ text }) => text)).toEqual(['One.', 'Two.']);
    expect(await result.text).toBe('Three.');
  });
});

describe('raw chunks', () => {
  it('are the wire’s events of every round where they were asked for, and absent otherwise', async () => {
    const { model } = await rig([reply(says('resp_1', 'Hi.')), reply(says('resp_2', 'Hi.'))]);
    const rawOf = async (options: object): Promise<unknown[]> => {
      const parts = await fullPartsOf(streamText<ToolSet>({ model, prompt: 'Hi', ...options }));
      return parts.filter(({ type }) => type === 'raw').map((part) => (part['rawValue'] as Loose)['type']);
    };
    expect(await rawOf(wantsRaw)).toEqual(
      expect.arrayContaining(['response.created', 'response.output_text.delta', 'response.completed']),
    );
    expect(await rawOf({})).toEqual([]);
  });
});

describe('the effort of reasoning', () => {
  it('comes through provider options with every SDK', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Hi.'))]);
    await generateText({ model, prompt: 'Hi', providerOptions: { openai: { reasoningEffort: 'high' } } });
    expect(requests[0]?.body['reasoning']).toEqual({ effort: 'high' });
  });

  it.runIf(sdk === 7)('comes through the `reasoning` option of ai 7', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Hi.')), reply(says('resp_2', 'Hi.'))]);
    const asked = (reasoning: string): object => ({ model, prompt: 'Hi', reasoning });
    await generateText(asked('low') as Parameters<typeof generateText>[0]);
    await generateText(asked('provider-default') as Parameters<typeof generateText>[0]);
    expect(requests.map(({ body }) => body['reasoning'])).toEqual([{ effort: 'low' }, undefined]);
  });
});
