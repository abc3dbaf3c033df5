import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.js';
import { encodeEvents, type ScriptedEvent } from '../../src/testing.js';
import { replayRound } from '../helpers/replay-round.js';
import {
  added,
  argsDelta,
  argsDone,
  call,
  completed,
  created,
  done,
  message,
  textDelta,
  textDone,
} from './support/events.js';
import { readEvents } from './support/read-events.js';

const ARGS = '{"a":1}';

describe('a stream that ends without a terminal event', () => {
  it('in the middle of a text is an error, and the text stands', async () => {
    const { texts, result } = await readEvents([created, added(0, message('')), textDelta(0, 'Hel', 'msg_1')]);
    expect(texts).toEqual(['Hel']);
    expect(result).toMatchObject({
      outcome: 'truncated',
      finishReason: 'error',
      error: { code: 'stream-truncated', isRetryable: true },
    });
  });

  it('after every item was finished counts as complete, with a warning', async () => {
    const { result } = await readEvents([
      created,
      added(0, message('')),
      textDelta(0, 'Hello', 'msg_1'),
      done(0, message('Hello')),
    ]);
    expect(result).toMatchObject({ outcome: 'completed', finishReason: 'stop' });
    expect(result.warnings).toHaveLength(1);
    expect(result.error).toBeUndefined();
  });

  it.each([
    ['output_item.done', done(0, call(ARGS))],
    ['arguments.done', argsDone(0, ARGS, 'fc_1')],
  ])('a call that is complete by %s is told, and the loop may go on', async (_, last) => {
    const { calls, result } = await readEvents([created, added(0, call('')), argsDelta(0, ARGS, 'fc_1'), last]);
    expect(calls).toHaveLength(1);
    expect(result).toMatchObject({ outcome: 'completed', finishReason: 'tool-calls' });
  });

  it('a call whose arguments only look complete does not count', async () => {
    const { calls, result, content } = await readEvents([created, added(0, call('')), argsDelta(0, ARGS, 'fc_1')]);
    expect(calls).toEqual([]);
    expect(content).toEqual([]);
    expect(result).toMatchObject({ outcome: 'truncated', finishReason: 'error' });
  });

  it('by a broken connection is an error even when every item was finished', async () => {
    const { result } = await readEvents([created, done(0, message('Hello'))], 'reset');
    expect(result).toMatchObject({
      outcome: 'reset',
      finishReason: 'error',
      error: { code: 'stream-reset', isRetryable: true },
    });
  });

  it('before any item is an error', async () => {
    const { result } = await readEvents([created]);
    expect(result).toMatchObject({ outcome: 'truncated', finishReason: 'error' });
  });
});

describe('a response that did not finish', () => {
  const incomplete = (reason: string): ScriptedEvent => ({
    type: 'response.incomplete',
    response: { id: 'resp_1', status: 'incomplete', incomplete_details: { reason }, output: [] },
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['something_new', 'other'],
  ])('%s is told as %s', async (reason, finishReason) => {
    const { texts, result } = await readEvents([created, textDelta(0, 'Hel', 'msg_1'), incomplete(reason)]);
    expect(texts).toEqual(['Hel']);
    expect(result).toMatchObject({ outcome: 'incomplete', finishReason, rawFinishReason: reason });
    expect(result.error).toBeUndefined();
  });

  it('contains no call whose arguments were cut off at the limit, whether or not the server closes that call', async () => {
    const cut = call('{"a', { status: 'incomplete' });
    for (const closing of [[], [done(0, cut)]]) {
      const { calls, content } = await readEvents([
        created,
        added(0, call('')),
        argsDelta(0, '{"a', 'fc_1'),
        ...closing,
        incomplete('max_output_tokens'),
      ]);
      expect(calls).toEqual([]);
      expect(content).toEqual([]);
    }
  });

  const lost = (name: string): string =>
    `The response ended with a call of "${name}" that was cut off; the call was dropped and did not run.`;

  it.each<[string, string, readonly ScriptedEvent[], string]>([
    ['the server closed as incomplete', 'length', [done(0, call('{"a":1', { status: 'incomplete' }))], 'add'],
    ['was never closed', 'other', [added(0, call('')), argsDelta(0, '{"path":"/"} , cut', 'fc_1')], 'add'],
    [
      'of the caller’s own kind the server closed as incomplete',
      'length',
      [
        done(0, {
          type: 'custom_tool_call',
          id: 'ct_1',
          call_id: 'c',
          name: 'patch',
          input: 'ab',
          status: 'incomplete',
        }),
      ],
      'patch',
    ],
  ])('with a call that %s, a completed response ends with %j and a warning', async (_name, reason, events, name) => {
    const { calls, content, result } = await readEvents([created, ...events, completed()]);
    expect([calls, content]).toEqual([[], []]);
    expect(result).toMatchObject({ outcome: 'completed', finishReason: reason, warnings: [lost(name)] });
  });

  it('a call beside one that was cut off runs all the same, with a warning', async () => {
    const cut = call('{"a', { id: 'fc_2', call_id: 'call_2', name: 'sub', status: 'incomplete' });
    const { calls, result } = await readEvents([created, done(0, call('{}')), done(1, cut), completed()]);
    expect(calls.map(({ name }) => name)).toEqual(['add']);
    expect(result).toMatchObject({ finishReason: 'tool-calls', warnings: [lost('sub')] });
  });

  it('Mastra: completed by name, incomplete by status', async () => {
    const { result } = await readEvents([created, completed({ status: 'incomplete', output: [] })]);
    expect(result).toMatchObject({ outcome: 'incomplete', finishReason: 'other' });
  });

  it('a refusal is text, and the reason is the content filter', async () => {
    const refusal = { type: 'refusal', refusal: 'I will not.' };
    const events = (deltas: ScriptedEvent[]): ScriptedEvent[] => [
      created,
      added(0, message('')),
      ...deltas,
      done(0, message('', { content: [refusal] })),
      completed(),
    ];
    const delta = (text: string): ScriptedEvent => ({
      type: 'response.refusal.delta',
      output_index: 0,
      content_index: 0,
      delta: text,
    });
    for (const deltas of [
      [delta('I will'), delta(' not.')],
      [{ type: 'response.refusal.done', output_index: 0, content_index: 0, refusal: 'I will not.' }],
      [],
    ]) {
      const { texts, result } = await readEvents(events(deltas));
      expect(texts).toEqual(['I will not.']);
      expect(result.finishReason).toBe('content-filter');
    }
  });

  it('failed in the middle of a call: the call is none, the error has the words of the server', async () => {
    const failed = {
      type: 'response.failed',
      response: { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'It broke.' } },
    };
    const { calls, content, result } = await readEvents([
      created,
      added(0, call('')),
      argsDelta(0, '{"a"', 'fc_1'),
      failed,
    ]);
    expect(calls).toEqual([]);
    expect(content).toEqual([]);
    expect(result).toMatchObject({
      outcome: 'failed',
      finishReason: 'error',
      error: { serverCode: 'server_error', isRetryable: true },
    });
    expect(result.error?.message).toContain('It broke.');
  });
});

describe('what comes after the end', () => {
  it('does not count: a failure stays a failure, an answer an answer', async () => {
    const failed = { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error: { message: 'no' } } };
    const first = await readEvents([created, textDelta(0, 'Hi'), failed, completed({ output: [message('Hi there')] })]);
    expect(first.texts).toEqual(['Hi']);
    expect(first.result.outcome).toBe('failed');
    const second = await readEvents([created, textDelta(0, 'Hi'), completed(), textDelta(0, ' again'), failed]);
    expect(second.texts).toEqual(['Hi']);
    expect(second.result.outcome).toBe('completed');
  });
});

describe('a stream of Chat Completions', () => {
  it('is refused with an error that names the format and the URL', async () => {
    const chunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: 'Hi' } }],
    };
    const bytes = encodeEvents([chunk as unknown as ScriptedEvent], { eventLines: false });
    const end = (await replayRound([bytes])).at(-1);
    expect(end).toMatchObject({
      result: { outcome: 'failed', error: { code: 'not-a-responses-api', isRetryable: false } },
    });
    const said = end?.type === 'round-end' ? end.result.error?.message : undefined;
    expect(said).toMatch(/^http:\/\/fixture\.test\/v1\/responses answered in the Chat Completions format/);
  });
});

describe('events that say more or less than expected', () => {
  it('change nothing', async () => {
    const unknown: JsonObject[] = [
      { type: 'response.something.new', output_index: 0, item: 5 },
      { type: 'response.output_item.added' },
      { type: 'response.output_text.delta', output_index: 'zero', delta: 5 },
      { type: 'response.reasoning_text.delta' },
      { type: 'response.output_text.annotation.added', annotation: null },
      { type: 'toString', delta: 'x' },
    ];
    const { texts, calls, result } = await readEvents([
      { type: 'response.created', response: { id: '6f0f8c8e-8a3c-4a53-9f43-3c1f0a3f7f5f' } },
      ...(unknown as ScriptedEvent[]),
      textDelta(0, 'Hello'),
      textDone(0, 'Hello'),
      { type: 'response.completed', response: {} },
    ]);
    expect(texts).toEqual(['Hello']);
    expect(calls).toEqual([]);
    expect(result).toMatchObject({
      outcome: 'completed',
      finishReason: 'stop',
      responseId: '6f0f8c8e-8a3c-4a53-9f43-3c1f0a3f7f5f',
    });
  });
});

describe('a response that still runs at the server', () => {
  const running = (status: string, output: readonly JsonObject[] = []): JsonObject => ({
    id: 'resp_bg',
    object: 'response',
    status,
    output: [...output],
  });
  const read = async (body: JsonObject) => {
    const end = (await replayRound([new TextEncoder().encode(JSON.stringify(body))])).at(-1);
    return end?.type === 'round-end' ? end.result : undefined;
  };

  it.each([
    ['queued', running('queued')],
    ['in progress', running('in_progress')],
    [
      'in progress, with a search that is done',
      running('in_progress', [{ type: 'web_search_call', id: 'ws_1', status: 'completed' }]),
    ],
    ['in progress, with the beginning of a text', running('in_progress', [message('Hel')])],
    ['queued, without a list of output', { id: 'resp_bg', object: 'response', status: 'queued' }],
  ])('%s is an error that names the response and what to do', async (_name, body) => {
    const result = await read(body);
    expect(result).toMatchObject({
      outcome: 'failed',
      finishReason: 'error',
      responseId: 'resp_bg',
      error: { code: 'api-error', isRetryable: false, isReplaySafe: false, serverCode: body['status'] },
    });
    expect(result?.error?.message).toContain(
      'The response resp_bg is not finished. Ask for it later with GET /responses/resp_bg, or call without background: true.',
    );
  });

  it('is no empty answer either where a stream ends with it', async () => {
    const { result } = await readEvents([
      created,
      { type: 'response.completed', response: { id: 'resp_bg', status: 'queued', output: [] } },
    ]);
    expect(result).toMatchObject({ outcome: 'failed', error: { serverCode: 'queued', isRetryable: false } });
  });

  it('is an answer where the server streamed it and forgot the status', async () => {
    const { texts, result } = await readEvents([
      created,
      done(0, message('Hello')),
      { type: 'response.completed', response: { id: 'resp_1', status: 'in_progress', output: [] } },
    ]);
    expect(texts).toEqual(['Hello']);
    expect(result).toMatchObject({ outcome: 'completed' });
  });
});

describe('warnings', () => {
  it('come in the same order however the bytes were cut', async () => {
    const events = [
      created,
      added(0, message('')),
      textDelta(0, 'Hel', 'msg_1'),
      textDone(0, 'Hullo', 'msg_1'),
      done(0, message('Hullo')),
      completed(),
    ];
    const garbage = 'data: {no json\n\n';
    const [before, after] = [events.slice(0, 5), events.slice(5)].map((part) =>
      new TextDecoder().decode(encodeEvents(part)),
    );
    const bytes = new TextEncoder().encode(`${before}${garbage}${after}${garbage}`);
    const warnings = await Promise.all(
      [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))].map(async (chunks) => {
        const end = (await replayRound(chunks)).at(-1);
        return end?.type === 'round-end' ? end.result.warnings : [];
      }),
    );
    expect(warnings[0]).toHaveLength(2);
    expect(warnings[1]).toEqual(warnings[0]);
  });
});
