import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import pg from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, expect, onTestFinished, test } from 'vitest';

import { session } from '../../support/stored-rows.js';
import { openAt } from '../../support/postgres-store.js';

const PROGRAM = fileURLToPath(new URL('./slow-turn.ts', import.meta.url));
const USE_PACKAGE = fileURLToPath(new URL('../../../../use-package.mjs', import.meta.url));

const server = await postgresForTests();
afterAll(() => server?.stop());

interface Result {
  readonly said: readonly unknown[];
  readonly unkept: readonly unknown[];
  readonly state: string;
  readonly rows: readonly string[];
}

function start(url: string, words: string): { child: ChildProcess; next: () => Promise<unknown>; go: () => void } {
  const child = spawn(process.execPath, ['--import', USE_PACKAGE, PROGRAM, url, 'a', words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
  return { child, next, go: () => void child.stdin.write('\n') };
}

test.skipIf(server === undefined)(
  'a process that was frozen in a turn writes nothing among the rows of the one that took the session over, and is told',
  { timeout: 120_000 },
  async () => {
    const url = server?.createDatabase() ?? '';
    const persister = openAt(url);
    await persister.saveSession(session('a'));
    const rows = async (): Promise<string[]> => (await persister.getMessages('a')).map(({ content }) => content);
    const first = start(url, 'one');
    expect(await first.next()).toBe('waits');
    await expect.poll(rows, { timeout: 10_000 }).toEqual(['one', '', 'seen']);
    first.child.kill('SIGSTOP');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`UPDATE agentx.sessions SET heartbeat = now() - interval '1 minute'`);
    await client.end();

    const second = start(url, 'two');
    expect(await second.next()).toBe('waits');
    first.child.kill('SIGCONT');
    first.go();
    const lost = (await first.next()) as Result;
    expect(lost).toMatchObject({
      said: [
        { errorCode: 'session_lost', message: expect.stringContaining('belongs to another process now') },
        { stopReason: 'error' },
      ],
      unkept: ['late one'],
      state: 'idle',
      rows: ['one', '', 'seen'],
    });
    second.go();
    const won = (await second.next()) as Result;
    expect(won).toMatchObject({ said: [{ stopReason: 'end_turn' }], unkept: [], state: 'idle' });
    expect(won.rows.at(-1)).toBe('late two');
    expect(await rows()).toEqual(won.rows);

    // The first one goes on with what the second one wrote.
    first.go();
    expect(await first.next()).toBe('waits');
    first.go();
    const again = (await first.next()) as Result;
    expect(again.rows).toEqual([...won.rows, 'one', '', 'seen', 'late one']);
    expect(await rows()).toEqual(again.rows);
  },
);
