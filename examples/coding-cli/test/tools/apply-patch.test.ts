import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePatch } from '../../src/files/parse-patch.js';
import { patchText } from '../../src/files/patch-text.js';
import { makeToolSession, type ToolSession } from '../support/tool-session.js';

let session: ToolSession;
beforeEach(() => (session = makeToolSession()));
afterEach(() => session.remove());

const at = (name: string): string => join(session.cwd, name);
const text = (name: string): string | undefined => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined);
/** Puts a file there that the model has read. */
async function put(name: string, content: string): Promise<void> {
  writeFileSync(at(name), content);
  await session.run('read', { path: name });
}
const apply = (...lines: string[]): Promise<unknown> =>
  session.run('apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

describe('a patch', () => {
  it('makes, changes, moves and deletes files, each of which can be undone', async () => {
    await put('a.txt', 'one\ntwo\nthree\n');
    await put('b.txt', 'gone\n');
    await put('c.txt', 'same\nold\n');
    expect(
      await apply(
        '*** Add File: new/d.txt',
        '+hello',
        '+',
        '*** Update File: a.txt',
        '@@',
        ' one',
        '-two',
        '+2',
        ' three',
        '*** Delete File: b.txt',
        '*** Update File: c.txt',
        '*** Move to: moved/c.txt',
        '@@ same',
        '-old',
        '+new',
      ),
    ).toBe('Done:\nA new/d.txt\nM a.txt\nD b.txt\nA moved/c.txt\nD c.txt');
    expect([text('new/d.txt'), text('a.txt'), text('b.txt'), text('c.txt'), text('moved/c.txt')]).toEqual([
      'hello\n\n',
      'one\n2\nthree\n',
      undefined,
      undefined,
      'same\nnew\n',
    ]);
    const changes = session.reports.flatMap((report) => (report.type === 'file_change' ? [report.change] : []));
    const { restored, skipped } = await session.extra.checkpoints.undo(
      changes.map((change) => ({ type: 'file_change' as const, turn: 1, ...change })),
    );
    expect([restored.length, skipped]).toEqual([5, []]);
    expect([text('new/d.txt'), text('a.txt'), text('b.txt'), text('c.txt'), text('moved/c.txt')]).toEqual([
      undefined,
      'one\ntwo\nthree\n',
      'gone\n',
      'same\nold\n',
      undefined,
    ]);
  });

  it('changes nothing if one of its files cannot be changed', async () => {
    await put('a.txt', 'one\n');
    writeFileSync(at('unread.txt'), 'x\n');
    const update = ['*** Update File: a.txt', '-one', '+1'];
    for (const [lines, problem] of [
      [['*** Update File: unread.txt', '-x', '+y'], 'has not been read yet'],
      [['*** Update File: none.txt', '-x', '+y'], 'There is no file none.txt'],
      [['*** Add File: unread.txt', '+x'], 'unread.txt exists already'],
      [['*** Add File: ../out.txt', '+x'], 'outside of the workspace'],
      [['*** Add File: .git/hooks/x', '+x'], 'never write to'],
      [['*** Delete File: a.txt'], 'changes a.txt twice'],
      [['*** Update File: a.txt', '-two', '+2'], 'not in a.txt'],
    ] as const) {
      expect(await apply(...update, ...lines)).toContain(problem);
      expect(text('a.txt')).toBe('one\n');
    }
  });

  it('takes back what it has done if a later file cannot be written', async () => {
    await put('a.txt', 'one\n');
    // The second cannot be made: the first is no folder.
    const adds = ['*** Add File: x', '+x', '*** Add File: x/y', '+y'];
    expect(await apply('*** Update File: a.txt', '-one', '+1', ...adds)).toMatch(
      /^ToolError: .*Nothing was changed\.$/s,
    );
    expect(text('x')).toBeUndefined();
    expect(text('a.txt')).toBe('one\n');
    expect(session.reports.filter(({ type }) => type === 'file_change')).toEqual([]);
  });

  it('says where lines almost stand, and that read has put numbers before them', async () => {
    await put('a.txt', 'function a() {\n  return 1;\n}\n');
    expect(await apply('*** Update File: a.txt', '-\treturn 1;', '+\treturn 2;')).toMatch(
      /The nearest place is at line 2; there differ:\n.*only blanks at the start or end differ/,
    );
    expect(await apply('*** Update File: a.txt', '-2\t  return 1;', '+x')).toContain('line numbers that read shows');
  });

  it('asks for more lines if they are there twice, and takes those behind "@@ LINE"', async () => {
    await put('a.txt', 'a {\n  x\n}\nb {\n  x\n}\n');
    expect(await apply('*** Update File: a.txt', '-  x', '+  y')).toContain('2 times, at the lines 2, 5');
    expect(await apply('*** Update File: a.txt', '@@ b {', '-  x', '+  y')).toBe('Done:\nM a.txt');
    expect(text('a.txt')).toBe('a {\n  x\n}\nb {\n  y\n}\n');
  });

  it('keeps line ends and the mark at the start of a file', async () => {
    await put('a.txt', '\uFEFFone\r\ntwo\r\n');
    expect(await apply('*** Update File: a.txt', ' one', '-two', '+2', '+3', '*** End of File')).toBe('Done:\nM a.txt');
    expect(text('a.txt')).toBe('\uFEFFone\r\n2\r\n3\r\n');
  });

  it.each([
    ['', 'A patch begins with'],
    ['*** Begin Patch\n*** End Patch', 'changes no file'],
    ['*** Begin Patch\nrm -rf /\n*** End Patch', 'Line 2 of the patch is "rm -rf /"'],
    ['*** Begin Patch\n*** Add File: a\nx\n*** End Patch', 'each line of a new file begins with "+"'],
    ['*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch', 'nothing follows "Delete File"'],
    ['*** Begin Patch\n*** Update File: a\nx\n*** End Patch', 'a line of a change begins with'],
    ['*** Begin Patch\n*** Update File: a\n x\n*** End Patch', 'changes nothing in a'],
  ])('that is not understood is refused, with its line: %j', (patch, problem) => {
    expect(() => parsePatch(patch)).toThrow(problem);
  });

  it('of any two texts makes the one out of the other', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', ' d', '+e', '@@');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1 }),
        fc.array(line, { minLength: 1 }),
        fc.boolean(),
        (from, to, isCrlf) => {
          const lines = [...from.map((each) => `-${each}`), ...to.map((each) => `+${each}`)];
          const patch = ['*** Begin Patch', '*** Update File: f', '@@', ...lines, '*** End Patch'].join('\n');
          const [step] = parsePatch(patch);
          const end = isCrlf ? '\r\n' : '\n';
          const joined = (all: readonly string[]): string => all.map((each) => each + end).join('');
          expect(patchText(joined(from), step?.kind === 'update' ? step.parts : [], 'f')).toBe(joined(to));
        },
      ),
    );
  });
});
