import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  readdirSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listDirTool } from '../../src/tools/list-dir.js';
import { readFileTool } from '../../src/tools/read-file.js';
import type { ToolDef, ToolOutput } from '../../src/tools/tool-def.js';
import { writeFileTool } from '../../src/tools/write-file.js';
import { makeWorkspace, type TestWorkspace } from '../support/workspace.js';

const run = { toolCallId: 'call_1', signal: new AbortController().signal };
const call = (tool: ToolDef, input: unknown): Promise<ToolOutput> => tool.execute(input, run);
const read = (at: TestWorkspace, path: string, more = {}) => call(readFileTool(at), { path, ...more });
const write = (at: TestWorkspace, path: string, content = 'new') => call(writeFileTool(at), { path, content });
const list = (at: TestWorkspace, path = '.') => call(listDirTool(at), { path });

/** Paths that lead to the token of the server, or out of the workspace. */
const WAYS_OUT: readonly (readonly [string, (at: TestWorkspace) => string])[] = [
  ['by its name', () => '.chat-server/token'],
  ['by its absolute path', ({ dataFolder }) => join(dataFolder, 'token')],
  ['through ..', () => 'docs/../.chat-server/token'],
  ['through a link to the file', (at) => link(at, join(at.dataFolder, 'token'))],
  ['through a link to the folder', (at) => `${link(at, at.dataFolder)}/token`],
  ['through a link to a link', (at) => `${link(at, link(at, at.dataFolder, 'a'), 'b')}/token`],
  ['through a relative link', (at) => `${link(at, '.chat-server')}/token`],
  ['through a link to a parent', (at) => `${link(at, '..')}/${at.root.split('/').at(-1)}/.chat-server/token`],
  ['with dots and slashes', () => './/.chat-server/./token'],
  ['out by ..', () => '../outside.txt'],
  ['out by an absolute path', () => '/etc/hostname'],
  ['out by a link', (at) => `${link(at, '/etc')}/hostname`],
  ['by a NUL', () => 'a.md\0.chat-server/token'],
];

function link(at: TestWorkspace, target: string, name = 'link'): string {
  symlinkSync(target, join(at.root, name));
  return name;
}

describe('a path of a file tool', () => {
  it.each(WAYS_OUT)('is refused where it leads to the data folder or outside: %s', async (_name, wayOf) => {
    const at = makeWorkspace({ 'docs/a.md': 'a' });
    const path = wayOf(at);
    await expect(read(at, path)).rejects.toThrow();
    await expect(write(at, path)).rejects.toThrow();
    expect(await writeFileTool(at).judge?.({ path, content: '' })).toMatchObject({ decision: 'refuse' });
    expect(readFileSync(join(at.dataFolder, 'token'), 'utf8')).toBe('the-token-of-the-server');
  });

  it('is listed only if it may be read', async () => {
    const at = makeWorkspace({ 'a.md': 'a' });
    link(at, at.dataFolder);
    expect(JSON.stringify(await list(at))).not.toMatch(/chat-server|link/);
    await expect(list(at, '.chat-server')).rejects.toThrow(/belongs to the chat server/);
    await expect(list(at, 'link')).rejects.toThrow(/belongs to the chat server/);
    await expect(list(at, '..')).rejects.toThrow(/outside the workspace/);
  });
});

describe('readFile', () => {
  it('gives a range of lines and says how to go on', async () => {
    const at = makeWorkspace({ 'a.md': 'one\ntwo\nthree\n' });
    expect(await read(at, 'a.md')).toEqual({
      ok: true,
      path: 'a.md',
      content: 'one\ntwo\nthree',
      lines: { from: 1, to: 3, of: 3 },
    });
    expect(await read(at, 'a.md', { offset: 2, limit: 1 })).toMatchObject({
      content: 'two',
      next: 'Go on with offset 3.',
    });
    await expect(read(at, 'a.md', { offset: 9 })).rejects.toThrow('a.md has 3 lines: there is no line 9.');
  });

  it.each([
    ['an empty file', '', { content: '', lines: { from: 1, to: 0, of: 0 } }],
    ['a file without a last line break', 'a', { content: 'a' }],
    ['long lines', 'x'.repeat(5000), { content: `${'x'.repeat(2000)} [… line cut]` }],
  ])('reads %s', async (_name, content, answer) => {
    expect(await read(makeWorkspace({ 'a.md': content }), 'a.md')).toMatchObject(answer);
  });

  it('reads no more than a model can use', async () => {
    const at = makeWorkspace({ 'a.md': `${'x'.repeat(1000)}\n`.repeat(1000) });
    const { content, next } = await read(at, 'a.md');
    expect(String(content).length).toBeLessThanOrEqual(60_000);
    expect(next).toBe('Go on with offset 60.');
  });

  it('names what it cannot read by the path that was given, not the real one', async () => {
    const at = makeWorkspace({ 'bin.dat': 'a\0b', 'docs/a.md': 'a' });
    writeFileSync(join(at.root, 'latin.txt'), Buffer.from([0xe9, 0x20]));
    await expect(read(at, 'missing.md')).rejects.toThrow('missing.md: there is no such file or folder.');
    await expect(read(at, 'docs')).rejects.toThrow('docs is a folder: use listDir.');
    await expect(read(at, 'bin.dat')).rejects.toThrow('bin.dat is not a text file (3 bytes).');
    await expect(read(at, 'latin.txt')).rejects.toThrow('latin.txt is not a text file');
    await expect(read(at, 'docs/a.md/b')).rejects.toThrow(/^docs\/a.md\/b: /);
  });

  it('does not wait for a pipe', async () => {
    const at = makeWorkspace();
    execFileSync('mkfifo', [join(at.root, 'pipe')]);
    await expect(read(at, 'pipe')).rejects.toThrow('pipe is not a regular file.');
  });
});

describe('listDir', () => {
  it('says what is what, in order', async () => {
    const at = makeWorkspace({ 'b.md': 'four', 'a/x.md': 'x' });
    expect(await list(at)).toEqual({
      ok: true,
      path: '.',
      entries: [
        { name: 'a', type: 'folder' },
        { name: 'b.md', type: 'file', size: 4 },
      ],
    });
  });

  it('lists 500 entries and says how many there are more', async () => {
    const at = makeWorkspace();
    mkdirSync(join(at.root, 'many'));
    for (let n = 0; n < 503; n += 1) writeFileSync(join(at.root, 'many', `f${n}`), '');
    const answer = await list(at, 'many');
    expect(answer['entries']).toHaveLength(500);
    expect(answer['notShown']).toBe(3);
  });
});

describe('writeFile', () => {
  it('makes the folders, and keeps the mode of a file that was there', async () => {
    const at = makeWorkspace({ 'run.sh': 'old' });
    chmodSync(join(at.root, 'run.sh'), 0o755);
    expect(await write(at, 'run.sh')).toEqual({ ok: true, path: 'run.sh', bytes: 3 });
    expect(statSync(join(at.root, 'run.sh')).mode & 0o777).toBe(0o755);
    await write(at, 'deep/er/a.md', 'é');
    expect(readFileSync(join(at.root, 'deep/er/a.md'), 'utf8')).toBe('é');
    expect(readdirSync(join(at.root, 'deep/er'))).toEqual(['a.md']);
  });

  it('asks, and could be granted', async () => {
    expect(await writeFileTool(makeWorkspace()).judge?.({ path: 'a.md', content: '' })).toEqual({
      decision: 'ask',
      reason: 'it writes a file',
      grant: { kind: 'tool', tool: 'writeFile' },
    });
  });

  it.each(['.git/hooks/pre-commit', 'sub/.git/config', '.GIT/config', '.'])('never writes %s', async (path) => {
    await expect(write(makeWorkspace(), path)).rejects.toThrow();
  });

  it('replaces a link inside the workspace where it leads, and leaves other names of a file alone', async () => {
    const at = makeWorkspace({ 'real.md': 'old' });
    link(at, 'real.md', 'alias.md');
    linkSync(join(at.root, 'real.md'), join(at.root, 'twin.md'));
    await write(at, 'alias.md');
    expect(readFileSync(join(at.root, 'real.md'), 'utf8')).toBe('new');
    expect(readFileSync(join(at.root, 'twin.md'), 'utf8')).toBe('old');
  });

  it('fails with the path in its text, and leaves no draft behind', async () => {
    const at = makeWorkspace({ 'file.md': 'a', 'folder/a.md': 'a' });
    await expect(write(at, 'file.md/under.md')).rejects.toThrow(/^file\.md\/under\.md: /);
    await expect(write(at, 'folder')).rejects.toThrow('folder: There is a folder of this name.');
    expect(readdirSync(at.root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(existsSync(join(at.root, 'folder/a.md'))).toBe(true);
  });
});
