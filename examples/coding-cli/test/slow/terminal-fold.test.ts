import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, commandModel, openCoder, scripted, text } from '../support/open-coder.js';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;
const FREE = ['-a', 'never', '-s', 'danger_full_access'];

describe.each(SIZES)('a folded output in a terminal of $columns × $rows', (size) => {
  it('keeps the name of the failing test, and Ctrl-O prints all of it', async () => {
    const lines = [
      ...Array.from({ length: 30 }, (_, index) => `✔ passes ${index}`),
      '✖ adds two',
      ...'abcdefgh'.split(''),
    ];
    await using server = await commandModel('cat report.txt; false');
    using coder = await openCoder({ ...size, server, args: FREE });
    writeFileSync(join(coder.folders.workspace, 'report.txt'), `${lines.join('\n')}\n`);
    await coder.say('go');
    await coder.terminal.shows('Answer:');
    await coder.idle();
    const { terminal } = coder;
    const before = terminal.text.slice(0, terminal.text.indexOf('Answer:'));
    expect(before).toContain('│ ✖ adds two');
    expect(before).toContain('more lines (Ctrl-O)');
    expect(before).not.toContain('passes 20');
    terminal.write('\u000F');
    await terminal.shows('│ ✔ passes 20');
    expect(terminal.count('│ ✔ passes 20')).toBe(1);
    terminal.write('\u000F');
    await terminal.shows('All outputs are shown in full');
    expect(terminal.clears).toBe(0);
  });

  it('opens whole, though an event holds only its beginning, and the model read only a part', async () => {
    await using server = await commandModel(
      `seq -f 'row %g of a report' 1 1500; echo '✖ adds two'; seq -f 'row %g of a report' 1501 1700; printf '%0300d' 7; false`,
    );
    using coder = await openCoder({ ...size, server, args: FREE });
    await coder.say('go');
    await coder.terminal.shows('Answer:');
    await coder.idle();
    const { terminal } = coder;
    expect(terminal.text).toContain('│ row 1700 of a report');
    terminal.write('\u000F');
    await terminal.shows('in full: ');
    await terminal.until(() => /│ row 1700 of a report\n/.test(terminal.text.split('in full: ')[1] ?? ''));
    const opened = terminal.text.slice(terminal.text.indexOf('in full: '));
    const shown = opened.split('\n').map((line) => line.replace('  │ ', ''));
    for (const line of ['row 1100 of a report', 'row 1499 of a report', '✖ adds two', 'row 1700 of a report'])
      expect(shown).toContain(line);
    expect(opened.replaceAll(/\n {2}│ /g, '')).toContain(`${'0'.repeat(299)}7`);
    expect(terminal.clears).toBe(0);
  });

  it('a difference has line numbers, counts, and the changed words marked', async () => {
    await using server = await scripted((index) => {
      if (index === 0) return bash('cat add.js');
      if (index === 1) return { output: [{ type: 'call', name: 'read', arguments: { path: 'add.js' } }] };
      const change = { path: 'add.js', old_string: 'return a - b;', new_string: 'return a + b;' };
      return index === 2 ? { output: [{ type: 'call', name: 'edit', arguments: change }] } : text('Changed.');
    });
    using coder = await openCoder({ ...size, server, args: FREE });
    writeFileSync(join(coder.folders.workspace, 'add.js'), 'export function add(a, b) {\n  return a - b;\n}\n');
    await coder.say('go');
    await coder.terminal.shows('Changed.');
    const { terminal } = coder;
    expect(terminal.text).toContain('+1 −1');
    expect(terminal.text).toMatch(/2 - {3}return a - b;\n.*2 \+ {3}return a \+ b;/);
    const y = terminal.all.findIndex((line) => line.includes('+   return a + b;'));
    const x = (terminal.all[y] ?? '').indexOf('+ b;');
    expect(terminal.buffer.active.getLine(y)?.getCell(x)?.isInverse()).toBeTruthy();
    expect(
      terminal.buffer.active
        .getLine(y)
        ?.getCell(x + 2)
        ?.isInverse(),
    ).toBeFalsy();
  });
});
