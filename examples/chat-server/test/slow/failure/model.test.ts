import { errorReply, responseEvents, type ScriptedReply } from 'responses-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { textOf, typesOf, until } from '../../support/chat-client.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { startChat } from '../../support/start-chat.js';

const models: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(models.splice(0).map((model) => model.close()));
});

/** A model whose first answers are these. */
async function withReplies(...replies: readonly ScriptedReply[]) {
  const model = await startScriptedModel({ answer: ({ index }) => replies[index] });
  models.push(model);
  return { model, chat: await startChat({ baseURL: model.baseURL }) };
}

const events = responseEvents({ output: [{ type: 'text', text: ['Half ', 'of ', 'it ', 'and more'] }] });
/** Behind "Half of it ". */
const END = events.findLastIndex((event) => 'type' in event && event.type === 'response.output_text.delta');
const cut = (ending: 'reset' | 'stall'): ScriptedReply => ({ events: events.slice(0, END), ending });

const FAILURES: readonly (readonly [string, readonly ScriptedReply[], RegExp])[] = [
  [
    'refuses the key',
    [errorReply({ status: 401, message: 'No such key.' })],
    /No such key.* Check the key you started/,
  ],
  ['refuses the request', [errorReply({ status: 400, message: 'No such model.' })], /No such model/],
  ['breaks the stream off', [cut('reset')], /./],
  [
    'says in the stream that it failed',
    [{ events: responseEvents({ status: 'failed', error: { code: 'invalid_prompt', message: 'Out of memory.' } }) }],
    /Out of memory/,
  ],
];

describe('a model server that', () => {
  it.each(FAILURES)(
    '%s gives an error that a person can read; the chat goes on and Regenerate works',
    async (_what, replies, message) => {
      const { model, chat } = await withReplies(...replies);
      const failed = await chat.send('f', 'hello');
      const error = failed.chunks.find(({ type }) => type === 'error');
      expect(error).toMatchObject({
        errorText: expect.stringMatching(message) as string,
        code: expect.any(String) as string,
      });
      expect(failed.isDone).toBe(true);
      const session = await chat.idle('f');
      expect(session.messages.map(({ role, messageKind }) => [role, messageKind])).toEqual([
        ['user', 'normal'],
        ['assistant', 'error'],
      ]);
      const [question, answer] = session.messages;
      expect(answer?.parts.at(-1)).toMatchObject({ type: 'text', text: error?.['errorText'] });
      expect(answer?.metadata.error).toEqual({ code: error?.['code'], message: error?.['errorText'] });
      const anew = await chat.post({ id: 'f', trigger: 'regenerate-message', messageId: answer?.id });
      expect(textOf(anew.chunks)).toBe('You said: hello');
      expect((await chat.session('f')).messages[1]?.siblings).toHaveLength(2);
      expect((await chat.session('f')).messages[0]?.id).toBe(question?.id);
      // The model is not sent what was said to the person.
      await chat.api('PATCH', '/api/sessions/f', { leafId: answer?.id });
      await chat.send('f', 'next');
      expect(model.requests.at(-1)?.text).not.toMatch(message.source === '.' ? /connection/ : message);
      expect(model.problems).toEqual([]);
    },
  );

  it.each([
    ['is overloaded', errorReply({ status: 429, headers: { 'retry-after': '0' } })],
    ['is not ready', errorReply({ status: 503, headers: { 'retry-after': '0' } })],
    ['hangs up', { none: 'reset' } satisfies ScriptedReply],
  ])('%s at first is asked again, and nothing is seen of it', async (_what, reply) => {
    const { chat, model } = await withReplies(reply);
    const { chunks } = await chat.send('r', 'hello');
    expect(textOf(chunks)).toBe('You said: hello');
    expect(typesOf(chunks)).not.toContain('error');
    expect(model.requests.length).toBeGreaterThan(1);
  });

  it('cannot be reached at all gives an error that tells what to check, and not where it is', async () => {
    const chat = await startChat({ baseURL: 'http://127.0.0.1:9/v1' });
    const { chunks } = await chat.send('none', 'hello');
    expect(chunks.find(({ type }) => type === 'error')).toMatchObject({
      errorText: expect.stringMatching(/^(?!.*127\.0\.0\.1).*--base-url is right\.$/) as string,
    });
    expect((await chat.session('none')).messages.map(({ messageKind }) => messageKind)).toEqual(['normal', 'error']);
  });

  it('stalls in the middle can be stopped, and what it said is kept', async () => {
    const { chat } = await withReplies(cut('stall'));
    const body = chat.message('s', 'hello');
    const turn = chat.post(body);
    await until(
      async () => {
        const leave = new AbortController();
        setTimeout(() => leave.abort(), 500);
        let text = '';
        try {
          const response = await chat.fetch('GET', '/api/chat/s/stream', undefined, { signal: leave.signal });
          for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
        } catch {
          // Long enough.
        }
        return text;
      },
      (text) => text.includes('"it "'),
    );
    await chat.api('POST', '/api/chat/s/stop', {});
    expect((await turn).chunks.at(-1)).toMatchObject({ type: 'abort' });
    const { messages } = await chat.session('s');
    expect(messages[1]).toMatchObject({
      metadata: { isAborted: true },
      parts: [{ type: 'text', text: 'Half of it ', state: 'done' }],
    });
  });

  it('does not come to an end is stopped before it fills the memory, and what it said is stored with the reason', async () => {
    const [head, tail] = [events.slice(0, END), events.slice(END, END + 1)];
    const flood = tail.flatMap((event) =>
      Array.from({ length: 35 }, () => ({ ...event, delta: 'x'.repeat(1_000_000) })),
    );
    const { chat } = await withReplies({ events: [...head, ...flood], ending: 'stall' });
    const { chunks } = await chat.send('long', 'hello');
    expect(chunks.find(({ type }) => type === 'error')).toMatchObject({ code: 'turn_too_long' });
    const { messages } = await chat.idle('long');
    expect(messages[1]).toMatchObject({ messageKind: 'error', metadata: { error: { code: 'turn_too_long' } } });
    expect(messages[1]?.parts[0]).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/^Half of it x{1000}/) as string,
    });
    expect(textOf((await chat.send('long', 'again')).chunks)).toBe('You said: again');
  });

  it('fails behind a tool keeps what the tool did, and does not run it again', async () => {
    const call: ScriptedReply = {
      events: responseEvents({ output: [{ type: 'call', name: 'note', arguments: { value: 'x' } }] }),
    };
    const { chat, model } = await withReplies(call, errorReply({ status: 400, message: 'Too much.' }));
    await chat.send('t', 'hello');
    const { messages } = await chat.session('t');
    expect(messages[1]).toMatchObject({
      messageKind: 'error',
      parts: [{ type: 'tool-note', state: 'output-available' }, { type: 'text' }],
    });
    await chat.send('t', 'go on');
    expect(model.problems).toEqual([]);
    expect(model.requests.at(-1)?.input.filter(({ type }) => type === 'function_call')).toHaveLength(1);
  });
});
