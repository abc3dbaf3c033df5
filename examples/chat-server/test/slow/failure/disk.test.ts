import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf, typesOf } from '../../support/chat-client.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { dataOf, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => {
  await model.close();
});

const LONG = 'x'.repeat(6_000);

describe('a disk that takes no more', () => {
  it('ends the turn with store_failed, keeps whole lines only, and the chat goes on once there is room', async () => {
    // No file may grow beyond 32 KiB.
    const chat = await startChat({ baseURL: model.baseURL, before: 'ulimit -S -f 32' });
    const failed: string[] = [];
    for (let n = 0; n < 6 && failed.length === 0; n += 1) {
      const { chunks, isDone } = await chat.send('full', `${LONG} ${n}`);
      expect(isDone).toBe(true);
      const error = chunks.find(({ type }) => type === 'error');
      if (error !== undefined) failed.push(String(error['code']), String(error['errorText']));
    }
    expect(failed).toEqual(['store_failed', expect.stringMatching(/could not be saved/)]);
    const file = dataOf(chat.workspace, 'sessions', 'full', 'messages.jsonl');
    const text = readFileSync(file, 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    for (const line of text.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    // Another chat has room, and this one can be read.
    expect(textOf((await chat.send('other', 'hello')).chunks)).toBe('You said: hello');
    expect((await chat.session('full')).messages.length).toBeGreaterThan(1);
    await chat.end();
    const again = await startChat({ baseURL: model.baseURL, workspace: chat.workspace });
    expect(textOf((await again.send('full', 'now?')).chunks)).toBe('You said: now?');
    expect(model.problems).toEqual([]);
  });

  // Root may write to what is read-only.
  it.skipIf(process.getuid?.() === 0)('or a folder that is read-only says so before the model is asked', async () => {
    const chat = await startChat({ baseURL: model.baseURL });
    await chat.send('ro', 'hello');
    const folder = dataOf(chat.workspace, 'sessions', 'ro');
    chmodSync(join(folder, 'messages.jsonl'), 0o400);
    chmodSync(folder, 0o500);
    const asked = model.requests.length;
    const stream = await chat.send('ro', 'next');
    expect(stream.chunks).toEqual([{ type: 'error', code: 'store_failed', errorText: expect.any(String) as string }]);
    expect(await chat.send('ro', 'next', { responseMode: 'json' })).toMatchObject({
      status: 507,
      json: { error: { code: 'store_failed' } },
    });
    expect(model.requests).toHaveLength(asked);
    chmodSync(folder, 0o700);
    chmodSync(join(folder, 'messages.jsonl'), 0o600);
    expect(typesOf((await chat.send('ro', 'next')).chunks)).toContain('finish');
    expect((await chat.session('ro')).messages).toHaveLength(4);
  });
});
