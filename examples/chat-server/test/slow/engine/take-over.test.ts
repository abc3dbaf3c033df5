import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approvalsIn, type Chunk, textOf, typesOf, until } from '../../support/chat-client.js';
import { answersOf, ChatFollower } from '../../support/chat-follower.js';
import { countingServer } from '../../support/counting-server.js';
import { startScriptedModel } from '../../support/scripted-model.js';
import { isRunning, newPlace, startTwo, useModel } from '../../support/instances.js';
import { type ChatProcess, newFolder } from '../../support/start-chat.js';

const LIMIT_MS = 10_000;
const LONG = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ');
const { postgres, model } = await useModel(() => startScriptedModel({ delayMs: 40 }));
/** Kills the server of a turn, and follows the turn at the other one until it has ended. Returns how long that took to begin. */
async function killAndFollow(one: ChatProcess, follower: ChatFollower): Promise<number> {
  const seen = follower.chunks.length;
  expect(seen).toBeGreaterThan(0);
  await one.end('SIGKILL');
  const killedAt = Date.now();
  await follower.read(() => follower.reloads > 0);
  const tookMs = Date.now() - killedAt;
  await follower.read();
  return tookMs;
}

const deltas = (chunks: readonly Chunk[]): number => chunks.filter(({ type }) => type === 'text-delta').length;

describe.skipIf(postgres === undefined)('kill -9 of the instance that has a turn', () => {
  it('in the middle of a text: the other one says it whole within 10 s, and nothing twice', async () => {
    const [one, two] = await startTwo(newPlace(postgres, model));
    const sent = one.send('s', LONG).catch(() => undefined);
    await isRunning(one, 's');
    const follower = new ChatFollower('s', two);
    await follower.read((chunks) => deltas(chunks) > 5);
    expect(await killAndFollow(one, follower)).toBeLessThan(LIMIT_MS);
    await sent;
    expect(textOf(follower.chunks)).toBe(`You said: ${LONG}`);
    const session = await two.session('s');
    expect(answersOf(session)).toEqual([`You said: ${LONG}`]);
    expect([session.running, follower.isDone]).toEqual([false, true]);
    // The server that handed the stream on has nothing to say of it.
    expect(two.stderr).not.toMatch(/Error|^ +at /m);
    expect(textOf((await two.send('s', 'and now?')).chunks)).toBe('You said: and now?');
    expect(model.problems).toEqual([]);
  });

  it('while a tool reads: the model hears of it, and goes on', async () => {
    const mcp = countingServer(newFolder());
    const [one, two] = await startTwo({ ...newPlace(postgres, model), args: mcp.args });
    const sent = one.send('r', 'call look {}\ncall wait {}').catch(() => undefined);
    await until(mcp.did, (did) => did.includes('wait began'));
    const follower = new ChatFollower('r', two);
    await follower.read((chunks) => chunks.length > 0);
    expect(await killAndFollow(one, follower)).toBeLessThan(LIMIT_MS);
    await sent;
    const [answer = ''] = answersOf(await two.session('r'));
    expect(answer).toMatch(/^Done: .*waited|^Done: .*interrupted/);
    expect(model.problems).toEqual([]);
  });

  it('behind a stored approval, while the tool writes: it ran once, and the model hears that it may have run', async () => {
    const place = newPlace(postgres, model);
    const [one, two] = await startTwo(place);
    const command = 'call shellCommand {"command":"bash -c \\"echo ran >> ran.txt; sleep 60\\""}';
    const [id = ''] = approvalsIn((await one.send('w', command)).chunks);
    const answered = two.answer('w', { id, approved: true }).catch(() => undefined);
    const ran = join(place.workspace, 'ran.txt');
    await until(() => existsSync(ran), Boolean);
    const follower = new ChatFollower('w', two);
    await follower.read((chunks) => chunks.length > 0);
    expect(await killAndFollow(one, follower)).toBeLessThan(LIMIT_MS);
    await answered;
    const { messages } = await two.session('w');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages[1]?.parts[0]).toMatchObject({
      state: 'output-error',
      errorText: expect.stringContaining('may have'),
    });
    expect(answersOf(await two.session('w'))[0]).toMatch(/^Done: .*interrupted/);
    expect(readFileSync(ran, 'utf8')).toBe('ran\n');
    expect((await two.answer('w', { id, approved: true })).status).toBe(409);
    expect(model.problems).toEqual([]);
  });

  it('while a question waits: it is answered at the other one, and the tool runs once', async () => {
    const place = newPlace(postgres, model);
    const [one, two] = await startTwo(place);
    const [id = ''] = approvalsIn((await one.send('q', 'call writeFile {"path":"a.md","content":"yes"}')).chunks);
    await one.end('SIGKILL');
    const { chunks } = await two.answer('q', { id, approved: true });
    expect(typesOf(chunks)).toContain('finish');
    expect(readFileSync(join(place.workspace, 'a.md'), 'utf8')).toBe('yes');
  });
});
