import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.js';
import { added, argsDelta, call, completed, created, done, message, textDelta, textDone } from './support/events.js';
import { partsOf, readEvents } from './support/read-events.js';

describe('a terminal event that does not repeat what was streamed', () => {
  const streamed = [
    created,
    added(0, message('')),
    textDelta(0, 'Hello', 'msg_1'),
    added(1, call('')),
    argsDelta(1, '{"a":1}', 'fc_1'),
  ];
  const finished = [done(0, message('Hello')), done(1, call('{"a":1}'))];
  const responses: Readonly<Record<string, JsonObject>> = {
    'an empty output': { output: [] },
    'no output': { output: undefined },
    'output null': { output: null },
    'a message of nothing': { output: [message('')] },
    'a message that says something else': { output: [message('Done.', { id: 'msg_other' })] },
  };

  it.each(Object.entries(responses))('%s: text and call stay, once', async (_, response) => {
    for (const events of [streamed, [...streamed, ...finished]]) {
      const { texts, calls, result, content } = await readEvents([...events, completed(response)]);
      expect(texts).toEqual(['Hello']);
      expect(calls.map((made) => made.arguments)).toEqual(['{"a":1}']);
      expect(result).toMatchObject({ outcome: 'completed', finishReason: 'tool-calls' });
      expect(content.map((item) => item.type)).toEqual(['text', 'tool-call']);
    }
  });

  it('a text that was told differently stands as it was streamed, with a warning', async () => {
    const { texts, result } = await readEvents([
      created,
      textDelta(0, 'Hello', 'msg_1'),
      completed({ output: [message('Goodbye')] }),
    ]);
    expect(texts).toEqual(['Hello']);
    expect(result.warnings).toHaveLength(1);
  });
});

describe('a text that is repeated by every event that may', () => {
  it('is told once', async () => {
    const { texts } = await readEvents([
      created,
      added(0, message('')),
      textDelta(0, 'Hel', 'msg_1'),
      textDelta(0, 'lo', 'msg_1'),
      textDone(0, 'Hello', 'msg_1'),
      {
        type: 'response.content_part.done',
        output_index: 0,
        item_id: 'msg_1',
        content_index: 0,
        part: { type: 'output_text', text: 'Hello' },
      },
      done(0, message('Hello')),
      completed({ output: [message('Hello')] }),
    ]);
    expect(texts).toEqual(['Hello']);
  });

  it('is not told again by deltas that come after it was finished', async () => {
    const { texts } = await readEvents([
      created,
      done(0, message('Hello')),
      textDelta(0, 'Hello', 'msg_1'),
      textDone(0, 'Hello', 'msg_1'),
      completed(),
    ]);
    expect(texts).toEqual(['Hello']);
  });

  it('is completed by whichever event holds more of it', async () => {
    const { texts, parts } = await readEvents([
      created,
      textDelta(0, 'He', 'msg_1'),
      textDone(0, 'Hell', 'msg_1'),
      done(0, message('Hello')),
      completed({ output: [message('Hello')] }),
    ]);
    expect(texts).toEqual(['Hello']);
    expect(partsOf(parts, 'text-delta').map((part) => part.delta)).toEqual(['He', 'll', 'o']);
  });

  it('keeps two contents of one message apart and joins them in the conversation', async () => {
    const parts = ['One. ', 'Two.'].map((text, at) => ({
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: at,
      delta: text,
    }));
    const content = ['One. ', 'Two.'].map((text) => ({ type: 'output_text', text, annotations: [] }));
    const { texts, content: kept } = await readEvents([
      created,
      added(0, message('')),
      ...parts,
      done(0, message('', { content })),
      completed(),
    ]);
    expect(texts).toEqual(['One. Two.']);
    expect(kept).toMatchObject([{ type: 'text', text: 'One. Two.' }]);
  });
});

describe('a stream of few events', () => {
  it.each([
    ['output_text.done', [textDone(0, 'Hello', 'msg_1'), completed()]],
    ['output_text.done without any address', [textDone(undefined, 'Hello'), completed()]],
    ['deltas nobody announced', [textDelta(undefined, 'Hel'), textDelta(undefined, 'lo'), completed()]],
    ['output_item.done', [done(0, message('Hello')), completed()]],
    ['the terminal event', [completed({ output: [message('Hello')] })]],
    [
      'the terminal event, with a message that names no type',
      [completed({ output: [{ role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }] })],
    ],
  ])('tells the text from %s alone', async (_, events) => {
    const { texts, result } = await readEvents([created, ...events]);
    expect(texts).toEqual(['Hello']);
    expect(result.finishReason).toBe('stop');
  });

  it('needs no response.created', async () => {
    const { texts, result } = await readEvents([textDelta(0, 'Hello'), completed()]);
    expect(texts).toEqual(['Hello']);
    expect(result.responseId).toBe('resp_1');
  });
});

describe('an item that is closed and was never opened', () => {
  it('is nothing when it is empty (LiteLLM closes one in every turn of tools only)', async () => {
    const { texts, calls, content } = await readEvents([
      created,
      done(0, call('{"a":1}')),
      textDone(1, '', 'chatcmpl-1'),
      done(1, message('', { id: 'chatcmpl-1' })),
      completed(),
    ]);
    expect(texts).toEqual([]);
    expect(calls).toHaveLength(1);
    expect(content.map((item) => item.type)).toEqual(['tool-call']);
  });

  it('is opened, told and closed when it holds text', async () => {
    const { parts } = await readEvents([created, done(3, message('Hello', { id: 'chatcmpl-1' })), completed()]);
    const types = parts.map((part) => part.type).filter((type) => type.startsWith('text'));
    expect(types).toEqual(['text-start', 'text-delta', 'text-end']);
  });
});

describe('items that are never closed', () => {
  it('are closed when the response ends, and the text counts as whole', async () => {
    const { texts, result, content } = await readEvents([
      created,
      added(0, message('')),
      textDelta(0, 'Hello', 'msg_1'),
      completed({ output: undefined }),
    ]);
    expect(texts).toEqual(['Hello']);
    expect(result.finishReason).toBe('stop');
    expect(content).toMatchObject([{ type: 'text', text: 'Hello' }]);
  });
});
