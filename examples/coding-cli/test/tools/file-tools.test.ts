import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from 'responses-loop-example-shared/hash.js';
import { makeToolSession, type ToolSession } from '../support/tool-session.js';

let session: ToolSession;
beforeEach(() => (session = makeToolSession()));
afterEach(() => session.remove());

const put = (name: string, content: string | Buffer): string => {
  const path = join(session.cwd, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};
const get = (name: string): string => readFileSync(join(session.cwd, name), 'utf8');
const run: ToolSession['run'] = (name, input, options) => session.run(name, input, options);

describe('read', () => {
  it('numbers lines, says how to go on, and takes line ends and BOM away', async () => {
    put('a', '\ufeffone\r\ntwo\r\nthree');
    expect(await run('read', { path: 'a' })).toBe('1\tone\n2\ttwo\n3\tthree');
    expect(await run('read', { path: 'a', offset: 2, limit: 1 })).toBe(
      '2\ttwo\n[lines 2 to 2 of 3; go on with offset 3]',
    );
    expect(await run('read', { path: 'a', offset: 4 })).toBe('ToolError: a has 3 lines: there is no line 4.');
  });

  it('shows 2,000 lines of 2,000 characters', async () => {
    put('long', `${'x'.repeat(2500)}\n${'y\n'.repeat(2500)}`);
    const lines = String(await run('read', { path: 'long' })).split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      2001,
      `1\t${'x'.repeat(2000)} [… 500 more characters]`,
      '[lines 1 to 2000 of 2501; go on with offset 2001]',
    ]);
    expect(session.reports).toEqual([{ type: 'truncated' }]);
  });

  it('keeps signs whole that lie across two pieces of a large file', async () => {
    put('large', `${'a'.repeat(256 * 1024 - 1)}€\nend\n`);
    expect(await run('read', { path: 'large', offset: 2 })).toBe('2\tend');
    expect(session.extra.stamps.get(join(session.cwd, 'large'))).toBe(hashOf(readFileSync(join(session.cwd, 'large'))));
  });

  it('gives images as images, of other binary files type and size', async () => {
    const png = Buffer.from('89504e470d0a1a0a00', 'hex');
    put('x.txt', png);
    put('bin', Buffer.from([1, 0, 2]));
    put('huge.png', Buffer.concat([png, Buffer.alloc(5_000_000)]));
    expect(await run('read', { path: 'x.txt' })).toEqual({
      content: [{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }],
    });
    expect(await run('read', { path: 'bin' })).toBe('bin is a binary file of 3 bytes. Its content is not shown.');
    expect(await run('read', { path: 'huge.png' })).toBe(
      'huge.png is an image (image/png) of 5000009 bytes, too large to be shown.',
    );
  });

  it('says what is there instead of a file', async () => {
    mkdirSync(join(session.cwd, 'folder'));
    put('empty', '');
    expect(await run('read', { path: 'folder' })).toMatch(
      /^ToolError: .*folder is a folder\. Use list to see what is in it\.$/,
    );
    expect(await run('read', { path: 'none' })).toMatch(/^ToolError: There is no file .*none\.$/);
    expect(await run('read', { path: 'none/none' })).toMatch(/^ToolError: There is no folder .*none\.$/);
    expect(await run('read', { path: 'empty' })).toBe('empty is empty.');
    expect(await run('read', { path: 'empty/x' })).toMatch(/is not a folder/);
  });

  it('reads outside only what was opened for this call', async () => {
    writeFileSync(join(session.base, 'secret'), 'key');
    symlinkSync('../secret', join(session.cwd, 'link'));
    for (const path of ['../secret', 'link', join(session.base, 'secret')])
      expect(await run('read', { path })).toMatch(
        /^ToolError: .* is outside of the workspace and was not opened for this call/,
      );
    session.registry.allow('other', [join(session.base, 'secret')]);
    expect(await run('read', { path: 'link' })).toMatch(/^ToolError/);
    session.registry.allow('call', [join(session.base, 'secret')]);
    expect(await run('read', { path: 'link' })).toBe('1\tkey');
    expect(await run('read', { path: 'link' })).toMatch(/^ToolError/);
  });

  it('reads the whole output of a command, which lies in the closed data folder', async () => {
    mkdirSync(session.outputs, { recursive: true });
    writeFileSync(join(session.outputs, 'call.txt'), 'all');
    expect(await run('read', { path: join(session.outputs, 'call.txt') })).toBe('1\tall');
    expect(await run('read', { path: join(session.base, 'data/x') })).toMatch(/outside/);
  });
});

describe('write', () => {
  it('makes a file with its folders, and reports the change and the difference', async () => {
    expect(await run('write', { path: 'a/b/c.txt', content: 'x\n' })).toBe(
      'Made a/b/c.txt (2 bytes).\n===================================================================\n--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,1 @@\n+x\n',
    );
    expect(get('a/b/c.txt')).toBe('x\n');
    expect(session.reports).toMatchObject([
      { type: 'file_change', change: { path: join(session.cwd, 'a/b/c.txt'), before: null, after: hashOf('x\n') } },
      { type: 'diff' },
    ]);
    expect(readdirSync(join(session.cwd, 'a/b'))).toEqual(['c.txt']);
  });

  it('writes over nothing that was not read, or has changed since', async () => {
    put('a', 'one');
    expect(await run('write', { path: 'a', content: 'x' })).toBe(
      'ToolError: a exists and has not been read yet. Nothing was written: read it first.',
    );
    await run('read', { path: 'a' });
    put('a', 'two');
    expect(await run('write', { path: 'a', content: 'x' })).toBe(
      'ToolError: a has changed on disk since it was read. Nothing was written: read it again.',
    );
    expect(get('a')).toBe('two');
    await run('read', { path: 'a', limit: 1 });
    expect(await run('write', { path: 'a', content: 'x' })).toMatch(/^Wrote a \(1 bytes\)/);
    expect(await run('write', { path: 'a', content: 'y' })).toMatch(/^Wrote a/);
  });

  it('keeps the mode of a file, and another name of it as it was', async () => {
    const path = put('a', 'one');
    chmodSync(path, 0o751);
    linkSync(path, join(session.base, 'elsewhere'));
    await run('read', { path: 'a' });
    await run('write', { path: 'a', content: 'two' });
    expect([statSync(path).mode & 0o777, readFileSync(join(session.base, 'elsewhere'), 'utf8')]).toEqual([
      0o751,
      'one',
    ]);
  });

  it.each([
    '../x',
    '/etc/x',
    'out/x',
    'out-file',
    '.git/config',
    '.git/hooks/new',
    '.GIT/x',
    'sub/.git/x',
    '.coder/config.json',
    'to-git/config',
    'a\0b',
  ])('writes nothing to %j', async (path) => {
    mkdirSync(join(session.base, 'other'));
    mkdirSync(join(session.cwd, '.git'));
    symlinkSync('../other', join(session.cwd, 'out'));
    symlinkSync('../other/file', join(session.cwd, 'out-file'));
    symlinkSync('.git', join(session.cwd, 'to-git'));
    expect(await run('write', { path, content: 'x' })).toMatch(/^ToolError: /);
    expect(await run('edit', { path, old_string: '', new_string: 'x' })).toMatch(/^ToolError: /);
    expect([
      readdirSync(join(session.base, 'other')),
      readdirSync(join(session.cwd, '.git')),
      existsSync(join(session.cwd, 'sub')),
    ]).toEqual([[], [], false]);
  });

  it('writes to the protected folders not even where they were opened', async () => {
    mkdirSync(join(session.cwd, '.git'));
    session.registry.allow('call', ['/']);
    expect(await run('write', { path: '.git/config', content: 'x' })).toMatch(/never write to/);
    expect(await run('write', { path: join(session.base, 'data/x'), content: 'x' })).toMatch(/never write to/);
  });

  it('goes through a link that stays inside, and leaves the link', async () => {
    put('real', 'one');
    symlinkSync('real', join(session.cwd, 'link'));
    await run('read', { path: 'link' });
    await run('write', { path: 'link', content: 'two' });
    expect([get('real'), statSync(join(session.cwd, 'link')).isFile(), readdirSync(session.cwd).toSorted()]).toEqual([
      'two',
      true,
      ['link', 'real'],
    ]);
  });

  it('says why it cannot write', async () => {
    put('file', 'x');
    mkdirSync(join(session.cwd, 'folder'));
    expect(await run('write', { path: 'file/x', content: '' })).toMatch(/file is not a folder/);
    expect(await run('write', { path: 'folder', content: '' })).toMatch(/is a folder/);
    expect(await run('write', { path: 'n'.repeat(300), content: '' })).toMatch(/its name is too long/);
  });
});

describe('edit', () => {
  it('changes the place, and keeps BOM and line ends', async () => {
    put('a', '\ufeffone\r\ntwo\r\n');
    await run('read', { path: 'a' });
    expect(await run('edit', { path: 'a', old_string: 'one\ntwo', new_string: '1\n2' })).toMatch(
      /^Changed 1 place in a\.\n/,
    );
    expect(get('a')).toBe('\ufeff1\r\n2\r\n');
  });

  it.each([
    ['edit', { path: 'a', old_string: '\ud83d', new_string: 'x' }],
    ['edit', { path: 'a', old_string: 'a', new_string: '\ude00' }],
    ['edit', { path: 'new', old_string: '', new_string: 'x\ud83d' }],
    ['write', { path: 'new', content: 'x\ud83dy' }],
    ['write', { path: 'n\ud83d', content: 'x' }],
  ])('%s refuses half of a surrogate pair, and writes nothing', async (name, input) => {
    put('a', 'a😀');
    await run('read', { path: 'a' });
    expect(await run(name, input)).toMatch(/^ToolError: .*half of a surrogate pair .*Nothing was written\.$/);
    expect([get('a'), readdirSync(session.cwd)]).toEqual(['a😀', ['a']]);
  });

  it('leaves one BOM where the model sends another', async () => {
    put('a', '\ufeffusing System;\n');
    await run('read', { path: 'a' });
    await run('edit', { path: 'a', old_string: '\ufeffusing System;', new_string: '\ufeffusing Other;' });
    expect(get('a')).toBe('\ufeffusing Other;\n');
  });

  it('asks for a read before it looks for anything', async () => {
    put('a', 'one');
    expect(await run('edit', { path: 'a', old_string: 'nothing', new_string: 'x' })).toMatch(/has not been read yet/);
  });

  it('makes a new file of an empty old_string, and only then', async () => {
    expect(await run('edit', { path: 'new', old_string: '', new_string: 'x' })).toMatch(/^Made new\./);
    expect(await run('edit', { path: 'new', old_string: '', new_string: 'y' })).toMatch(/old_string is empty/);
    expect(await run('edit', { path: 'none', old_string: 'a', new_string: 'y' })).toBe(
      'ToolError: There is no file none. To make it, leave old_string empty or use write.',
    );
  });

  it('leaves alone what it could not write back', async () => {
    put('latin', Buffer.from([0x61, 0xe9, 0x62]));
    put('bin', Buffer.from([0x61, 0, 0x62]));
    for (const path of ['latin', 'bin']) await run('read', { path });
    expect(await run('edit', { path: 'latin', old_string: 'a', new_string: 'x' })).toMatch(/is not UTF-8/);
    expect(await run('edit', { path: 'bin', old_string: 'a', new_string: 'x' })).toMatch(/is a binary file/);
    expect(readFileSync(join(session.cwd, 'latin'))).toEqual(Buffer.from([0x61, 0xe9, 0x62]));
  });

  it('sees what an edit just before left', async () => {
    put('a', 'one two');
    await run('read', { path: 'a' });
    await run('edit', { path: 'a', old_string: 'one', new_string: '1' });
    await run('edit', { path: 'a', old_string: 'two', new_string: '2' });
    expect(get('a')).toBe('1 2');
  });

  it('makes several replacements, or none of them', async () => {
    put('a', 'one\n  two\nthree\n');
    await run('read', { path: 'a' });
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: 'two', new_string: '2' },
    ];
    const wrong = [...edits, { old_string: 'four', new_string: '4' }];
    expect(await run('edit', { path: 'a', edits: wrong })).toMatch(/^ToolError: Edit 3 of 3: old_string is not in a/);
    expect(get('a')).toBe('one\n  two\nthree\n');
    expect(await run('edit', { path: 'a', edits })).toMatch(/^Changed 2 places in a\.\n.*-one\n-  two\n\+1\n\+  2\n/s);
    expect(get('a')).toBe('1\n  2\nthree\n');
  });

  it('shows the lines that it took for a text that differs from them in blanks', async () => {
    put('a', 'f() {\n\tone();\n}\n');
    await run('read', { path: 'a' });
    const input = { path: 'a', old_string: '    one();\n', new_string: '    two();\n' };
    expect(await run('edit', input)).toMatch(
      /^Changed 1 place in a\.\nold_string is not there to the letter\. It was taken for these lines, which differ from it in indentation:\n2\t\tone\(\);\n/,
    );
    expect(get('a')).toBe('f() {\n\ttwo();\n}\n');
  });

  it.each([
    [{}, 'Give either old_string and new_string, or edits.'],
    [{ edits: [] }, 'Give either old_string and new_string, or edits.'],
    [{ old_string: 'a', new_string: 'b', edits: [{ old_string: 'a', new_string: 'b' }] }, 'Give either'],
    [{ old_string: 'a' }, 'Give both old_string and new_string.'],
    [{ edits: [{ old_string: 'a', new_string: '\ud83d' }] }, 'Nothing was written.'],
  ])('that says %j is refused, and changes nothing', async (input, problem) => {
    put('a', 'a');
    await run('read', { path: 'a' });
    expect(await run('edit', { path: 'a', ...input })).toContain(problem);
    expect(get('a')).toBe('a');
  });

  it('shows beforehand what it would change', async () => {
    put('a', 'one\n');
    expect(
      await session.registry.preview('edit', { file_path: 'a', old_string: 'one', new_string: 'two' }),
    ).toMatchObject({
      difference: {
        text: expect.stringContaining('-one\n+two') as string,
        files: [{ path: 'a', fate: 'changed', hunks: 1 }],
        hunks: [
          [
            { kind: 'removed', text: 'one', before: 1 },
            { kind: 'added', text: 'two', after: 1 },
          ],
        ],
      },
    });
    expect(await session.registry.preview('read', { path: 'a' })).toBeUndefined();
    expect(await session.registry.preview('write', { path: 'a' })).toBeUndefined();
    expect(get('a')).toBe('one\n');
  });
});

describe('undo', () => {
  it('puts back what files held, and takes new ones away', async () => {
    put('a', 'one');
    await run('read', { path: 'a' });
    await run('write', { path: 'a', content: 'two' });
    await run('write', { path: 'a', content: 'three' });
    await run('write', { path: 'new', content: 'x' });
    const changes = session.reports.flatMap((report) => (report.type === 'file_change' ? [report.change] : []));
    const { restored, skipped } = await session.extra.checkpoints.undo(changes);
    expect({ restored: restored.length, skipped, a: get('a'), files: readdirSync(session.cwd) }).toEqual({
      restored: 2,
      skipped: [],
      a: 'one',
      files: ['a'],
    });
  });

  it('leaves what was changed since, and what has become a link', async () => {
    for (const name of ['a', 'b']) {
      put(name, 'one');
      await run('read', { path: name });
      await run('write', { path: name, content: 'two' });
    }
    put('a', 'by hand');
    const target = join(session.base, 'outside');
    writeFileSync(target, 'two');
    const changes = session.reports.flatMap((report) => (report.type === 'file_change' ? [report.change] : []));
    rmSync(join(session.cwd, 'b'));
    symlinkSync(target, join(session.cwd, 'b'));
    const { restored, skipped } = await session.extra.checkpoints.undo(changes);
    expect({ restored, reasons: skipped.map(({ reason }) => reason).toSorted() }).toEqual({
      restored: [],
      reasons: [expect.stringContaining('has become a symbolic link'), 'it has been changed since'],
    });
    expect([get('a'), readFileSync(target, 'utf8')]).toEqual(['by hand', 'two']);
  });
});

describe('list', () => {
  it('shows a tree without what is ignored, and follows no link', async () => {
    put('src/a.ts', '');
    put('src/deep/b.ts', '');
    put('src/deep/er/c.ts', '');
    put('build/x', '');
    put('.gitignore', 'build\n*.log\n!keep.log\n');
    put('x.log', '');
    put('keep.log', '');
    put('src/.gitignore', 'a.*\n');
    put('.git/config', '');
    symlinkSync('/etc', join(session.cwd, 'etc'));
    expect(await run('list', {})).toBe(
      './\n  .gitignore\n  etc -> /etc\n  keep.log\n  src/\n    .gitignore\n    deep/',
    );
    expect(await run('list', { path: 'src/deep', depth: 1 })).toBe('src/deep/\n  b.ts\n  er/');
    expect(await run('list', { path: 'x.log' })).toMatch(/is a file\. Use read/);
    expect(await run('list', { path: 'none' })).toMatch(/There is no folder/);
    expect(await run('list', { path: 'etc' })).toMatch(/outside/);
  });

  it('shows 500 entries', async () => {
    for (let at = 0; at < 501; at += 1) put(`f${at}`, '');
    const lines = String(await run('list', {})).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([502, '[more than 500 entries: list a folder of it, or use glob]']);
  });
});

describe('glob', () => {
  it('finds files newest first, without ignored ones', async () => {
    for (const [at, name] of ['src/a.ts', 'src/b.ts', 'node_modules/x/c.ts', 'out/d.ts', '.git/e.ts'].entries())
      utimesSync(put(name, ''), 1000 + at, 1000 + at);
    put('.gitignore', 'out\n');
    expect(await run('glob', { pattern: '**/*.ts' })).toBe('src/b.ts\nsrc/a.ts');
    expect(await run('glob', { pattern: '*.ts', path: 'src' })).toBe('src/b.ts\nsrc/a.ts');
    expect(await run('glob', { pattern: 'node_modules/**/*.ts' })).toBe('node_modules/x/c.ts');
    expect(await run('glob', { pattern: '*.py' })).toBe('No files match.');
  });

  it('goes out of its folder neither by the pattern nor by a link', async () => {
    writeFileSync(join(session.base, 'secret.ts'), '');
    symlinkSync('..', join(session.cwd, 'up'));
    for (const pattern of ['../*.ts', '/etc/*', 'a/../../*'])
      expect(await run('glob', { pattern })).toMatch(/has to stay in its folder/);
    for (const pattern of ['up/*.ts', '*/*.ts', '**/*.ts', '{up,x}/*.ts'])
      expect(await run('glob', { pattern })).toBe('No files match.');
    expect(await run('glob', { pattern: '*.ts', path: 'up' })).toMatch(/outside/);
  });
});

describe('todo_write', () => {
  it('shows the list, with at most one in progress', async () => {
    const todos = [
      { content: 'a', status: 'completed' },
      { content: 'b', status: 'in_progress' },
      { content: 'c', status: 'pending' },
    ];
    expect(await run('todo_write', { todos })).toBe('[x] a\n[>] b\n[ ] c');
    expect(session.reports).toEqual([{ type: 'todos', todos }]);
    const schema = session.registry.get('todo_write')?.inputSchema;
    expect(schema?.safeParse({ todos: [todos[1], todos[1]] }).success).toBe(false);
  });
});

it('offers its tools, less those that are disabled, and says what a call does', () => {
  expect(session.registry.tools.map(({ name, readOnly }) => [name, readOnly])).toEqual([
    ['bash', false],
    ['exec_command', false],
    ['write_stdin', false],
    ['read', true],
    ['write', false],
    ['edit', false],
    ['apply_patch', false],
    ['list', true],
    ['glob', true],
    ['grep', true],
    ['web_fetch', true],
    ['todo_write', false],
  ]);
  expect([
    session.registry.title('bash', { cmd: 'npm test\nls' }),
    session.registry.title('read', { filepath: 'a' }),
    session.registry.title('read', {}),
    session.registry.title('other', {}),
  ]).toEqual(['npm test', 'Read a', 'read', 'other']);
});
