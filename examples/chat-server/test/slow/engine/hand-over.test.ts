import { setTimeout as sleep } from 'node:timers/promises';
import { poolOf, settingsOf } from 'responses-loop-example-shared/postgres.js';
import { describe, expect, it } from 'vitest';
import { approvalsIn, type Chunk, textOf, until } from '../../support/chat-client.js';
import { answersOf, ChatFollower } from '../../support/chat-follower.js';
import { countingServer } from '../../support/counting-server.js';
import { isRunning, newPlace, startInstance, startTwo, useModel } from '../../support/instances.js';
import { startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder } from '../../support/start-chat.js';

const LONG = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ');
const { postgres, model } = await useModel(() => startScriptedModel({ delayMs: 40 }));
const hasText = (chunks: readonly Chunk[]): boolean => chunks.filter(({ type }) => type === 'text-delta').length > 5;

describe.skipIf(postgres === undefined)('chat-server --engine dbos', () => {
  it('hands a turn over as soon as its instance gets SIGTERM', async () => {
    const [one, two] = await startTwo(newPlace(postgres, model));
    const sent = one.send('s', LONG).catch(() => undefined);
    await isRunning(one, 's');
    const follower = new ChatFollower('s', two);
    await follower.read(hasText);
    const ended = await one.end('SIGTERM');
    expect(ended.code, ended.stderr).toBe(0);
    await follower.read();
    await sent;
    expect(textOf(follower.chunks)).toBe(`You said: ${LONG}`);
    expect(answersOf(await two.session('s'))).toEqual([`You said: ${LONG}`]);
    // By itself a turn that nobody joins would be stopped only after a minute.
    expect((await two.session('s')).messages.at(-1)?.metadata.isAborted).toBeUndefined();
  });

  it('goes on with the turn of the only instance once that is started again', async () => {
    const place = newPlace(postgres, model);
    const one = await startInstance(place);
    const sent = one.send('s', LONG).catch(() => undefined);
    await new ChatFollower('s', one).read((chunks) => chunks.length > 0);
    await one.end('SIGKILL');
    await sent;
    const again = await startInstance(place);
    const session = await again.idle('s');
    expect(answersOf(session)).toEqual([`You said: ${LONG}`]);
  });

  it('writes nothing of a turn any more after it was frozen and another instance has taken it', async () => {
    const [one, two] = await startTwo(newPlace(postgres, model));
    const sent = one.send('s', LONG).catch(() => undefined);
    await isRunning(one, 's');
    const follower = new ChatFollower('s', two);
    await follower.read(hasText);
    process.kill(one.pid, 'SIGSTOP');
    await follower.read();
    process.kill(one.pid, 'SIGCONT');
    expect(textOf(follower.chunks)).toBe(`You said: ${LONG}`);
    const kept = (await two.session('s')).messages;
    await sleep(3_000);
    await sent;
    expect((await two.session('s')).messages).toEqual(kept);
    // It is an instance like others again.
    expect((await one.session('s')).messages).toEqual(kept);
    expect(textOf((await one.send('s', 'well?')).chunks)).toBe('You said: well?');
  });

  it('stops a turn whose instance has just died, wherever the person asks', async () => {
    const [one, two] = await startTwo(newPlace(postgres, model));
    const sent = one.send('s', LONG).catch(() => undefined);
    await new ChatFollower('s', one).read((chunks) => chunks.length > 0);
    await one.end('SIGKILL');
    await sent;
    const stopped = await two.api('POST', '/api/chat/s/stop', {});
    expect([stopped.status, stopped.json]).toEqual([202, { stopped: true }]);
    expect((await two.session('s')).running).toBe(false);
    expect(textOf((await two.send('s', 'next')).chunks)).toBe('You said: next');
  });

  it('breaks the connections of those who listen to a turn when its instance ends, and logs no error', async () => {
    const [one] = await startTwo(newPlace(postgres, model));
    const sent = one.send('s', LONG).catch((error: unknown) => error);
    await new ChatFollower('s', one).read((chunks) => chunks.length > 5);
    const { stderr } = await one.end('SIGTERM');
    expect(await sent).toBeInstanceOf(TypeError);
    expect(stderr).not.toMatch(/Error|^ +at /m);
  });

  it('lets a client go on elsewhere that came while the turn was being taken over', async () => {
    const place = newPlace(postgres, model);
    const [one, two] = await startTwo(place);
    const three = await startInstance(place);
    const sent = one.send('s', LONG).catch(() => undefined);
    await new ChatFollower('s', one).read((chunks) => chunks.length > 5);
    const pool = poolOf(settingsOf(place.database, 'test'));
    const holder = await pool.connect();
    await holder.query('BEGIN; LOCK TABLE chat_server.files IN ACCESS EXCLUSIVE MODE');
    await one.end('SIGKILL');
    await sent;
    const ownerOf = () => pool.query<{ instance: string }>('SELECT instance FROM responses_loop.owners');
    const hasIt = ({ pid }: ChatProcess, { rows }: { rows: { instance: string }[] }): boolean =>
      rows[0]?.instance.includes(`-${pid}-`) === true;
    const found = await until(ownerOf, (now) => !hasIt(one, now));
    const [owner, other] = hasIt(two, found) ? [two, three] : [three, two];
    // It waits for what is stored.
    await sleep(500);
    const follower = new ChatFollower('s', owner, other);
    const reading = follower.read(hasText);
    await sleep(500);
    await holder.query('ROLLBACK');
    holder.release();
    await reading;
    await owner.end('SIGTERM');
    await follower.read();
    expect(textOf(follower.chunks)).toBe(`You said: ${LONG}`);
    expect(answersOf(await other.session('s'))).toEqual([`You said: ${LONG}`]);
    await pool.end();
  });

  it('keeps a turn stopped whose instance dies before it has stored the end', async () => {
    const place = newPlace(postgres, model);
    const [one, two] = await startTwo(place);
    const sent = one.send('s', LONG).catch(() => undefined);
    await new ChatFollower('s', one).read((chunks) => chunks.length > 5);
    const pool = poolOf(settingsOf(place.database, 'test'));
    const holder = await pool.connect();
    await holder.query('BEGIN; LOCK TABLE chat_server.lines IN SHARE MODE');
    const stopping = two.api('POST', '/api/chat/s/stop', {}).catch(() => undefined);
    const stops = () => pool.query('SELECT FROM responses_loop.turns WHERE stop IS NOT NULL AND ended_at IS NULL');
    await until(stops, ({ rowCount }) => rowCount === 1);
    await one.end('SIGKILL');
    await holder.query('ROLLBACK');
    holder.release();
    await Promise.all([sent, stopping, two.idle('s')]);
    const asked = model.requests.length;
    expect(answersOf(await two.session('s')).join('')).not.toContain(LONG);
    expect(textOf((await two.send('s', 'next')).chunks)).toBe('You said: next');
    expect(model.requests).toHaveLength(asked + 1);
    await pool.end();
  });

  it('runs a tool that may write without a question once, if its instance dies as soon as it has run', async () => {
    const mcp = countingServer(newFolder());
    const [one, two] = await startTwo({ ...newPlace(postgres, model), args: mcp.args });
    const [id = ''] = approvalsIn((await one.send('s', 'call count {"what":"first"}')).chunks);
    await one.answer('s', { id, approved: true, always: true });
    const sent = one.send('s', 'call count {"what":"second"}\ncall wait {}').catch(() => undefined);
    await until(mcp.did, (did) => did.includes('count second'));
    await one.end('SIGKILL');
    await sent;
    await two.idle('s');
    expect(mcp.did().filter((line) => line === 'count first')).toHaveLength(1);
    expect(mcp.did().filter((line) => line === 'count second')).toHaveLength(1);
    expect(model.problems).toEqual([]);
  });
});
