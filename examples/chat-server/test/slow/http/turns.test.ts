import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorReply } from 'responses-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf, typesOf, until } from '../../support/chat-client.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, startChat } from '../../support/start-chat.js';

/** What a server with a small window takes. */
const SMALL_WINDOW_CHARS = 12_000;

let model: ScriptedModel;
let chat: ChatProcess;

beforeAll(async () => {
  model = await startScriptedModel({
    delayMs: 2,
    answer: ({ text }) =>
      text.includes('small-window') && text.length > SMALL_WINDOW_CHARS
        ? errorReply({ status: 400, code: 'context_length_exceeded' })
        : undefined,
  });
  chat = await startChat({ baseURL: model.baseURL });
});
afterAll(async () => {
  await model.close();
});

const parts = (session: { messages: readonly { parts: readonly object[] }[] }): unknown[] =>
  session.messages.map((message) => message.parts.map((part) => ('text' in part ? part.text : part)));

describe('a turn', () => {
  it('streams what the model says as chunks of the AI SDK, and stores both messages', async () => {
    const response = await chat.fetch('POST', '/api/chat', chat.message('plain', 'Hello there\nsecond line'));
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    const session = await chat.idle('plain');
    expect(session).toMatchObject({ title: 'Hello there', leafId: session.messages[1]?.id, pendingApprovals: 0 });
    const [user, assistant] = session.messages;
    expect(text).toContain(`data: {"type":"start","messageId":"${assistant?.id}"}`);
    expect(text).toContain('{"type":"data-session","data":{"id":"plain","title":"Hello there"},"transient":true}');
    expect(user).toMatchObject({ role: 'user', parentMessageId: null, messageKind: 'normal' });
    expect(assistant).toMatchObject({
      role: 'assistant',
      parentMessageId: user?.id,
      messageKind: 'normal',
      metadata: { usage: { input: 10, output: 5, rounds: 1 }, chatModelId: 'default', chatModelSource: 'loop' },
    });
    expect(assistant?.parts).toHaveLength(1);
    expect(assistant?.parts[0]).toMatchObject({
      type: 'text',
      text: 'You said: Hello there\nsecond line',
      state: 'done',
    });
  });

  it('sends the model what was said before, in order, behind the system prompt with the instructions of the chat', async () => {
    await chat.api('POST', '/api/sessions', { title: 'Ducks' });
    const { json } = await chat.api<{ id: string }>('POST', '/api/sessions', {
      title: 'T',
      instructions: 'Speak of ducks.',
    });
    await chat.send(json.id, 'one');
    await chat.send(json.id, 'two');
    const request = model.requests.at(-1);
    const said = request?.input.map(({ role, content }) => [role, textOfItem(content)]) ?? [];
    expect(said.slice(1)).toEqual([
      ['user', 'one'],
      ['assistant', 'You said: one'],
      ['user', 'two'],
    ]);
    expect(request?.text).toMatch(/workspace[^]*Speak of ducks\./);
    expect((await chat.session(json.id)).title).toBe('T');
  });

  it('is answered by the stock provider where the request asks for it', async () => {
    const { chunks } = await chat.send('stock', 'call timeNow {}', { chatModelSource: 'stock' });
    expect(typesOf(chunks)).toContain('tool-output-available');
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(model.requests.at(-1)?.headers['user-agent']).toMatch(/ai-sdk\/openai/);
    expect((await chat.session('stock')).messages[1]?.metadata).toMatchObject({ chatModelSource: 'stock' });
  });

  it('gives the message, the usage and the reason of its end at once in JSON mode', async () => {
    const { status, json } = await chat.send('json', 'Hi', { responseMode: 'json' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ message: { role: 'assistant' }, usage: { input: 10 }, finishReason: 'stop' });
    const failed = await chat.send('json', 'fail 400', { responseMode: 'json' });
    expect(failed).toMatchObject({
      status: 502,
      json: { error: { code: 'model_error', message: 'Refused with 400. (invalid_request_error)' } },
    });
  });

  it('runs several steps with tools of the app in one assistant message', async () => {
    const { chunks } = await chat.send('steps', 'think\ncall timeNow {}\ncall note {"value":"x"}');
    expect(typesOf(chunks).filter((type) => type === 'start-step')).toHaveLength(2);
    const { messages } = await chat.session('steps');
    expect(messages).toHaveLength(2);
    expect(messages[1]?.parts.map(({ type }) => type)).toEqual(['text', 'tool-timeNow', 'tool-note', 'text']);
    expect(messages[1]?.metadata.usage).toMatchObject({ input: 20, rounds: 2 });
    await chat.send('steps', 'and now?');
    const types = model.requests.at(-1)?.input.map(({ type, role }) => type ?? role);
    expect(types).toEqual(expect.arrayContaining(['function_call', 'function_call_output']));
    expect(model.problems).toEqual([]);
  });

  it('keeps a title that somebody gave when the first message is edited', async () => {
    await chat.send('named', 'first');
    await chat.api('PATCH', '/api/sessions/named', { title: 'Ducks' });
    await chat.post(chat.message('named', 'edited', { parentMessageId: null }));
    expect((await chat.session('named')).title).toBe('Ducks');
  });

  it('makes a branch of an edit and a sibling of a new answer, and switches between them', async () => {
    await chat.send('tree', 'first');
    const before = await chat.session('tree');
    const [question, answer] = before.messages;
    await chat.post(chat.message('tree', 'edited', { parentMessageId: null }));
    const edited = await chat.session('tree');
    expect(parts(edited)).toEqual([['edited'], ['You said: edited']]);
    expect(edited.messages[0]?.siblings).toEqual([question?.id, edited.messages[0]?.id]);
    expect([before.title, edited.title]).toEqual(['first', 'edited']);
    expect(
      model.requests
        .at(-1)
        ?.input.slice(1)
        .map(({ content }) => textOfItem(content)),
    ).toEqual(['edited']);

    const back = await chat.api('PATCH', '/api/sessions/tree', { leafId: question?.id });
    expect(back.json).toMatchObject({ leafId: answer?.id });
    const { chunks } = await chat.post({ id: 'tree', trigger: 'regenerate-message', messageId: answer?.id });
    const anew = await chat.session('tree');
    expect(chunks[0]).toEqual({ type: 'start', messageId: anew.messages[1]?.id });
    expect(anew.messages[1]?.siblings).toEqual([answer?.id, anew.messages[1]?.id]);
    expect(anew.messages[0]?.id).toBe(question?.id);
    // A message whose parent has several answers goes on behind the one it names.
    await chat.post(chat.message('tree', 'on', { parentMessageId: answer?.id }));
    expect(parts(await chat.session('tree'))).toEqual([['first'], ['You said: first'], ['on'], ['You said: on']]);
  });

  it.each([
    [
      'a message that is there already',
      409,
      'message_exists',
      { message: { id: 'u-seen', role: 'user', parts: [{ type: 'text', text: 'x' }] } },
    ],
    ['a parent that is not there', 404, 'no_such_message', { parentMessageId: 'nobody' }],
    ['a model that is not there', 404, 'no_such_model', { chatModelId: 'gpt-none' }],
    [
      'a skill that is not there',
      404,
      'no_such_skill',
      { message: { id: 'u9', role: 'user', parts: [{ type: 'text', text: '/skill/none go' }] } },
    ],
  ])('refuses %s, and stores and asks nothing', async (_what, status, code, fields) => {
    if ((await chat.fetch('GET', '/api/sessions/refused')).status === 404) {
      await chat.post({
        id: 'refused',
        trigger: 'submit-message',
        message: { id: 'u-seen', role: 'user', parts: [{ type: 'text', text: 'x' }] },
      });
    }
    const before = await chat.session('refused');
    const asked = model.requests.length;
    const answer = await chat.post({ ...chat.message('refused', 'y'), ...fields });
    expect(answer).toMatchObject({ status, json: { error: { code } } });
    expect(await chat.session('refused')).toEqual(before);
    expect(model.requests).toHaveLength(asked);
  });

  it('answers 404 for sessions and messages that are not there', async () => {
    for (const [method, path] of [
      ['GET', '/api/sessions/none'],
      ['PATCH', '/api/sessions/none'],
      ['DELETE', '/api/sessions/none'],
      ['GET', '/api/sessions/none/agents'],
    ] as const) {
      expect((await chat.api(method, path, method === 'PATCH' ? {} : undefined)).status, `${method} ${path}`).toBe(404);
    }
    const missing = await chat.post({ id: 'plain', trigger: 'regenerate-message', messageId: 'none' });
    expect(missing).toMatchObject({ status: 404, json: { error: { code: 'no_such_message' } } });
  });

  it('puts a skill before the text, and keeps the call of it in the store', async () => {
    const folder = join(chat.workspace, '.skills', 'greet');
    const { mkdirSync, writeFileSync } = await import('node:fs');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), '# Greet\nSay MOIN to everybody.\n');
    await chat.send('skill', '/skill/greet now, please');
    expect((await chat.session('skill')).messages[0]?.parts).toEqual([
      { type: 'data-skill', data: { name: 'greet' } },
      { type: 'text', text: 'now, please' },
    ]);
    expect(model.requests.at(-1)?.text).toMatch(/Say MOIN to everybody[^]*now, please/);
  });

  it('sends text files as text and images as images', async () => {
    const file = (mediaType: string, data: string): object => ({
      type: 'file',
      mediaType,
      filename: 'a.x',
      url: `data:${mediaType};base64,${Buffer.from(data).toString('base64')}`,
    });
    await chat.post(
      chat.message('files', [
        { type: 'text', text: 'look' },
        file('text/plain', 'grüße'),
        file('image/png', 'png'),
      ] as never),
    );
    const { text } = model.requests.at(-1) ?? { text: '' };
    expect(text).toMatch(/\[file a\.x\]\\ngrüße/);
    expect(text).toContain('data:image/png;base64,');
    expect((await chat.session('files')).messages[0]?.parts).toHaveLength(3);
  });
});

describe('commands and single questions', () => {
  it('runs a command at the beginning of a text and stores neither it nor its answer', async () => {
    const { chunks } = await chat.send('commands', '/help');
    expect(textOf(chunks)).toContain('/compact');
    expect((await chat.fetch('GET', '/api/sessions/commands')).status).toBe(404);
    await chat.send('commands', 'say /help in the middle, and /unknown at the');
    expect((await chat.session('commands')).messages).toHaveLength(2);
    const unknown = await chat.send('commands', '/unknown is text');
    expect(textOf(unknown.chunks)).toBe('You said: /unknown is text');
  });

  it('finds a title, tells it in the stream, and offers the model no tools for it', async () => {
    await chat.send('titled', 'What do ducks eat?');
    const { chunks } = await chat.send('titled', '/summary-title');
    const title = chunks.find(({ type }) => type === 'data-session')?.['data'] as { title: string };
    expect(title.title).toContain('You said');
    expect((await chat.session('titled')).title).toBe(title.title);
    expect(model.requests.at(-1)?.body['tools']).toBeUndefined();
    expect((await chat.session('titled')).messages).toHaveLength(2);
  });

  it('puts a summary in place of what was said, for the model only', async () => {
    await chat.send('compact', 'the first thing');
    const { json } = await chat.send('compact', '/compact', { intent: 'command' });
    expect(json).toMatchObject({ message: { parts: [{ type: 'text' }] }, finishReason: 'stop' });
    const { messages } = await chat.session('compact');
    expect(messages.map(({ messageKind }) => messageKind)).toEqual(['normal', 'normal', 'compact_summary']);
    await chat.send('compact', 'next');
    const said = model.requests.at(-1)?.input.map(({ content }) => textOfItem(content)) ?? [];
    expect(said.join('\n')).toContain('Summary of the conversation');
    expect(said.filter((text) => text === 'the first thing')).toEqual([]);
  });

  it('gets out of a chat that the server refuses as too long: the error names /compact, whose request is cut until it fits', async () => {
    await chat.send('long', `begin ${'x'.repeat(40_000)} end`);
    const { chunks } = await chat.send('long', 'small-window go on');
    const refused = chunks.find(({ type }) => type === 'error')?.['errorText'];
    expect(refused).toMatch(/Send \/compact/);
    const { json } = await chat.send('long', '/compact', { intent: 'command' });
    expect(json).toMatchObject({ finishReason: 'stop' });
    expect(model.requests.at(-1)?.text.length).toBeLessThanOrEqual(SMALL_WINDOW_CHARS);
    expect(model.requests.at(-1)?.text).toMatch(/user: begin x.* \[…\] .*x end/);
    await chat.send('long', 'And now?');
    const { messages } = await chat.session('long');
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', messageKind: 'normal' });
    expect(JSON.stringify(model.requests.at(-1)?.input)).toContain('Summary of the conversation');
  });

  it('answers a single question without storing anything, also while a turn of the chat runs', async () => {
    const { json } = await chat.send('aside', 'One thing', { intent: 'utility', responseMode: 'json' });
    expect(json).toMatchObject({ message: { parts: [{ text: 'You said: One thing' }] } });
    const { chunks } = await chat.send('aside', 'Another', { intent: 'utility' });
    expect(textOf(chunks)).toBe('You said: Another');
    expect((await chat.fetch('GET', '/api/sessions/aside')).status).toBe(404);
    const unknown = await chat.send('aside', '/nothing', { intent: 'command' });
    expect(unknown).toMatchObject({ status: 404, json: { error: { code: 'no_such_command' } } });
  });
});

describe('sessions', () => {
  it('are listed by their last change, page by page', async () => {
    for (const id of ['l1', 'l2', 'l3']) await chat.send(id, id);
    const first = await chat.api<{ items: { id: string; messageCount: number }[]; next: string }>(
      'GET',
      '/api/sessions?limit=2',
    );
    expect(first.json.items.map(({ id }) => id)).toEqual(['l3', 'l2']);
    expect(first.json.items[0]).toEqual({
      id: 'l3',
      title: 'l3',
      updatedAt: expect.any(String),
      messageCount: 2,
      running: false,
      pendingApprovals: 0,
      isPinned: false,
      isArchived: false,
    });
    const second = await chat.api<{ items: { id: string }[] }>(
      'GET',
      `/api/sessions?limit=1&before=${first.json.next}`,
    );
    expect(second.json.items.map(({ id }) => id)).toEqual(['l1']);
  });

  it('can be renamed, given instructions, and deleted with all that was said', async () => {
    await chat.send('gone', 'x');
    expect(
      (await chat.api('PATCH', '/api/sessions/gone', { title: 'New', instructions: 'Be brief.' })).json,
    ).toMatchObject({ title: 'New', instructions: 'Be brief.' });
    expect((await chat.fetch('DELETE', '/api/sessions/gone')).status).toBe(204);
    expect((await chat.fetch('GET', '/api/sessions/gone')).status).toBe(404);
    await chat.send('gone', 'again');
    expect((await chat.session('gone')).messages).toHaveLength(2);
    expect((await chat.session('gone')).instructions).toBe('');
  });

  it('stop their turn when they are deleted while it runs, and do not come back', async () => {
    const slow = await startScriptedModel({ delayMs: 100 });
    const other = await startChat({ baseURL: slow.baseURL });
    const turn = other.send('d', 'one two three four five six seven eight nine ten');
    await until(
      () => slow.requests.length,
      (count) => count > 0,
    );
    expect((await other.fetch('DELETE', '/api/sessions/d')).status).toBe(204);
    expect(typesOf((await turn).chunks)).toContain('abort');
    await until(
      () => slow.requests[0]?.aborted,
      (aborted) => aborted === true,
    );
    expect((await other.fetch('GET', '/api/sessions/d')).status).toBe(404);
    await other.end();
    await slow.close();
  });

  it('are files that a person can read', async () => {
    await chat.send('file', 'kept');
    const folder = dataOf(chat.workspace, 'sessions', 'file');
    expect(JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8'))).toMatchObject({
      version: 1,
      id: 'file',
      title: 'kept',
      grants: [],
    });
    const lines = readFileSync(join(folder, 'messages.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { role: string }).role)).toEqual(['user', 'assistant']);
  });
});
