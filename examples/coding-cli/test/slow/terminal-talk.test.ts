import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesOf, openCoder, rolloutsIn, scripted, SIZES, text } from '../support/open-coder.js';

const LINES = 40;

describe.each(SIZES)('in a terminal of $columns × $rows', (size) => {
  it('starts with who answers, where, and what it may do, and takes input', async () => {
    using coder = await openCoder(size);
    const { terminal } = coder;
    expect(terminal.text).toMatch(/coder {2}Demo model \(no server\s+(?:▍ )?connected\)/);
    expect(terminal.text).toContain('approval on_request');
    expect(terminal.screen.filter((line) => line.startsWith('›'))).toEqual(['›  Ask anything, or type / for commands']);
    expect(terminal.screen.some((line) => line.includes('stand-in · on_request'))).toBe(true);
    expect(terminal.clears).toBe(0);
  });

  it('prints every line of a streamed answer once, and draws only the last ones again', async () => {
    using coder = await openCoder(size);
    await coder.say(`write ${LINES} lines`);
    await coder.terminal.shows(`Line ${LINES} of`);
    await coder.idle();
    const { terminal } = coder;
    for (let line = 1; line <= LINES; line += 1) expect(terminal.count(`Line ${line} of`)).toBe(1);
    expect(terminal.count('› write')).toBe(1);
    expect(terminal.count('────')).toBe(size.columns / 4);
    expect(terminal.clears).toBe(0);
  });

  it('prints every line once while the terminal becomes narrower, lower, and wide again', async () => {
    using coder = await openCoder(size);
    const { terminal } = coder;
    await coder.say('write 120 lines');
    await terminal.shows('Line 15 of');
    await terminal.resize(46, 14);
    await terminal.shows('Line 35 of');
    await terminal.resize(40, 12);
    await terminal.shows('Line 60 of');
    await terminal.resize(100, 30);
    await terminal.shows('Line 80 of');
    await terminal.resize(size.columns, size.rows);
    await terminal.shows('Line 120 of');
    await coder.idle();
    for (let line = 1; line <= 120; line += 1) expect(terminal.count(`Line ${line} of`)).toBe(1);
    expect(terminal.count('Ask anything')).toBe(1);
    expect(terminal.screen.filter((line) => line.includes('───'))).toHaveLength(1);
    expect(terminal.clears).toBe(0);
  });

  it('makes a failing test pass', async () => {
    using coder = await openCoder({
      ...size,
      args: ['--allow', 'bash: exactly node --test --test-reporter=spec add.test.js'],
    });
    const { workspace } = coder.folders;
    writeFileSync(join(workspace, 'add.js'), 'export function add(a, b) {\n  return a - b;\n}\n');
    writeFileSync(
      join(workspace, 'add.test.js'),
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from './add.js';\n\n" +
        "test('adds', () => {\n  assert.equal(add(2, 3), 5);\n});\n",
    );
    writeFileSync(join(workspace, 'package.json'), '{"type": "module"}\n');
    await coder.say('make the failing test pass');
    await coder.terminal.shows('Done: add.test.js passes');
    await coder.idle();
    expect(coder.terminal.text).toMatch(/- +return a - b;\n.*\+ +return a \+ b;/);
    expect(coder.terminal.clears).toBe(0);
  });

  it('goes on with a session: shows what was said, and writes to the same file', async () => {
    using first = await openCoder(size);
    await first.say('My duck is Alfred.');
    await first.terminal.shows('you said');
    await first.idle();
    first.terminal.write('\u0004');
    await first.terminal.exited;
    const { folders } = first;
    const id = /coder resume ([0-9a-f-]+)/.exec(first.terminal.text)?.[1] ?? '';
    const [path = ''] = rolloutsIn(folders.home);
    const before = linesOf(path);

    using second = await openCoder({ ...size, folders, args: ['resume', id.slice(0, 8)] });
    expect(second.terminal.text).toContain('› My duck is Alfred.');
    expect(second.terminal.text).toContain('continued');
    await second.say('What did I say before?');
    await second.terminal.shows('- My duck is Alfred.'.replace('- ', '• '));
    await second.idle();
    second.terminal.write('\u0004');
    expect((await second.terminal.exited).exitCode).toBe(0);
    expect(rolloutsIn(folders.home)).toEqual([path]);
    expect(linesOf(path).slice(0, before.length)).toEqual(before);
    expect(second.terminal.clears).toBe(0);
  });

  it('shows wide characters and emoji, and nothing stands in the wrong row', async () => {
    const said = '漢字かな交じり文 👩‍👩‍👧 👍🏽 ⚠️ '.repeat(6);
    await using server = await scripted(() => text(`${said}\n\nend`));
    using coder = await openCoder({ ...size, server });
    await coder.say('漢字 👍🏽');
    await coder.terminal.shows(/^ {2}end$/m);
    await coder.idle();
    const shown = coder.terminal.text.slice(coder.terminal.text.indexOf('●'));
    expect(shown.split('漢字かな交じり文')).toHaveLength(7);
    expect(coder.terminal.screen.filter((line) => line.startsWith('›  Ask'))).toHaveLength(1);
    expect(coder.terminal.clears).toBe(0);
  });

  it('lets no escape sequence of a model, a file or a command reach the terminal', async () => {
    const evil =
      '\u001B]0;owned\u0007\u001B[2J\u001B[31mred\u001B[0m\u009B5mblink\u001B]8;;http://evil\u0007link\u001Bc';
    await using server = await scripted((index) =>
      index === 0
        ? {
            output: [
              { type: 'text', text: [evil.slice(0, 3), `${evil.slice(3)}\n`] },
              { type: 'call', name: 'bash', arguments: { command: 'cat evil.txt' } },
            ],
          }
        : text(`said ${evil}`),
    );
    using coder = await openCoder({ ...size, server });
    writeFileSync(join(coder.folders.workspace, 'evil.txt'), `${evil}\n`.repeat(3));
    await coder.say('go');
    await coder.terminal.shows(/said .*redblink/);
    await coder.idle();
    expect(coder.terminal.raw).not.toContain('owned');
    expect(coder.terminal.raw).not.toContain('http://evil');
    expect(coder.terminal.raw).not.toContain('\u001B[5m');
    expect(coder.terminal.raw).not.toContain('\u009B');
    expect(coder.terminal.clears).toBe(0);
    expect(existsSync(join(coder.folders.workspace, 'evil.txt'))).toBe(true);
  });
});
