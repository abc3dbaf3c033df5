import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileSafely } from '../../src/files/write-file.js';
import { makeToolSession, type ToolSession } from '../support/tool-session.js';

let session: ToolSession;
let outside: string;
let workers: Worker[] = [];
beforeEach(() => {
  session = makeToolSession();
  outside = join(session.base, 'outside');
  mkdirSync(outside);
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.terminate()));
  workers = [];
  await session.remove();
});

/** Puts one thing and another in the same place, as fast as it can, from a thread of its own. */
async function swap(code: string): Promise<void> {
  const worker = new Worker(
    `const fs = require('node:fs'); const { parentPort } = require('node:worker_threads'); parentPort.postMessage('on');\nfor (;;) { ${code} }`,
    { eval: true },
  );
  workers.push(worker);
  await new Promise((resolve) => worker.once('message', resolve));
}

const ROUNDS = 400;

describe('while somebody swaps', () => {
  it('the folder for a link that leads out, nothing is written outside', async () => {
    const folder = join(session.cwd, 'folder');
    mkdirSync(folder);
    symlinkSync(outside, join(session.cwd, 'evil'));
    const names = [folder, join(session.cwd, 'evil'), join(session.cwd, 'spare')].map((path) => JSON.stringify(path));
    await swap(
      `try { fs.renameSync(${names[0]}, ${names[2]}); fs.renameSync(${names[1]}, ${names[0]}); fs.renameSync(${names[0]}, ${names[1]}); fs.renameSync(${names[2]}, ${names[0]}); } catch {}`,
    );
    const results = new Set<string>();
    const deadline = Date.now() + 60_000;
    const isOne = (): boolean => new Set([...results].map((text) => text.slice(0, 4))).size < 2;
    for (let at = 0; at < ROUNDS || (isOne() && Date.now() < deadline); at += 1)
      results.add(
        String(await session.run('write', { path: `folder/file-${at}`, content: 'x' }))
          .replaceAll(/\d+/g, '')
          .slice(0, 40),
      );
    expect(readdirSync(outside)).toEqual([]);
    // Both happened: some were written, some were refused.
    expect([...results]).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Made/), expect.stringMatching(/^ToolError/)]),
    );
  });

  it('the file for a link that leads out, neither what it leads to is written nor read', async () => {
    const secret = join(outside, 'secret');
    writeFileSync(secret, 'the secret');
    const file = join(session.cwd, 'file');
    const evil = join(session.cwd, 'evil');
    writeFileSync(file, 'mine');
    symlinkSync(secret, evil);
    const names = [file, evil, join(session.cwd, 'spare')].map((path) => JSON.stringify(path));
    await swap(
      `try { fs.renameSync(${names[0]}, ${names[2]}); fs.renameSync(${names[1]}, ${names[0]}); fs.renameSync(${names[0]}, ${names[1]}); fs.renameSync(${names[2]}, ${names[0]}); } catch {}`,
    );
    for (let at = 0; at < ROUNDS; at += 1) {
      expect(String(await session.run('read', { path: 'file' }))).not.toContain('the secret');
      await session.run('write', { path: 'file', content: 'mine' });
    }
    expect(readFileSync(secret, 'utf8')).toBe('the secret');
  });
});

describe('a link that appears between the check and the write', () => {
  it('in place of the file is not followed', async () => {
    const target = join(outside, 'target');
    writeFileSync(target, 'kept');
    symlinkSync(target, join(session.cwd, 'file'));
    await expect(
      writeFileSafely(join(session.cwd, 'file'), Buffer.from('x'), { expected: null, name: 'file' }),
    ).rejects.toThrow(/not a regular file/);
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  it('in place of its folder, or of one above, is not followed', async () => {
    mkdirSync(join(session.cwd, 'a/b'), { recursive: true });
    renameSync(join(session.cwd, 'a'), join(session.cwd, 'moved'));
    mkdirSync(join(outside, 'b'));
    symlinkSync(outside, join(session.cwd, 'a'));
    await expect(
      writeFileSafely(join(session.cwd, 'a/b/file'), Buffer.from('x'), { expected: null, name: 'file' }),
    ).rejects.toThrow(/now leads to/);
    await expect(
      writeFileSafely(join(session.cwd, 'a/new/file'), Buffer.from('x'), { expected: null, name: 'file' }),
    ).rejects.toThrow(/symbolic link|come to lead|not a folder/);
    expect([readdirSync(join(outside, 'b')), readdirSync(outside)]).toEqual([[], ['b']]);
  });

  it('a file that appears is not written over, and leaves no draft', async () => {
    writeFileSync(join(session.cwd, 'file'), 'theirs');
    await expect(
      writeFileSafely(join(session.cwd, 'file'), Buffer.from('x'), { expected: null, name: 'file' }),
    ).rejects.toThrow(/has changed on disk/);
    rmSync(join(session.cwd, 'file'));
    await expect(
      writeFileSafely(join(session.cwd, 'file'), Buffer.from('x'), { expected: 'other', name: 'file' }),
    ).rejects.toThrow(/has changed on disk/);
    expect(readdirSync(session.cwd)).toEqual([]);
  });
});
