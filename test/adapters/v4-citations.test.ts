import { expect, it } from 'vitest';
import { createResponsesProvider } from 'responses-loop/v4';
import { responseBody } from 'responses-loop/testing';
import { streamParts, userPrompt } from '../acceptance/support/parts.js';
import { reply, rigOf, says } from '../acceptance/support/rig.js';

const ANNOTATIONS = [
  { type: 'url_citation', url: 'https://ponds.example', title: 'Ponds', start_index: 0, end_index: 5 },
  { type: 'file_citation', file_id: 'file_1', filename: 'ducks.txt', index: 3 },
  { type: 'file_path', file_id: 'file_2', index: 4 },
  { type: 'duck_citation' },
  { type: 'url_citation', url: 7 },
];

interface Cited {
  readonly citations?: readonly object[];
}

async function textOf(annotations: readonly object[], streamed = false): Promise<Cited | undefined> {
  if (streamed) {
    const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' };
    const content = [{ type: 'output_text', text: 'Ducks like ponds.', annotations }];
    const { model } = await rigOf(createResponsesProvider, [
      reply({ id: 'resp_1', output: [{ type: 'item', item: { ...item, content } as never }] }),
    ]);
    return (await streamParts(model)).find((part) => part.type === 'text-end') as Cited | undefined;
  }
  const json = responseBody(says('resp_1', 'Ducks like ponds.')) as { output: { content: object[] }[] };
  json.output[0]!.content = [{ type: 'output_text', text: 'Ducks like ponds.', annotations }];
  const { model } = await rigOf(createResponsesProvider, [{ json }]);
  const { content } = await model.doGenerate({ prompt: userPrompt() });
  return content.find((part) => part.type === 'text');
}

it.each([true, false])('a text of V4 has what it cites, with where in the text (streamed: %s)', async (streamed) => {
  expect((await textOf(ANNOTATIONS, streamed))?.citations).toEqual([
    {
      source: {
        type: 'source',
        sourceType: 'url',
        id: 'https://ponds.example',
        url: 'https://ponds.example',
        title: 'Ponds',
      },
      startIndex: 0,
      endIndex: 5,
    },
    {
      source: {
        type: 'source',
        sourceType: 'document',
        id: 'file_1',
        mediaType: 'text/plain',
        title: 'ducks.txt',
        filename: 'ducks.txt',
        providerMetadata: { openai: { type: 'file_citation', fileId: 'file_1', index: 3 } },
      },
    },
  ]);
});

it('a text that cites nothing has no list', async () => {
  expect(await textOf([])).not.toHaveProperty('citations');
  expect(await textOf([{ type: 'file_path', file_id: 'file_2', index: 4 }])).not.toHaveProperty('citations');
});

it.each([-1, 0.5, 1e300, '3', null])(
  'a place that `ai` 7 would refuse in a UI message is left out: %j',
  async (place) => {
    const [page] = ANNOTATIONS;
    const [citation] = (await textOf([{ ...page, start_index: place, end_index: place }]))?.citations ?? [];
    expect(Object.keys(citation ?? {})).toEqual(['source']);
  },
);

it('a client’s call before a text stays before it where nothing was streamed', async () => {
  const { model } = await rigOf(createResponsesProvider, [
    reply({
      id: 'resp_1',
      output: [
        { type: 'call', name: 'clock', arguments: {}, callId: 'call_1' },
        { type: 'text', text: 'Meanwhile.' },
        { type: 'call', name: 'clock', arguments: {}, callId: 'call_2' },
      ],
    }),
  ]);
  const tools = [
    { type: 'function' as const, name: 'clock', inputSchema: { type: 'object' as const, properties: {} } },
  ];
  const { content } = await model.doGenerate({ prompt: userPrompt(), tools });
  expect(content.map((part) => (part.type === 'tool-call' ? part.toolCallId : part.type))).toEqual([
    'call_1',
    'text',
    'call_2',
  ]);
});
