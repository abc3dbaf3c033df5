import { describe, expect, it } from 'vitest';

import {
  added,
  completed,
  created,
  done,
  message,
  reasoning,
  summaryDelta,
  textDelta,
  thinkDelta,
} from './support/events.js';
import { partsOf, readEvents } from './support/read-events.js';

const summaries = ['First.', 'Second.', 'Third.'];
const summary = summaries.map((text) => ({ type: 'summary_text', text }));

describe('reasoning that is told twice', () => {
  const TEXT = 'First, analyze.';

  it.each([
    [
      'streamed as text, repeated as a summary',
      'response.reasoning_text.delta',
      { summary: [{ type: 'summary_text', text: TEXT }] },
    ],
    [
      'streamed as a summary, repeated as text',
      'response.reasoning_summary_text.delta',
      { content: [{ type: 'reasoning_text', text: TEXT }] },
    ],
  ])('%s, is shown once (xAI)', async (_name, type, item) => {
    const { parts, result } = await readEvents([
      created,
      added(0, { type: 'reasoning', id: 'rs_1' }),
      { type, output_index: 0, summary_index: 0, content_index: 0, delta: TEXT },
      done(0, { type: 'reasoning', id: 'rs_1', ...item }),
      completed(),
    ]);
    expect(partsOf(parts, 'reasoning-delta').map(({ delta }) => delta)).toEqual([TEXT]);
    expect(partsOf(parts, 'reasoning-start')).toHaveLength(1);
    expect(result.content).toHaveLength(1);
  });

  it('a summary that says something else is shown beside the text', async () => {
    const { parts } = await readEvents([
      created,
      added(0, { type: 'reasoning', id: 'rs_1' }),
      thinkDelta(0, TEXT),
      done(0, { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Analysis.' }] }),
      completed(),
    ]);
    expect(partsOf(parts, 'reasoning-delta').map(({ delta }) => delta)).toEqual([TEXT, 'Analysis.']);
  });
});

describe('three summaries in one item', () => {
  const announced = summaries.flatMap((text, at) => [
    {
      type: 'response.reasoning_summary_part.added',
      output_index: 0,
      summary_index: at,
      part: { type: 'summary_text', text: '' },
    },
    summaryDelta(0, at, text.slice(0, 3)),
    summaryDelta(0, at, text.slice(3)),
    { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: at, text },
    {
      type: 'response.reasoning_summary_part.done',
      output_index: 0,
      summary_index: at,
      part: { type: 'summary_text', text },
    },
  ]);

  it.each([
    ['streamed with all events', announced],
    ['streamed with deltas only', summaries.map((text, at) => summaryDelta(0, at, text))],
    ['not streamed at all', []],
  ])('%s: three parts, and one item for the next request', async (_, events) => {
    const item = reasoning({ summary, encrypted_content: 'sealed' });
    const read = await readEvents([
      created,
      added(0, reasoning()),
      ...events,
      done(0, item),
      completed({ output: [item] }),
    ]);
    expect(read.reasoning).toEqual(summaries);
    expect(read.content).toEqual([
      { type: 'reasoning', summary: summaries, text: [], encrypted: 'sealed', itemId: 'rs_1' },
    ]);
  });

  it('the parts say that they belong together, and the last one holds the seal', async () => {
    const item = reasoning({ summary, encrypted_content: 'sealed' });
    const { parts } = await readEvents([created, added(0, reasoning()), ...announced, done(0, item), completed()]);
    expect(partsOf(parts, 'reasoning-end').map((part) => part.facts?.reasoning)).toEqual([
      { kind: 'summary', continues: true },
      { kind: 'summary', continues: true },
      { kind: 'summary', encrypted: 'sealed' },
    ]);
  });
});

describe('reasoning as raw text', () => {
  const thought = reasoning({ content: [{ type: 'reasoning_text', text: 'Hmm, yes.' }] });

  it.each([
    [
      'deltas (llama.cpp)',
      [added(0, reasoning()), thinkDelta(0, 'Hmm, ', 'rs_1'), thinkDelta(0, 'yes.', 'rs_1'), done(0, thought)],
    ],
    [
      'done only (LM Studio)',
      [
        added(0, reasoning()),
        { type: 'response.reasoning_text.done', output_index: 0, content_index: 0, text: 'Hmm, yes.' },
        done(0, thought),
      ],
    ],
    [
      'the names of Open Responses',
      [
        { type: 'response.reasoning.delta', item_id: 'rs_1', delta: 'Hmm, ' },
        { type: 'response.reasoning.done', item_id: 'rs_1', text: 'Hmm, yes.' },
      ],
    ],
    ['the finished item only', [done(0, thought)]],
    ['deltas of an item nobody announced', [thinkDelta(undefined, 'Hmm, '), thinkDelta(undefined, 'yes.')]],
  ])('%s: told once and kept as text', async (_, events) => {
    const { reasoning: told, content } = await readEvents([created, ...events, completed()]);
    expect(told).toEqual(['Hmm, yes.']);
    expect(content).toMatchObject([{ type: 'reasoning', summary: [], text: ['Hmm, yes.'] }]);
  });

  it('summary deltas without a part before them (Ollama), whose plain thinking comes back as its seal', async () => {
    const item = reasoning({ summary: [{ type: 'summary_text', text: 'Hmm.' }], encrypted_content: 'Hmm.' });
    const { reasoning: told, content } = await readEvents([
      created,
      added(0, reasoning()),
      summaryDelta(0, 0, 'Hmm.'),
      done(0, item),
      completed(),
    ]);
    expect(told).toEqual(['Hmm.']);
    expect(content).toMatchObject([{ summary: ['Hmm.'], encrypted: 'Hmm.' }]);
  });

  it('an item finished only after the answer began stays one part (llama.cpp)', async () => {
    const {
      reasoning: told,
      texts,
      content,
    } = await readEvents([
      created,
      added(undefined, reasoning()),
      thinkDelta(undefined, 'Hmm.', 'rs_1'),
      added(undefined, message('')),
      textDelta(undefined, 'Hello', 'msg_1'),
      done(undefined, reasoning({ content: [{ type: 'reasoning_text', text: 'Hmm.' }], encrypted_content: '' })),
      done(undefined, message('Hello')),
      completed(),
    ]);
    expect([told, texts]).toEqual([['Hmm.'], ['Hello']]);
    expect(content).toEqual([
      { type: 'reasoning', summary: [], text: ['Hmm.'], itemId: 'rs_1' },
      expect.objectContaining({ type: 'text', text: 'Hello' }),
    ]);
  });

  it('summary and raw text of one item are both told', async () => {
    const item = reasoning({
      summary: [{ type: 'summary_text', text: 'In short.' }],
      content: [{ type: 'reasoning_text', text: 'At length.' }],
    });
    const { reasoning: told, content } = await readEvents([created, done(0, item), completed()]);
    expect(told).toEqual(['In short.', 'At length.']);
    expect(content).toMatchObject([{ summary: ['In short.'], text: ['At length.'] }]);
  });
});

describe('reasoning that shows nothing', () => {
  it('is one empty part that holds the seal', async () => {
    const item = reasoning({ encrypted_content: 'sealed' });
    const {
      parts,
      reasoning: told,
      content,
    } = await readEvents([created, done(0, item), completed({ output: [item] })]);
    expect(told).toEqual(['']);
    expect(partsOf(parts, 'reasoning-end')[0]?.facts?.reasoning).toMatchObject({ encrypted: 'sealed' });
    expect(content).toMatchObject([{ encrypted: 'sealed' }]);
  });

  it('and no seal either is nothing to send back', async () => {
    const { content } = await readEvents([
      created,
      added(0, reasoning()),
      done(0, reasoning()),
      done(1, message('Hello')),
      completed(),
    ]);
    expect(content.map((item) => item.type)).toEqual(['text']);
  });
});
