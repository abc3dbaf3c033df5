import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueuedItem } from '../../../src/types.js';
import { type Chunk, textOf, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { conversationOf, type HeldModel, startHeldModel } from '../../support/held-model.js';
import { type ChatProcess, dataOf, newFolder, startChat } from '../../support/start-chat.js';

let model: HeldModel;
beforeAll(async () => {
  model = await startHeldModel(3);
});
afterAll(async () => {
  await model.close();
  expect(model.problems).toEqual([]);
});

const queue = { whileRunning: 'queue' };
const steer = { whileRunning: 'steer' };
const waiting = async (chat: ChatProcess): Promise<readonly QueuedItem[]> =>
  Reflect.get(await chat.session('s'), 'queue') as readonly QueuedItem[];
/** All texts of the person in the conversation, wherever the model read them. */
const heard = async (chat: ChatProcess): Promise<string[]> =>
  (await chat.session('s')).messages.flatMap(({ role, parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'data-steered') return [part.data.text];
      return role === 'user' && part.type === 'text' ? [part.text] : [];
    }),
  );
/** By hand, one after the other. */
const sendAll = async (chat: ChatProcess): Promise<void> => {
  for (const { id } of await waiting(chat)) {
    await chat.api('POST', `/api/sessions/s/queue/${id}/send`, {});
    await until(
      () => waiting(chat),
      (left) => left.every((item) => item.id !== id),
    );
    await chat.idle('s');
  }
};

describe('kill -9', () => {
  it('leaves a message without an answer, which is answered once if its client sends it again', async () => {
    const workspace = newFolder();
    let chat = await startChat({ baseURL: model.baseURL, workspace });
    model.hold('be quick');
    const message = chat.message('again', 'be quick');
    const lost = chat.post(message).catch(() => undefined);
    await model.holds('be quick');
    await chat.end('SIGKILL');
    model.release();
    await lost;
    chat = await startChat({ baseURL: model.baseURL, workspace });
    const other = {
      id: 'again',
      trigger: 'submit-message',
      message: { ...(message['message'] as object), parts: [{ type: 'text', text: 'other' }] },
    };
    expect(await chat.post(other)).toMatchObject({ status: 409, json: { error: { code: 'message_exists' } } });
    expect(textOf((await chat.post(message)).chunks)).toBe('You said: be quick');
    expect(await chat.post(message)).toMatchObject({ status: 409, json: { error: { code: 'message_exists' } } });
    const session = await chat.session('again');
    expect(session.title).toBe('be quick');
    expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('leaves what was queued and not yet heard, which waits for the person then', async () => {
    const workspace = newFolder();
    let chat = await startChat({ baseURL: model.baseURL, workspace });
    model.hold('be busy');
    const turn = chat.send('s', 'be busy').catch(() => undefined);
    await model.holds('be busy');
    for (const [text, how] of [
      ['one', queue],
      ['two', queue],
      ['to the turn', steer],
    ] as const)
      expect((await chat.send('s', text, how)).status).toBe(202);
    await chat.end('SIGKILL');
    model.release();
    await turn;
    chat = await startChat({ baseURL: model.baseURL, workspace });
    const items = await waiting(chat);
    expect(items.map(({ text, state }) => [text, state])).toEqual([
      ['to the turn', 'held'],
      ['one', 'held'],
      ['two', 'held'],
    ]);
    expect(await heard(chat)).toEqual(['be busy']);
    await chat.send('s', 'and now?');
    expect(await waiting(chat)).toEqual(items);
    await sendAll(chat);
    expect(await heard(chat)).toEqual(['be busy', 'and now?', 'to the turn', 'one', 'two']);
  });

  it('leaves a message that was heard where it was heard, and the model reads it there', async () => {
    const workspace = newFolder();
    const { args } = countingServer(newFolder());
    let chat = await startChat({ baseURL: model.baseURL, workspace, args });
    model.hold('begin');
    const body = chat.message('s', 'begin\ncall look {}');
    const isHeard = (chunks: readonly Chunk[]): boolean => chunks.some(({ type }) => type === 'data-steered');
    const turn = chat.leaveWhen(body, isHeard);
    await model.holds('begin');
    await chat.send('s', 'call wait {}', steer);
    model.release();
    await turn;
    await chat.end('SIGKILL');
    chat = await startChat({ baseURL: model.baseURL, workspace, args });
    expect(await waiting(chat)).toEqual([]);
    expect(await heard(chat)).toEqual(['begin\ncall look {}', 'call wait {}']);
    await chat.send('s', 'and now?');
    const read = conversationOf(model.requests.at(-1) ?? expect.fail());
    expect(read.slice(0, 4)).toEqual(['user: begin\ncall look {}', 'call look', 'output', 'user: call wait {}']);
    expect(read.at(-1)).toBe('user: and now?');
  });

  it('at any moment of turns that are steered and followed loses no message that was taken, and doubles none', async () => {
    const workspace = newFolder();
    const { args } = countingServer(newFolder());
    let chat = await startChat({ baseURL: model.baseURL, workspace, args });
    const taken: string[] = [];
    for (let kill = 0; kill < 12; kill += 1) {
      const turn = chat.send('s', `turn ${kill}\ncall look {}\ncall timeNow {}`).catch(() => undefined);
      taken.push(`turn ${kill}\ncall look {}\ncall timeNow {}`);
      await until(
        () => chat.session('s').catch(() => undefined),
        (shown) => shown?.running === true,
      );
      for (const [text, how] of [
        [`steer ${kill}`, steer],
        [`queue ${kill}`, queue],
      ] as const) {
        const { status, json } = await chat.send('s', text, how).catch(() => ({ status: 0, json: {} }));
        if (status === 202 || status === 200) taken.push(text);
        else expect([status, json]).toEqual([status, expect.anything()]);
      }
      await new Promise((resolve) => setTimeout(resolve, kill * 23));
      await chat.end('SIGKILL');
      await turn;
      chat = await startChat({ baseURL: model.baseURL, workspace, args });
      await sendAll(chat);
    }
    expect((await heard(chat)).toSorted()).toEqual(taken.toSorted());
  });
});

describe('a file of queued messages that is broken', () => {
  it('is named, kept under another name, and the chat goes on', async () => {
    const workspace = newFolder();
    let chat = await startChat({ baseURL: model.baseURL, workspace });
    await chat.send('s', 'hello');
    await chat.end();
    const path = dataOf(workspace, 'sessions', 's', 'queue.json');
    writeFileSync(path, '{"version":1,"items":[{"id":"../x"}]}');
    chat = await startChat({ baseURL: model.baseURL, workspace });
    expect(await waiting(chat)).toEqual([]);
    const { stderr } = await chat.end();
    expect(stderr).toContain('queue.json.broken');
    expect(readFileSync(`${path}.broken`, 'utf8')).toContain('../x');
  });
});
