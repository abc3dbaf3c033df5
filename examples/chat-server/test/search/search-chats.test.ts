import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ChatTexts } from '../../src/search/chat-texts.js';
import { readAhead } from '../../src/search/read-ahead.js';
import { type FoundChat, searchChats } from '../../src/search/search-chats.js';
import { FileStorage } from '../../src/store/file-storage.js';
import { MessageStore } from '../../src/store/message-store.js';
import { SessionStore } from '../../src/store/session-store.js';
import { message } from '../support/messages.js';

/** Chats on disk, and a search that counts what it reads. */
function makeChats() {
  const dataFolder = mkdtempSync(join(tmpdir(), 'chat-search-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  mkdirSync(join(dataFolder, 'sessions'));
  const onWarning = (text: string): void => expect.fail(text);
  const storage = new FileStorage(dataFolder);
  const sessions = new SessionStore({ storage, onWarning });
  const messages = new MessageStore({ storage, sessions, onWarning });
  const read: string[] = [];
  const texts = new ChatTexts({
    revisionOf: (id) => messages.revisionOf(id),
    allOnce: (id) => {
      read.push(id);
      return messages.allOnce(id);
    },
  });
  const add = async (id: string, title: string, ...said: readonly string[]): Promise<void> => {
    await sessions.create({ id, title });
    for (const [at, text] of said.entries()) {
      const parentMessageId = at === 0 ? null : `m${at - 1}`;
      await messages.save(id, message(`m${at}`, { parentMessageId, parts: [{ type: 'text', text }] }));
    }
  };
  const search = async (query: string): Promise<readonly FoundChat[]> =>
    searchChats(query, await sessions.list(), texts);
  const found = async (query: string): Promise<string[]> => (await search(query)).map(({ session }) => session.id);
  return { sessions, messages, texts, add, search, found, read };
}

describe('a search over chats', () => {
  it('finds what was said and what a chat is called, in any case and inside of words', async () => {
    const { add, found } = makeChats();
    await add('ducks', 'The pond', 'Where is Alfred?', 'In the reeds.');
    await add('geese', 'Geese', 'Nothing about it.');
    expect(await found('alfred')).toEqual(['ducks']);
    expect(await found('POND')).toEqual(['ducks']);
    expect(await found('eed')).toEqual(['ducks']);
    expect(await found('swan')).toEqual([]);
  });

  it('wants all words, wherever they are, and has chats with all of them in the title first', async () => {
    const { add, found } = makeChats();
    await add('title', 'Green duck', 'hello');
    await add('both', 'Duck', 'It is green.');
    await add('one', 'Duck', 'It is blue.');
    expect(await found('green duck')).toEqual(['title', 'both']);
  });

  it('shows the words around what it found, on one line and without half a sign', async () => {
    const { add, search } = makeChats();
    await add('long', 'Long', `${'🦆'.repeat(60)}\n\nhere is Alfred\n${'🦆'.repeat(90)}`);
    const [found] = await search('alfred');
    expect(found?.excerpt).toMatch(/^… 🦆+ here is Alfred 🦆+ …$/u);
  });

  it('takes signs of patterns for what they are', async () => {
    const { add, found } = makeChats();
    await add('code', 'Code', 'Call foo.bar(x[0]) || $y^2');
    await add('other', 'Other', 'foo bar');
    expect(await found('foo.bar(')).toEqual(['code']);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), async (query) => {
        await found(query);
      }),
    );
  });

  it('looks at the branch that is shown, and at its changes', async () => {
    const { add, found, messages, sessions } = makeChats();
    await add('ducks', 'Ducks', 'Alfred');
    expect(await found('alfred')).toEqual(['ducks']);
    await messages.save('ducks', message('edited', { parts: [{ type: 'text', text: 'Berta' }] }));
    await sessions.update('ducks', { leafId: 'edited' });
    expect(await found('alfred')).toEqual([]);
    expect(await found('berta')).toEqual(['ducks']);
  });

  it('reads each of 500 chats once, and later only those that have changed', async () => {
    const { add, found, read, messages, sessions } = makeChats();
    for (let n = 0; n < 500; n += 1) await add(`chat${n}`, `Chat ${n}`, `number ${n}`);
    expect(await found('"number 77"')).toEqual([]);
    expect(read).toHaveLength(500);
    await found('number 77');
    expect(read).toHaveLength(500);
    await messages.save('chat7', message('m1', { parentMessageId: 'm0', parts: [{ type: 'text', text: 'new' }] }));
    await sessions.update('chat8', { title: 'Another title' });
    expect(await found('new')).toEqual(['chat7']);
    expect(read.slice(500)).toEqual(['chat7']);
  });

  it('reads nothing any more once the chats were read ahead, and later only what has changed', async () => {
    const { sessions, texts, add, found, read, messages } = makeChats();
    for (let n = 0; n < 20; n += 1) await add(`chat${n}`, `Chat ${n}`, `number ${n}`);
    await readAhead(sessions, texts, new AbortController().signal);
    expect(read).toHaveLength(20);
    expect(await found('"number 7"')).toEqual([]);
    expect(await found('number 17')).toEqual(['chat17']);
    expect(read).toHaveLength(20);
    await messages.save('chat7', message('m1', { parentMessageId: 'm0', parts: [{ type: 'text', text: 'new' }] }));
    expect(await found('new')).toEqual(['chat7']);
    expect(read).toHaveLength(21);
  });

  it('is read ahead no further once the server ends', async () => {
    const { sessions, texts, add, read } = makeChats();
    for (let n = 0; n < 5; n += 1) await add(`chat${n}`, `Chat ${n}`, `number ${n}`);
    await readAhead(sessions, texts, AbortSignal.abort());
    expect(read).toEqual([]);
  });

  it('leaves the chats that are open in memory', async () => {
    const { add, found, messages } = makeChats();
    await add('open', 'Open', 'hello');
    const before = await messages.all('open');
    for (let n = 0; n < 40; n += 1) await add(`chat${n}`, `Chat ${n}`);
    await messages.all('open');
    await found('hello');
    expect((await messages.all('open'))[0]).toBe(before[0]);
  });
});
