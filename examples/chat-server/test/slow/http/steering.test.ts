import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueuedItem, StoredMessage } from '../../../src/types.js';
import { approvalsIn, textOf, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { conversationOf, type HeldModel, startHeldModel } from '../../support/held-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: HeldModel;

beforeAll(async () => {
  model = await startHeldModel();
});
afterAll(async () => {
  await model.close();
  expect(model.problems).toEqual([]);
});

const steer = { whileRunning: 'steer' };
const partsOf = (message: StoredMessage | undefined): string[] =>
  (message?.parts ?? []).map((part) => {
    if (part.type === 'data-steered') return `steered: ${part.data.text}`;
    return part.type === 'text' ? `text: ${part.text}` : part.type;
  });
const waits = (shown: object): readonly QueuedItem[] => Reflect.get(shown, 'queue') as readonly QueuedItem[];

/** Who runs the tool, the tool, and through what the model is asked. */
const WAYS = [
  ['the AI SDK, of this application', 'timeNow', 'model', 'loop'],
  ['the provider, of an MCP server', 'look', 'model', 'loop'],
  ['the AI SDK, of an MCP server', 'look', 'sdk', 'loop'],
  ['the AI SDK, of this application, with the stock provider', 'timeNow', 'model', 'stock'],
  ['the provider, of an MCP server, with the stock provider', 'look', 'model', 'stock'],
  ['the AI SDK, of an MCP server, with the stock provider', 'look', 'sdk', 'stock'],
] as const;

describe.each(WAYS)('a message to a turn whose tool is run by %s', (_, tool, runTools, chatModelSource) => {
  let chat: ChatProcess;
  beforeAll(async () => {
    const { args } = countingServer(newFolder());
    chat = await startChat({ baseURL: model.baseURL, args: [...args, '--run-tools', runTools] });
  });
  afterAll(() => chat.end());

  it('is heard behind the outputs, stands there, and the model reads it there in later turns', async () => {
    const question = `think\ncall ${tool} {}`;
    model.hold(question.split('\n')[0] ?? '');
    const turn = chat.send('s', question, { chatModelSource });
    await model.holds('think');
    const posted = await chat.send('s', 'Only ducks, please.', steer);
    expect(posted).toMatchObject({ status: 202, json: { queued: { text: 'Only ducks, please.', state: 'steering' } } });
    expect(waits(await chat.session('s'))).toHaveLength(1);
    model.release();
    const { chunks } = await turn;
    expect(textOf(chunks)).toContain('You said: Only ducks, please.');
    const heard = chunks.findIndex(({ type }) => type === 'data-steered');
    expect(heard).toBeGreaterThan(chunks.findIndex(({ type }) => type === 'tool-output-available'));
    expect(chunks.slice(heard).some(({ type }) => type === 'text-delta')).toBe(true);
    expect(chunks.slice(0, heard).filter(({ type }) => type === 'text-start')).toHaveLength(1);
    expect(JSON.stringify(chunks)).not.toContain('source-document');
    const { messages, ...shown } = await chat.session('s');
    expect(waits(shown)).toEqual([]);
    expect(messages).toHaveLength(2);
    const stored = partsOf(messages[1]);
    expect(stored.filter((part) => part.startsWith('steered'))).toEqual(['steered: Only ducks, please.']);
    expect(stored.at(-1)).toBe('text: You said: Only ducks, please.');
    for (const source of ['loop', 'stock']) {
      await chat.send('s', `And with ${source}?`, { chatModelSource: source });
      const read = conversationOf(model.requests.at(-1) ?? expect.fail()).slice(0, 6);
      expect(read).toEqual([
        `user: ${question}`,
        'assistant: Let me see what there is.',
        `call ${tool}`,
        'output',
        'user: Only ducks, please.',
        'assistant: You said: Only ducks, please.',
      ]);
    }
  });

  it('is heard once, in its order, and in each further step of the turn', async () => {
    model.hold('begin');
    const turn = chat.send('twice', `begin\ncall ${tool} {}`, { chatModelSource });
    await model.holds('begin');
    await chat.send('twice', `first\ncall ${tool} {}`, steer);
    await chat.send('twice', `second\ncall ${tool} {}`, steer);
    model.release();
    await turn;
    const read = conversationOf(model.requests.at(-1) ?? expect.fail());
    expect(read).toEqual([
      `user: begin\ncall ${tool} {}`,
      `call ${tool}`,
      'output',
      `user: first\ncall ${tool} {}`,
      `user: second\ncall ${tool} {}`,
      `call ${tool}`,
      'output',
    ]);
  });
});

describe.each(['model', 'sdk'])(
  'a message to a turn that asks about a tool of an MCP server, run by: %s',
  (runTools) => {
    it.each([
      ['counted', true],
      ['no ducks', false],
    ])('waits for the answer, and is heard once behind what came of it: %s', async (outcome, approved) => {
      const mcp = countingServer(newFolder());
      const chat = await startChat({ baseURL: model.baseURL, args: [...mcp.args, '--run-tools', runTools] });
      model.hold('call count');
      const turn = chat.send('s', 'call count {"what":"ducks"}');
      await model.holds('call count');
      await chat.send('s', 'And then?', steer);
      model.release();
      const [id = ''] = approvalsIn((await turn).chunks);
      expect(waits(await chat.idle('s'))).toMatchObject([{ text: 'And then?' }]);
      await chat.answer('s', { id, approved, reason: 'no ducks' });
      await until(
        () => chat.session('s'),
        (shown) => !shown.running && waits(shown).length === 0,
      );
      expect(mcp.did().filter((line) => line.startsWith('count'))).toHaveLength(approved ? 1 : 0);
      await chat.send('s', 'last');
      const { text } = model.requests.at(-1) ?? expect.fail();
      const read = conversationOf(model.requests.at(-1) ?? expect.fail());
      expect(text).toContain(outcome);
      expect(read.filter((line) => line === 'user: And then?')).toHaveLength(1);
      expect(read.indexOf('user: And then?')).toBeGreaterThan(read.indexOf('output'));
      await chat.end();
    });
  },
);

describe('a message to a turn that asks', () => {
  it('is still for that turn after answers that begin none: unknown, partial and given before', async () => {
    const chat = await startChat({ baseURL: model.baseURL });
    model.hold('call writeFile');
    const turn = chat.send(
      's',
      'call writeFile {"path":"a.md","content":"a"}\ncall writeFile {"path":"b.md","content":"b"}',
    );
    await model.holds('call writeFile');
    await chat.send('s', 'And then?', steer);
    model.release();
    const [first = '', second = ''] = approvalsIn((await turn).chunks);
    const isSteered = async (): Promise<void> =>
      expect(waits(await chat.idle('s'))).toMatchObject([{ text: 'And then?', state: 'steering' }]);
    await isSteered();
    for (const [id, status] of [
      ['nonsense', 404],
      [first, 202],
      [first, 409],
    ] as const) {
      expect((await chat.answer('s', { id, approved: false })).status).toBe(status);
      await isSteered();
    }
    const { chunks } = await chat.answer('s', { id: second, approved: false });
    expect(chunks.filter(({ type }) => type === 'data-steered')).toHaveLength(1);
    await chat.end();
  });
});

describe('a message to a turn that calls no tool any more', () => {
  let chat: ChatProcess;
  beforeAll(async () => {
    chat = await startChat({ baseURL: model.baseURL, args: countingServer(newFolder()).args });
  });
  afterAll(() => chat.end());

  it('is the next message by itself, once, before those that were queued', async () => {
    model.hold('hello');
    const turn = chat.send('late', 'hello');
    await model.holds('hello');
    await chat.send('late', 'queued', { whileRunning: 'queue' });
    await chat.send('late', 'unheard', steer);
    model.release();
    await turn;
    const { messages } = await until(
      () => chat.session('late'),
      (shown) => !shown.running && waits(shown).length === 0,
    );
    expect(messages.flatMap(partsOf)).toEqual([
      ...['text: hello', 'text: You said: hello', 'text: unheard', 'text: You said: unheard'],
      ...['text: queued', 'text: You said: queued'],
    ]);
    const last = conversationOf(model.requests.at(-1) ?? expect.fail());
    expect(last.filter((line) => line.includes('unheard'))).toEqual(['user: unheard', 'assistant: You said: unheard']);
  });

  it('waits after Stop, and can be sent by hand', async () => {
    model.hold('stop me');
    const turn = chat.send('stopped', 'stop me');
    await model.holds('stop me');
    const { json } = await chat.send('stopped', 'not lost', steer);
    await chat.api('POST', '/api/chat/stopped/stop', {});
    model.release();
    await turn;
    const waiting = waits(await chat.session('stopped'));
    expect(waiting).toMatchObject([{ text: 'not lost', state: 'held' }]);
    const { id } = json['queued'] as QueuedItem;
    const sent = await chat.api('POST', `/api/sessions/stopped/queue/${id}/send`, {});
    expect(sent).toEqual({ status: 202, json: { result: 'started' } });
    const { messages } = await chat.idle('stopped');
    expect(messages.map((message) => partsOf(message).at(-1)).slice(-2)).toEqual([
      'text: not lost',
      'text: You said: not lost',
    ]);
  });

  it.each<[string, object[]]>([
    ['a file', [{ type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain;base64,YQ==' }]],
    ['a skill', [{ type: 'data-skill', data: { name: 'tidy' } }]],
    ['the call of a skill', [{ type: 'text', text: '/skill/tidy now' }]],
  ])('is refused if it has %s, and the refusal names what to do', async (_, parts) => {
    model.hold('hello');
    const turn = chat.send('files', 'hello');
    await model.holds('hello');
    const refused = await chat.post(chat.message('files', parts as never, steer));
    model.release();
    await turn;
    expect(refused.status).toBe(422);
    expect(refused.json['error']).toEqual({
      code: 'cannot_steer',
      message: expect.stringContaining('Send it with "whileRunning": "queue"'),
    });
    expect(waits(await chat.session('files'))).toEqual([]);
  });
});
