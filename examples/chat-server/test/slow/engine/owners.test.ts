import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { keepChats } from '../../../src/owners/keep-chats.js';
import { openSharedPostgres } from '../../../src/store/open-postgres.js';
import { until } from '../../support/chat-client.js';
import { APPLICATION, type Instance, startInstance } from '../../support/owners.js';

const postgres = await postgresForTests();
afterAll(async () => {
  await postgres?.stop();
});

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});
const start = async (database: string, name: string): Promise<Instance> => {
  const instance = await startInstance(database, `http://127.0.0.1:1/${name}`);
  open.push(instance);
  return instance;
};

describe.skipIf(postgres === undefined)('the owner of a chat', () => {
  it('is one instance, however many ask at the same time', async () => {
    const database = postgres?.createDatabase() ?? '';
    const instances = await Promise.all(['a', 'b', 'c'].map((name) => start(database, name)));
    const chats = Array.from({ length: 20 }, (_, at) => `chat_${at}`);
    await Promise.all(chats.flatMap((chat) => instances.map(({ owners }) => owners.placeOf(chat))));
    for (const chat of chats) {
      const places = await Promise.all(instances.map(({ owners }) => owners.placeOf(chat)));
      const at = places.indexOf('here');
      expect(places.filter((place) => place === 'here')).toHaveLength(1);
      expect(places.filter((place) => place !== 'here').map(({ instance }) => instance)).toEqual(
        instances.filter((_, other) => other !== at).map(() => instances[at]?.member.name),
      );
    }
  });

  it('changes only after a release, or once the owner counts as dead; the owner is told that it has lost the chat', async () => {
    const database = postgres?.createDatabase() ?? '';
    const [a, b] = [await start(database, 'a'), await start(database, 'b')];
    expect([await a.owners.claim('one'), await a.owners.claim('two')]).toEqual([true, true]);
    expect(await b.owners.claim('one')).toBe(false);
    await a.owners.release('one');
    expect([a.owners.isHere('one'), await b.owners.claim('one'), await a.owners.claim('one')]).toEqual([
      false,
      true,
      false,
    ]);
    const lost: string[] = [];
    a.owners.onLost((chat) => void lost.push(chat));
    a.fallSilent();
    expect(await b.owners.claim('two')).toBe(false);
    await until(
      // While the owner changes, nobody may be known.
      () => b.owners.claim('two').catch(() => false),
      (isHere) => isHere,
    );
    // By its own clock it stopped sooner.
    expect(lost).toEqual(['two']);
    expect(a.owners.isHere('two')).toBe(false);
    await expect(a.owners.placeOf('two')).rejects.toThrow('takes no turns now');
  }, 60_000);

  it('waits with a new claim until what it lost has ended', async () => {
    const database = postgres?.createDatabase() ?? '';
    const a = await start(database, 'a');
    await a.owners.claim('one');
    let finish: () => void = () => {};
    a.owners.onLost(() => new Promise<void>((resolve) => (finish = resolve)));
    const client = new pg.Client(database);
    await client.connect();
    await client.query('DELETE FROM responses_loop.instances');
    await client.end();
    await until(
      () => a.owners.isHere('one'),
      (isHere) => !isHere,
    );
    let isClaimed = false;
    const claiming = until(
      () => a.member.isSure,
      (isSure) => isSure,
    )
      .then(() => a.owners.claim('one'))
      .then((isHere) => (isClaimed = isHere));
    await sleep(1_500);
    expect([a.member.isSure, isClaimed]).toEqual([true, false]);
    finish();
    expect(await claiming).toBe(true);
  }, 60_000);

  it('gives it back once nobody has asked for it for a while and nothing of it goes on', async () => {
    const database = postgres?.createDatabase() ?? '';
    const [a, b] = [await start(database, 'a'), await start(database, 'b')];
    for (const chat of ['idle', 'busy']) await a.owners.claim(chat);
    const left: string[] = [];
    const chats = {
      isInUse: (chat: string) => chat === 'busy',
      leaveChat: async (chat: string) => void left.push(chat),
    };
    const stop = keepChats(a.owners, chats, 100);
    await until(
      () => b.owners.claim('idle'),
      (isHere) => isHere,
    );
    stop();
    expect([left, a.owners.isHere('idle'), await b.owners.claim('busy')]).toEqual([['idle'], false, false]);
  });

  it('has told an address, else nobody is sent there and it claims nothing', async () => {
    const database = postgres?.createDatabase() ?? '';
    const silent = await startInstance(database);
    open.push(silent);
    await expect(silent.owners.placeOf('one')).rejects.toThrow('takes no turns now');
    const a = await start(database, 'a');
    expect(await a.owners.find('one')).toBeUndefined();
    expect(await a.owners.claim('one')).toBe(true);
    expect(await silent.owners.find('one')).toMatchObject({ address: 'http://127.0.0.1:1/a' });
  });
});

const REFUSED = Array.from({ length: 7 }, () => 'ENOTOWNER');
const codesOf = async (writes: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(writes)).map((one) => (one.status === 'rejected' ? Reflect.get(one.reason, 'code') : one));

describe.skipIf(postgres === undefined)('what is written for a chat', () => {
  it('is refused for a server that has lost it, and a take-over waits for a write that has begun', async () => {
    const database = postgres?.createDatabase() ?? '';
    const [a, b] = [await start(database, 'a'), await start(database, 'b')];
    const openFor = async ({ member }: Instance) => {
      const chats = await openSharedPostgres({ database, application: APPLICATION, member });
      chats.owners.listenAt('http://127.0.0.1:1');
      open.push(chats.storage);
      return chats;
    };
    const [atA, atB] = [await openFor(a), await openFor(b)];
    // Whoever makes a chat has it.
    expect(await atA.storage.makeFolder('sessions/one')).toBe(true);
    await atA.storage.append('sessions/one/messages.jsonl', { at: 'a' });
    const writes = (storage: typeof atB.storage): Promise<unknown>[] => [
      storage.append('sessions/one/messages.jsonl', 1),
      storage.replace('sessions/one/queue.json', '1'),
      storage.update('sessions/one/session.json', () => '1'),
      storage.rewrite('sessions/one/messages.jsonl', () => []),
      storage.rename('sessions/one/messages.jsonl', 'sessions/one/other'),
      storage.makeFolder('sessions/one/agents'),
      storage.removeFolder('sessions/one'),
    ];
    expect(await codesOf(writes(atB.storage))).toEqual(REFUSED);
    // What belongs to no chat is written by all.
    await atB.storage.update('secret', () => 'x');
    const client = new pg.Client(database);
    await client.connect();
    await client.query('BEGIN');
    expect(await atA.owners.hold(client, 'one')).toBe(true);
    a.fallSilent();
    await until(
      () => b.owners.living([a.member.name]),
      ({ size }) => size === 0,
    );
    let isTaken = false;
    const taking = atB.owners.claim('one').then((isHere) => (isTaken = isHere));
    await sleep(500);
    expect(isTaken).toBe(false);
    await client.query('COMMIT');
    await client.end();
    expect(await taking).toBe(true);
    expect(await codesOf(writes(atA.storage))).toEqual(REFUSED);
    expect((await atB.storage.lines('sessions/one/messages.jsonl')).lines).toMatchObject([{ value: { at: 'a' } }]);
    await atB.storage.append('sessions/one/messages.jsonl', { at: 'b' });
  }, 60_000);
});
