import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileStorage } from '../../../src/store/file-storage.js';
import { MessageStore } from '../../../src/store/message-store.js';
import { SessionStore } from '../../../src/store/session-store.js';
import { openDataFolder } from '../../../src/store/data-folder.js';
import { textOf } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { message } from '../../support/messages.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ delayMs: 2 });
});
afterAll(async () => {
  await model.close();
});

describe('50 turns at the same time', () => {
  it('do not mix: each has its own words, tools, files, grants and messages', async () => {
    const mcp = countingServer(newFolder());
    const chat = await startChat({ baseURL: model.baseURL, args: mcp.args });
    const names = Array.from({ length: 50 }, (_, n) => `p${n}`);
    const answers = await Promise.all(
      names.map((name) => chat.send(name, `think ${name}\ncall note {"value":"mine is ${name}"}\ncall look {}`)),
    );
    for (const [n, { chunks, isDone }] of answers.entries()) {
      const name = names[n] ?? '';
      expect(isDone).toBe(true);
      expect(JSON.stringify(chunks)).toContain(`mine is ${name}"`);
      const others = names.filter((other) => other !== name && JSON.stringify(chunks).includes(`mine is ${other}"`));
      expect(others).toEqual([]);
      const ids = new Set(
        chunks.flatMap((chunk) => (chunk.type === 'data-session' ? [(chunk['data'] as { id: string }).id] : [])),
      );
      expect([...ids]).toEqual([name]);
      const { messages } = await chat.session(name);
      expect(messages).toHaveLength(2);
      expect(messages[0]?.parts[0]).toMatchObject({ text: expect.stringContaining(`think ${name}\n`) as string });
      expect(JSON.stringify(messages[1])).toContain(`mine is ${name}"`);
    }
    expect(mcp.did().filter((line) => line === 'look')).toHaveLength(50);
    expect(model.problems).toEqual([]);
  });
});

describe('50 savings at once', () => {
  it('lose nothing and leave a valid file, of messages and of the session', async () => {
    const given = join(newFolder(), 'data');
    const { folder: dataFolder } = await openDataFolder({ workspace: newFolder(), given, env: {} });
    const warnings: string[] = [];
    const onWarning = (warning: string): void => void warnings.push(warning);
    const storage = new FileStorage(dataFolder);
    const sessions = new SessionStore({ storage, onWarning });
    const messages = new MessageStore({ storage, sessions, onWarning });
    await sessions.create({ id: 's' });
    const ids = Array.from({ length: 50 }, (_, n) => `m${n}`);
    await Promise.all(
      ids.flatMap((id) => [
        messages.save('s', message(id, { parts: [{ type: 'text', text: 'x'.repeat(5_000) }] })),
        sessions.update('s', ({ usage }) => ({ usage: { ...usage, input: usage.input + 1 } })),
      ]),
    );
    const lines = readFileSync(join(dataFolder, 'sessions/s/messages.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id).toSorted()).toEqual(ids.toSorted());
    const again = new SessionStore({ storage, onWarning });
    expect((await again.get('s')).usage.input).toBe(50);
    expect(await new MessageStore({ storage, sessions: again, onWarning }).all('s')).toHaveLength(50);
    expect(warnings).toEqual([]);
  });

  it('to more sessions than are kept in memory lose nothing either', async () => {
    const given = join(newFolder(), 'data');
    const { folder: dataFolder } = await openDataFolder({ workspace: newFolder(), given, env: {} });
    const onWarning = (): void => {};
    const storage = new FileStorage(dataFolder);
    const sessions = new SessionStore({ storage, onWarning });
    const messages = new MessageStore({ storage, sessions, onWarning });
    const ids = Array.from({ length: 80 }, (_, n) => `s${n}`);
    await Promise.all(ids.map((id) => sessions.create({ id })));
    await Promise.all([1, 2, 3].flatMap((round) => ids.map((id) => messages.save(id, message(`m${round}`)))));
    for (const id of ids) expect((await messages.all(id)).map((each) => each.id)).toEqual(['m1', 'm2', 'm3']);
  });
});

describe('a server of MCP that dies', () => {
  it('costs its own call, which says so; the chat and its other tools go on', async () => {
    const mcp = countingServer(newFolder());
    const chat = await startChat({ baseURL: model.baseURL, args: mcp.args });
    const { chunks } = await chat.send('dies', 'call crash {}\ncall timeNow {}');
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
    expect(chunks.some(({ type }) => type === 'tool-output-error')).toBe(true);
    expect(textOf((await chat.send('dies', 'still there?')).chunks)).toBe('You said: still there?');
    const again = await chat.send('dies', 'call look {}');
    expect(textOf(again.chunks)).toMatch(/looked/);
    expect(model.problems).toEqual([]);
  });
});
