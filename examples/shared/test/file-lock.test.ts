import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LockedError, lockFile } from '../file-lock.js';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const newPath = (): string => join(folder, `${(count += 1)}.lock`);
/** No process has it: it is above what Linux gives. */
const DEAD = 2 ** 22 + 1;

describe('a lock file', () => {
  it('is had by one at a time, and says by which process', async () => {
    const path = newPath();
    const lock = await lockFile(path);
    await expect(lockFile(path)).rejects.toEqual(new LockedError(path, process.pid));
    lock.release();
    const next = await lockFile(path);
    lock.release();
    await expect(lockFile(path)).rejects.toThrow(LockedError);
    next.release();
  });

  it.each([
    ['a process that has ended', JSON.stringify({ pid: DEAD, started: '1', token: 'x' })],
    ['a process whose number is used again', JSON.stringify({ pid: process.pid, started: '1', token: 'x' })],
    ['garbage', '{"pid"'],
  ])('is taken over from %s', async (_who, content) => {
    const path = newPath();
    writeFileSync(path, content);
    (await lockFile(path)).release();
  });

  it('is taken over by one of many, and leaves nothing else behind', async () => {
    const path = newPath();
    writeFileSync(path, JSON.stringify({ pid: DEAD, started: '1', token: 'x' }));
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(path)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.startsWith(`${count}.lock`))).toEqual([`${count}.lock`]);
  });
});
