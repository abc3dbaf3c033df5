import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueuedItem } from '../../../src/types.js';
import { approvalsIn, type Answer, readAnswer, until } from '../../support/chat-client.js';
import { type HeldModel, startHeldModel } from '../../support/held-model.js';
import { type ChatProcess, dataOf, startChat } from '../../support/start-chat.js';

let model: HeldModel;
let chat: ChatProcess;

beforeAll(async () => {
  model = await startHeldModel();
  chat = await startChat({ baseURL: model.baseURL });
});
afterAll(async () => {
  await model.close();
  expect(model.problems).toEqual([]);
});

const queue = { whileRunning: 'queue' };
const waiting = async (session: string): Promise<readonly QueuedItem[]> =>
  Reflect.get(await chat.session(session), 'queue') as readonly QueuedItem[];
const texts = async (session: string): Promise<string[]> => (await waiting(session)).map(({ text }) => text);
const idOf = ({ json }: Answer): string => (json['queued'] as QueuedItem).id;
/** What the person said, in the order of the conversation. */
const said = async (session: string): Promise<string[]> => {
  const { messages } = await chat.session(session);
  return messages.flatMap(({ role, parts }) =>
    role === 'user' ? parts.map((part) => (part.type === 'text' ? part.text : part.type)) : [],
  );
};
/** Begins a turn that waits for its model until `release`. */
const begin = async (session: string, text: string): Promise<{ readonly turn: Promise<Answer> }> => {
  model.hold(text);
  const turn = chat.send(session, text);
  await model.holds(text);
  return { turn };
};
const emptied = (session: string): Promise<unknown> =>
  until(
    async () => ({ ...(await chat.session(session)), items: await waiting(session) }),
    ({ running, items }) => !running && items.length === 0,
  );

describe('messages that are queued while a turn runs', () => {
  it('are listed, can be changed and removed, and are sent in their order once it has ended well', async () => {
    const { turn } = await begin('order', 'be busy');
    const ids: string[] = [];
    for (const text of ['one', 'wrong', 'unwanted', 'three']) ids.push(idOf(await chat.send('order', text, queue)));
    const [, wrong, unwanted] = ids;
    expect(await chat.api('PATCH', `/api/sessions/order/queue/${wrong}`, { text: 'two' })).toMatchObject({
      status: 200,
    });
    expect((await chat.api('DELETE', `/api/sessions/order/queue/${unwanted}`)).status).toBe(204);
    expect(await texts('order')).toEqual(['one', 'two', 'three']);
    model.release();
    const { chunks } = await turn;
    const told = chunks.filter(({ type }) => type === 'data-queue').map(({ data }) => data as { items: QueuedItem[] });
    expect(told.at(-1)?.items.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    // A turn is known by its first chunk.
    expect(chunks[0]?.type).toBe('start');
    await emptied('order');
    expect(await said('order')).toEqual(['be busy', 'one', 'two', 'three']);
  });

  it('begin their turn before anybody hears the end of the one before', async () => {
    model.hold('be busy');
    const response = await chat.fetch('POST', '/api/chat', chat.message('next', 'be busy'));
    await model.holds('be busy');
    await chat.send('next', 'and on', queue);
    model.release();
    await readAnswer(response);
    expect((await chat.session('next')).messages.length + Number((await chat.session('next')).running)).toBeGreaterThan(
      2,
    );
    const { chunks } = await readAnswer(await chat.fetch('GET', '/api/chat/next/stream'));
    if (chunks.length > 0) expect(chunks[0]?.type).toBe('start');
    await emptied('next');
    expect(await said('next')).toEqual(['be busy', 'and on']);
  });

  it.each(['Stop', 'an error'])('wait for the person after %s', async (end) => {
    const session = end === 'Stop' ? 'stopped' : 'failed';
    const { turn } = await begin(session, end === 'Stop' ? 'be busy' : 'fail 400');
    const body = chat.message(session, 'later', queue);
    const queued = await chat.post(body);
    if (end === 'Stop') await chat.api('POST', `/api/chat/${session}/stop`, {});
    model.release();
    await turn;
    await chat.idle(session);
    const isHeld = async (): Promise<void> =>
      expect(await waiting(session)).toMatchObject([{ text: 'later', state: 'held' }]);
    await isHeld();
    const file = dataOf(chat.workspace, 'sessions', session, 'queue.json');
    await until(
      () => readFileSync(file, 'utf8'),
      (text) => text.includes('"isHeld":true'),
    );
    expect((await chat.post({ ...body, whileRunning: undefined })).status).toBe(409);
    // Neither a command nor another turn sends it, and what is queued after it passes it.
    await chat.send(session, '/help');
    await isHeld();
    await chat.send(session, 'something else');
    await isHeld();
    const other = await begin(session, 'busy again');
    await chat.send(session, 'newer', queue);
    model.release();
    await other.turn;
    await until(
      () => texts(session),
      ({ length }) => length === 1,
    );
    await chat.idle(session);
    await isHeld();
    expect((await said(session)).slice(1)).toEqual(['something else', 'busy again', 'newer']);
    const path = `/api/sessions/${session}/queue/${idOf(queued)}/send`;
    expect(await chat.api('POST', path, {})).toEqual({ status: 202, json: { result: 'started' } });
    await emptied(session);
    expect((await said(session)).at(-1)).toBe('later');
    expect((await chat.api('POST', path, {})).status).toBe(404);
  });

  it('wait while a question is open, and go out once the turn behind the answer has ended', async () => {
    model.hold('call writeFile');
    const turn = chat.send('asks', 'call writeFile {"path":"a.md","content":"a"}');
    await model.holds('call writeFile');
    await chat.send('asks', 'after the answer', queue);
    model.release();
    const [id = ''] = approvalsIn((await turn).chunks);
    await chat.idle('asks');
    // No turn runs, but a turn would pass the question, which counts as a no.
    expect(await chat.send('asks', 'sent as it asked', queue)).toMatchObject({
      status: 202,
      json: { queued: { text: 'sent as it asked', state: 'waiting' } },
    });
    // A command takes its turn, and answers no question.
    await chat.send('asks', '/help');
    expect(await texts('asks')).toEqual(['after the answer', 'sent as it asked']);
    await chat.answer('asks', { id, approved: true });
    await emptied('asks');
    const { messages } = await chat.session('asks');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
    expect((await said('asks')).slice(1)).toEqual(['after the answer', 'sent as it asked']);
    expect(messages[1]?.parts[0]).toMatchObject({ state: 'output-available' });
  });

  it('are heard by the turn that runs, if they are sent now', async () => {
    model.hold('call timeNow');
    const turn = chat.send('now', 'call timeNow {}');
    await model.holds('call timeNow');
    await chat.send('now', 'first in line', queue);
    const id = idOf(await chat.send('now', 'urgent', queue));
    const sent = await chat.api('POST', `/api/sessions/now/queue/${id}/send`, {});
    expect(sent).toEqual({ status: 202, json: { result: 'steering' } });
    expect(await waiting('now')).toMatchObject([
      { text: 'urgent', state: 'steering' },
      { text: 'first in line', state: 'waiting' },
    ]);
    model.release();
    expect((await turn).chunks.filter(({ type }) => type === 'data-steered')).toHaveLength(1);
    await emptied('now');
    expect(await said('now')).toEqual(['call timeNow {}', 'first in line']);
  });

  it('keep their files and the choice of a model, also when their text is changed', async () => {
    const { turn } = await begin('files', 'be busy');
    const file = { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain;base64,ZHVja3M=' };
    const parts = [{ type: 'text', text: 'read' }, file] as never;
    const id = idOf(await chat.post(chat.message('files', parts, { ...queue, chatModelSource: 'stock' })));
    await chat.api('PATCH', `/api/sessions/files/queue/${id}`, { text: 'read it' });
    expect(await waiting('files')).toEqual([
      { id, text: 'read it', files: ['a.txt'], state: 'waiting', canSteer: false },
    ]);
    model.release();
    await turn;
    await emptied('files');
    const { messages } = await chat.session('files');
    expect(messages[2]?.parts).toEqual([{ type: 'text', text: 'read it' }, file]);
    expect(messages[3]?.metadata.chatModelSource).toBe('stock');
    expect(model.requests.at(-1)?.text).toContain('ducks');
  });

  it('are refused if their id is there already: queued, said or heard', async () => {
    model.hold('call timeNow');
    const first = chat.message('ids', 'call timeNow {}');
    const turn = chat.post(first);
    await model.holds('call timeNow');
    const bodies = [chat.message('ids', 'queued', queue), chat.message('ids', 'heard', { whileRunning: 'steer' })];
    for (const body of bodies) expect((await chat.post(body)).status).toBe(202);
    for (const body of [...bodies, { ...first, ...queue }]) {
      const refused = await chat.post(body);
      expect([refused.status, refused.json['error']]).toMatchObject([409, { code: 'message_exists' }]);
    }
    expect(await waiting('ids')).toHaveLength(2);
    model.release();
    await turn;
    await emptied('ids');
    for (const body of [...bodies, first]) {
      expect((await chat.post(body)).status).toBe(409);
      expect((await chat.post({ ...body, whileRunning: undefined })).status).toBe(409);
    }
    expect(await said('ids')).toEqual(['call timeNow {}', 'queued']);
  });

  it('are refused if they could never be sent, or are no new message, and the field is named', async () => {
    const { turn } = await begin('wrong', 'be busy');
    const refusals: [Record<string, unknown>, number, string][] = [
      [{ whileRunning: 'soon' }, 422, '"whileRunning"'],
      [{ ...queue, parentMessageId: null }, 422, '"whileRunning"'],
      [{ ...queue, intent: 'utility' }, 422, '"whileRunning"'],
      [{ ...queue, chatModelId: 'nobody' }, 404, 'Unknown model "nobody"'],
      [{}, 409, 'Wait until it has finished'],
    ];
    for (const [fields, status, text] of refusals) {
      const refused = await chat.send('wrong', 'hello', fields);
      expect([refused.status, JSON.stringify(refused.json)]).toEqual([
        status,
        expect.stringContaining(JSON.stringify(text).slice(1, -1)),
      ]);
    }
    const command = await chat.send('wrong', '/help', queue);
    expect([command.status, command.json['error']]).toMatchObject([409, { code: 'turn_running' }]);
    const id = idOf(await chat.send('wrong', 'fine', queue));
    const path = `/api/sessions/wrong/queue/${id}`;
    expect((await chat.api('PATCH', path, { text: ' ' })).status).toBe(422);
    expect((await chat.api('PATCH', '/api/sessions/wrong/queue/nothing', { text: 'a' })).status).toBe(404);
    expect((await chat.api('DELETE', '/api/sessions/nobody/queue/nothing')).status).toBe(404);
    expect((await chat.api('DELETE', '/api/sessions/wrong/queue/..%2F..')).status).toBe(422);
    for (let more = 1; more < 20; more += 1) expect((await chat.send('wrong', `${more}`, queue)).status).toBe(202);
    const full = await chat.send('wrong', 'one too many', queue);
    expect([full.status, full.json['error']]).toMatchObject([409, { code: 'queue_full' }]);
    await chat.api('POST', '/api/chat/wrong/stop', {});
    model.release();
    await turn;
  });

  it('are sent as usual if no turn runs', async () => {
    const { status, chunks } = await chat.send('free', 'hello', queue);
    expect([status, chunks.at(-1)?.type]).toEqual([200, 'finish']);
    expect(await said('free')).toEqual(['hello']);
  });

  it('are gone with their chat', async () => {
    const { turn } = await begin('gone', 'be busy');
    await chat.send('gone', 'later', queue);
    expect((await chat.api('DELETE', '/api/sessions/gone')).status).toBe(204);
    model.release();
    await turn;
    await chat.send('gone', 'anew');
    expect(await said('gone')).toEqual(['anew']);
    expect(await waiting('gone')).toEqual([]);
  });
});
