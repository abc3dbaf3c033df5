import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.js';
import { added, completed, created, done, message, textDelta } from './support/events.js';
import { partsOf, readEvents } from './support/read-events.js';

const annotated = (annotations: JsonObject[], more: JsonObject = {}): JsonObject => ({
  type: 'output_text',
  text: 'See there.',
  annotations,
  ...more,
});
const page = (url: string, at: number): JsonObject => ({
  type: 'url_citation',
  url,
  title: `Page ${at}`,
  start_index: at,
  end_index: at + 1,
});
const annotationAdded = (annotation: JsonObject) => ({
  type: 'response.output_text.annotation.added',
  output_index: 0,
  content_index: 0,
  annotation,
});

describe('sources', () => {
  it('are told once each, however often a page is cited and repeated', async () => {
    const all = [page('https://a.test/', 0), page('https://a.test/', 4), page('https://b.test/', 6)];
    const item = message('', { content: [annotated(all)] });
    const { parts } = await readEvents([
      created,
      added(0, message('')),
      textDelta(0, 'See there.'),
      ...all.map(annotationAdded),
      done(0, item),
      completed({ output: [item] }),
    ]);
    const sources = partsOf(parts, 'source');
    expect(sources.map((source) => (source.kind === 'url' ? [source.url, source.title] : source.kind))).toEqual([
      ['https://a.test/', 'Page 0'],
      ['https://b.test/', 'Page 6'],
    ]);
    expect(new Set(sources.map((source) => source.id)).size).toBe(2);
    expect(partsOf(parts, 'text-end')[0]?.facts?.annotations).toEqual(all);
  });

  it('are told from the finished message where no event announced them', async () => {
    const { parts } = await readEvents([
      created,
      done(0, message('', { content: [annotated([page('https://a.test/', 0)])] })),
      completed(),
    ]);
    expect(partsOf(parts, 'source')).toHaveLength(1);
  });

  it('that a search lists and the text cites are told once', async () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: {
        type: 'search',
        sources: [
          { type: 'url', url: 'https://a.test/' },
          { type: 'url', url: 'https://c.test/' },
        ],
      },
    };
    const { parts } = await readEvents([
      created,
      done(0, search),
      done(1, message('', { content: [annotated([page('https://a.test/', 0)])] })),
      completed(),
    ]);
    expect(partsOf(parts, 'source').map((source) => (source.kind === 'url' ? source.url : ''))).toEqual([
      'https://a.test/',
      'https://c.test/',
    ]);
  });

  it('may be files, and files of a container', async () => {
    const files: JsonObject[] = [
      { type: 'file_citation', file_id: 'file_1', filename: 'ducks.pdf', index: 3 },
      { type: 'container_file_citation', container_id: 'cntr_1', file_id: 'cfile_1', filename: 'plot.png' },
      { type: 'file_path', file_id: 'file_2', index: 1 },
    ];
    const { parts } = await readEvents([created, done(0, message('', { content: [annotated(files)] })), completed()]);
    expect(partsOf(parts, 'source')).toMatchObject([
      { kind: 'document', title: 'ducks.pdf', filename: 'ducks.pdf', fileId: 'file_1' },
      { kind: 'document', title: 'plot.png', fileId: 'cfile_1', containerId: 'cntr_1' },
      { kind: 'document', title: 'file_2', fileId: 'file_2' },
    ]);
  });
});

describe('facts of a text', () => {
  it('logprobs are told with the text and with the end of the round', async () => {
    const logprobs = [{ token: 'See', logprob: -0.1, bytes: [83], top_logprobs: [] }];
    const { parts, result } = await readEvents([
      created,
      done(0, message('', { content: [annotated([], { logprobs })] })),
      completed(),
    ]);
    expect(partsOf(parts, 'text-end')[0]?.facts?.logprobs).toEqual([logprobs]);
    expect(result.logprobs).toEqual([logprobs]);
  });

  it('the phase is told when the text begins, and kept for the next request', async () => {
    const { parts, content } = await readEvents([
      created,
      added(0, message('', { id: 'msg_1', phase: 'commentary' })),
      textDelta(0, 'Looking.', 'msg_1'),
      done(0, message('Looking.', { id: 'msg_1', phase: 'commentary' })),
      added(1, message('', { id: 'msg_2' })),
      textDelta(1, 'Found.', 'msg_2'),
      done(1, message('Found.', { id: 'msg_2', phase: 'final_answer' })),
      completed(),
    ]);
    expect(partsOf(parts, 'text-start').map((part) => part.facts?.phase)).toEqual(['commentary', undefined]);
    expect(partsOf(parts, 'text-end').map((part) => part.facts?.phase)).toEqual(['commentary', 'final_answer']);
    expect(content).toEqual([
      { type: 'text', text: 'Looking.', phase: 'commentary' },
      { type: 'text', text: 'Found.', phase: 'final_answer' },
    ]);
  });
});

describe('facts of a response', () => {
  it('the service tier at the end wins over the one asked for', async () => {
    const asked = { type: 'response.created', response: { id: 'resp_1', service_tier: 'auto' } };
    const { result } = await readEvents([asked, textDelta(0, 'Hi'), completed({ service_tier: 'flex' })]);
    expect(result.responseFacts?.serviceTier).toBe('flex');
  });

  it('id, model and time are told as soon as they are known, and again only when there is more to tell', async () => {
    const { parts } = await readEvents([
      { type: 'response.created', response: { id: 'resp_1' } },
      textDelta(0, 'Hi'),
      completed({ model: 'gpt-test', created_at: 5 }),
    ]);
    expect(partsOf(parts, 'response')).toEqual([
      { type: 'response', responseId: 'resp_1' },
      { type: 'response', responseId: 'resp_1', model: 'gpt-test', createdAt: 5 },
    ]);
  });
});

describe('usage', () => {
  it.each<[string, JsonObject | null | undefined, JsonObject]>([
    ['null', null, {}],
    ['missing', undefined, {}],
    ['empty', {}, { raw: {} }],
    [
      'without details (llama.cpp)',
      { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
      { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
    ],
    [
      'with null details',
      { input_tokens: 5, input_tokens_details: null, output_tokens_details: null },
      { inputTokens: 5 },
    ],
    [
      'with more cached than read (xAI)',
      { input_tokens: 5, input_tokens_details: { cached_tokens: 9 } },
      { inputTokens: 5, cachedInputTokens: 9 },
    ],
    ['with texts and negative numbers', { input_tokens: '5', output_tokens: -1 }, { outputTokens: 0 }],
    [
      'whole',
      {
        input_tokens: 5,
        output_tokens: 4,
        total_tokens: 9,
        input_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
        output_tokens_details: { reasoning_tokens: 3 },
      },
      {
        inputTokens: 5,
        outputTokens: 4,
        totalTokens: 9,
        cachedInputTokens: 2,
        cacheWriteTokens: 1,
        reasoningTokens: 3,
      },
    ],
  ])('that is %s tells the numbers there are and no others', async (_, usage, expected) => {
    const { result } = await readEvents([created, textDelta(0, 'Hi'), completed({ usage })]);
    const { raw: _raw, ...counts } = result.usage;
    const { raw: _also, ...wanted } = expected;
    expect(counts).toEqual(wanted);
  });

  it('null in an early event takes nothing away', async () => {
    const { result } = await readEvents([
      { type: 'response.created', response: { id: 'resp_1', usage: null } },
      textDelta(0, 'Hi'),
      completed({ usage: { input_tokens: 1 } }),
    ]);
    expect(result.usage.inputTokens).toBe(1);
  });
});
