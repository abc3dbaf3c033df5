import fc from 'fast-check';
import { type DiffLine, type Hunk, SAID, SIGNS } from 'responses-loop-example-shared/call-view.js';
import { describe, expect, it } from 'vitest';
import { oddArguments, oddText } from '../../../../test/tools/support/odd-arguments.js';
import { unspell } from '../../../../test/tools/support/unspell.js';
import { differenceOf } from 'responses-loop-example-shared/file-difference.js';
import { viewOfCall } from '../../src/tools/own-views.js';
import { dialogRows, hasRoom, questionRows } from '../../src/ui/dialog-rows.js';
import { callRows, hunkRows } from '../../src/ui/call-rows.js';
import { textOfRow, widthOfRow, type Row } from '../../src/ui/rows.js';
import { ScreenModel } from '../../src/ui/screen-model.js';

const BAR = '┃ ';
const first: Row = [{ text: BAR }];
const columns = fc.integer({ min: 20, max: 120 });

/** What a person reads: rows that go on are one line. Blanks at the end of a row are not seen. */
function read(rows: readonly Row[], before = BAR): string {
  return rows
    .map((row) => textOfRow(row).trimEnd().slice(before.length))
    .map((text) => (text.endsWith('↩') ? text.slice(0, -1) : `${text}\n`))
    .join('')
    .replace(/\n$/, '');
}

const changed = (hunks: readonly Hunk[]): DiffLine[] => hunks.flat().filter(({ kind }) => kind !== 'same');

const rowsOf = (tool: string, source: string, args: unknown, width = 80): Row[] =>
  callRows(viewOfCall({ tool_name: tool, source, arguments: args }), { columns: width, first });

describe('rows of a call', () => {
  it('hold every key and value of an MCP call, whatever the arguments are and however wide the terminal is', () => {
    fc.assert(
      fc.property(oddArguments, columns, fc.constantFrom('bash', 'write', 'run_program'), (args, width, tool) => {
        const rows = rowsOf(tool, 'files', args, width);
        for (const row of rows) expect(widthOfRow(row)).toBeLessThanOrEqual(width);
        const shown = read(rows).slice(`${tool} of files`.length);
        expect(shown === '' ? {} : JSON.parse(unspell(shown))).toStrictEqual(args);
      }),
      { numRuns: 300 },
    );
  });

  it('hold a command to the letter, with all other arguments beside it', () => {
    fc.assert(
      fc.property(oddText, oddArguments, columns, (command, others, width) => {
        const args = { ...others, command };
        const text = read(rowsOf('bash', 'local', args, width));
        const [shown = '', rest = ''] = text.split(`\n${SAID}with `);
        const [json = '', claim] = rest.split(`\n${SAID}the model calls it: `);
        expect(unspell(shown.split(`\n${SAID}`)[0] ?? '')).toBe(command);
        const said = claim ?? text.split(`\n${SAID}the model calls it: `)[1];
        const found = {
          ...(json === '' ? {} : (JSON.parse(unspell(json)) as object)),
          command,
          ...(said === undefined ? {} : { description: JSON.parse(unspell(said)) as unknown }),
        };
        expect(found).toEqual({ ...args });
      }),
      { numRuns: 300 },
    );
  });

  it('hold every line of a difference, by what it is and not by what it looks like', () => {
    const line = fc.oneof(
      oddText,
      fc.constantFrom('++ x', '-- x', '+++ b', '--- a', '@@ -1 +1 @@', '\\ No newline', ''),
    );
    const file = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(file, file, columns, (before, after, width) => {
        const hunks = differenceOf(['a', 'b'], [before, after])?.hunks ?? [];
        const args = { path: 'f', content: after };
        const view = viewOfCall({ tool_name: 'write', source: 'local', arguments: args, hunks });
        const [, ...rows] = callRows(view, { columns: width, first });
        const digits = Math.max(
          1,
          ...hunks.flat().map((each) => String(Math.max(each.after ?? 0, each.before ?? 0)).length),
        );
        const lines: string[] = [];
        for (const text of rows.map((spans) => textOfRow(spans).slice(BAR.length))) {
          const last = lines.at(-1);
          if (last?.endsWith('↩') === true) lines[lines.length - 1] = last.slice(0, -1) + text.slice(digits + 3);
          else lines.push(text);
        }
        const shown = lines
          .map((text) => [text[digits + 1] ?? '', text.slice(digits + 3)] as const)
          .filter(([sign]) => sign === '+' || sign === '-');
        expect(shown.map(([sign, text]) => [sign, unspell(text.replace('⟨no line end⟩', ''))])).toEqual(
          changed(hunks).map(({ kind, text }) => [SIGNS[kind], text]),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('are other rows for another call', () => {
    const call = fc.record({
      tool_name: fc.constantFrom('bash', 'write', 'edit', 'read', 'x'),
      source: fc.constantFrom('local', 'files'),
      arguments: oddArguments,
    });
    const key = (value: unknown): string => JSON.stringify(value, (_, member: unknown) => sorted(member));
    const sorted = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
        : value;
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(call, (told) => {
        const rows = JSON.stringify(rowsOf(told.tool_name, told.source, told.arguments).map(textOfRow));
        const known = seen.get(rows);
        if (known !== undefined) expect(key(told)).toBe(known);
        seen.set(rows, key(told));
      }),
      { numRuns: 500 },
    );
  });

  it('grow with the text and no faster', () => {
    const rows = (length: number): number => rowsOf('bash', 'local', { command: 'a \u200b'.repeat(length / 3) }).length;
    expect(rows(100_000) / rows(10_000)).toBeLessThan(11);
  });
});

describe('a question', () => {
  const question = {
    call_id: 'c1',
    tool_name: 'write',
    source: 'local',
    cwd: '/w',
    reason: 'it changes /w/build.sh',
    class: 'ask' as const,
    rule: 'write: in workspace',
  };

  it('shows lines that begin with ++ and -- and the ends of long lines', () => {
    const content = [
      '#!/bin/sh',
      'echo build',
      '++ 2>/dev/null; touch "$HOME/HIDDEN_RAN"',
      `echo ok${' '.repeat(120)}; touch "$HOME/HIDDEN_RAN2"`,
    ].join('\n');
    const hunks = differenceOf([undefined, 'b'], ['-- removed\n', content])?.hunks.map((hunk) => [...hunk]) ?? [];
    const asked = { ...question, arguments: { path: 'build.sh', content }, diff: 'x', hunks };
    const text = read(questionRows(asked, 100, first));
    expect(text).toContain('+ ++ 2>/dev/null; touch "$HOME/HIDDEN_RAN"');
    expect(text).toContain('+ echo ok⟨U+0020×120⟩; touch "$HOME/HIDDEN_RAN2"⟨no line end⟩');
    expect(text).toContain('- -- removed');
  });

  it('holds all 1,000 lines, and a dialog without room for them says that they stand above', () => {
    const content = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join('');
    const asked = { ...question, arguments: { path: 'f', content } };
    expect(questionRows(asked, 80, first).filter((row) => /\+ line \d+$/.test(textOfRow(row)))).toHaveLength(1_000);
    const view = {
      question: asked,
      mode: { type: 'choose' },
      columns: 80,
      limit: 14,
      waiting: 0,
      isReady: true,
    } as const;
    expect(hasRoom(view)).toBe(false);
    const shown = dialogRows(view).map(textOfRow);
    expect(shown).toHaveLength(14);
    expect(shown.join('\n')).toContain('printed in full above');
  });

  it('holds a rule and a reason whole, spelled', () => {
    const rule = `bash: exactly echo ${'x'.repeat(500)}\u3164`;
    const text = read(questionRows({ ...question, arguments: {}, rule }, 60, first));
    expect(unspell(text)).toContain(rule);
    expect(text).toContain('⟨U+3164⟩');
  });

  it('shows no number of lines as changed where a hunk is empty', () => {
    expect(read(hunkRows([], 80, first))).toBe('⟩ no line is changed');
  });
});

describe('what runs unasked', () => {
  it('is shown by its command, and the words of the model beside it, marked as such', () => {
    const model = new ScreenModel();
    const args = { command: 'cat f.txt', description: 'Look at the weather' };
    const begin = { call_id: 'c1', tool_name: 'bash', source: 'local', arguments: args, title: 'cat f.txt' };
    model.handle({ msg: { type: 'tool_execution_begin', data: begin } });
    const end = { call_id: 'c1', success: true, result: 'exit code 0', title: 'cat f.txt', duration_ms: 1 };
    model.handle({ msg: { type: 'tool_execution_end', data: end } });
    expect(model.takeRows().map(textOfRow)).toEqual(['✓ cat f.txt', '  ⟩ the model calls it: "Look at the weather"']);
  });

  it('is shown by what is read, without the name of the argument', () => {
    const shown = (tool: string, args: unknown): string => read(rowsOf(tool, 'local', args));
    expect(shown('read', { path: 'src/price.js' })).toBe('read src/price.js');
    expect(shown('grep', { pattern: 'total', path: 'src' })).toBe('grep total { "path": "src" }');
    expect(shown('glob', { pattern: '**/*.{test,spec}.ts' })).toBe('glob **/*.{test,spec}.ts');
    expect(shown('read', { path: 'my file' })).toBe('read "my file"');
    expect(shown('list', {})).toBe('list');
    expect(shown('explore', { task: 'Find it.' })).toBe('explore "Find it."');
    // A tool of that name of somebody else names its arguments.
    expect(read(rowsOf('read', 'files', { path: 'a' }))).toBe('read of files { "path": "a" }');
  });

  it('can be read back, whatever a path looks like', () => {
    const odd = fc.oneof(oddText, fc.constantFrom('', 'a b', '{"path":"a"}', '"a"', 'a {"limit":1}', '\u202ea'));
    fc.assert(
      fc.property(odd, fc.option(fc.integer(), { nil: undefined }), (path, limit) => {
        const args = { path, ...(limit !== undefined && { limit }) };
        const text = unspell(read(rowsOf('read', 'local', args, 1_000_000)).slice('read '.length));
        const end = limit === undefined ? text.length : text.lastIndexOf(' { ');
        const [subject, others] = [text.slice(0, end), text.slice(end).trim()];
        expect(subject.startsWith('"') ? JSON.parse(subject) : subject).toBe(path);
        expect(others === '' ? {} : JSON.parse(others)).toEqual(limit === undefined ? {} : { limit });
      }),
      { numRuns: 300 },
    );
  });

  it('of a session of an earlier version is shown by its title', () => {
    const model = new ScreenModel();
    const end = { call_id: 'c1', success: true, title: 'Look\u202e at it', duration_ms: 1 };
    model.handle({ msg: { type: 'tool_execution_end', data: end } });
    expect(model.takeRows().map(textOfRow)).toEqual(['✓ Look⟨U+202E⟩ at it']);
  });
});
