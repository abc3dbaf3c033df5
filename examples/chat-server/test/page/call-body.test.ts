import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { oddArguments, oddText } from '../../../../test/tools/support/odd-arguments.js';
import { unspell } from '../../../../test/tools/support/unspell.js';
import { ApprovalQuestion } from '../../page/components/approval-question.js';

const asked = (name: string, input: unknown, isOwn: boolean, descriptor?: object): string =>
  renderToStaticMarkup(
    createElement(ApprovalQuestion, { call: { name, input, isOwn, descriptor }, onAnswer: () => {}, mayAlways: true }),
  );

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** What stands in elements of a kind, as text. */
function texts(markup: string, start: string, end: string): string[] {
  return (
    markup
      .split(start)
      .slice(1)
      .map((rest) => rest.slice(0, rest.indexOf(end)).replace(/<[^>]*>/g, ''))
      // As HTML reads it: a line break right behind `<pre>` does not count.
      .map((text) => text.replace(/^\n/, '').replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? ''))
  );
}

describe('a question on the page', () => {
  it('holds every key and value of an MCP call, whatever its tool and arguments are called', () => {
    fc.assert(
      fc.property(oddArguments, fc.constantFrom('run', 'shellCommand', 'writeFile', 'updatePlan'), (args, name) => {
        const markup = asked(name, args, false);
        const [shown = '{}', ...more] = texts(markup, '<pre>', '</pre>');
        expect(more).toEqual([]);
        expect(JSON.parse(unspell(shown))).toStrictEqual(args);
        expect(markup).toContain(`<strong>${name} of MCP</strong>`);
      }),
      { numRuns: 300 },
    );
  });

  it('holds a command to the letter, what else it is given, and the words of the model marked as such', () => {
    fc.assert(
      fc.property(oddText, oddArguments, oddText, (command, others, actionName) => {
        const { actionName: _, command: __, ...rest } = others;
        const markup = asked('shellCommand', { ...rest, command, actionName }, true);
        const [first = '', json] = texts(markup, '<pre>', '</pre>');
        expect(unspell(first)).toBe(command);
        expect(json === undefined ? {} : JSON.parse(unspell(json))).toEqual({ ...rest });
        const [claim = ''] = texts(markup, '<q>', '</q>');
        expect(JSON.parse(`"${unspell(claim)}"`)).toBe(actionName);
        expect(markup).toContain('the model calls it: ');
      }),
      { numRuns: 300 },
    );
  });

  it('holds every line of a file that is written', () => {
    fc.assert(
      fc.property(oddText, oddText, (path, content) => {
        const markup = asked('writeFile', { path, content }, true);
        const lines = texts(markup, '<span class="added">', '\n</span>').map((line) => line.replace(/^\d*\+ /, ''));
        const text = lines.map((line) => unspell(line.replace('⟨no line end⟩', ''))).join('\n');
        const isOpen = markup.includes('⟨no line end⟩');
        expect(lines.length === 0 ? '' : text + (isOpen ? '' : '\n')).toBe(content);
        expect(unspell(texts(markup, '<figcaption>', '</figcaption>')[0] ?? '')).toBe(path);
      }),
      { numRuns: 300 },
    );
  });

  it('shows all of a call that is called like a shell and has more to it', () => {
    const input = { command: 'git status', args: ['; rm -rf ~/EVIL'], cwd: '/EVIL-CWD' };
    const [shown] = texts(asked('run_program', input, false), '<pre>', '</pre>');
    expect(shown).toContain('; rm -rf ~/EVIL');
    expect(shown).toContain('/EVIL-CWD');
    const write = { path: 'a', content: 'b', to: '/EVIL', mode: '777' };
    expect(texts(asked('writeFile', write, true), '<pre>', '</pre>')[1]).toBe('{ "mode": "777", "to": "/EVIL" }');
  });

  it('is not cut, however long it is', () => {
    const message = `${'x'.repeat(100_000)}EVIL-IN-THE-END`;
    expect(asked('echo', { message }, false)).toContain('EVIL-IN-THE-END');
    const content = `${'line\n'.repeat(2_000)}EVIL\n`;
    expect(asked('writeFile', { path: 'a', content }, true)).toContain('+ EVIL');
  });

  it('spells the rule that a yes for good would be', () => {
    const markup = asked('shellCommand', { command: 'ls' }, true, { always: true, rule: 'shell: exactly a\u3164\nb' });
    expect(markup).toContain('will allow: exactly the command a⟨U+3164⟩⟨U+000A⟩b');
  });

  it.each([
    ['tool: writeFile', 'every call of writeFile'],
    ['mcp: files/write_file', 'every call of the MCP tool files/write_file'],
    ['web: example.com', 'every page of example.com'],
    ['browser: https://example.com', 'every step in the browser at https://example.com'],
    ['shell: git commit -m <text>', 'commands of the form git commit -m &lt;text&gt;'],
    ['a kind of a later version', 'a kind of a later version'],
  ])('tells in words what “%s” allows', (rule, words) => {
    expect(asked('echo', {}, true, { always: true, rule })).toContain(`will allow: ${words}<`);
  });

  it('shows what changes in a file in place of its new text, and how many lines', () => {
    const hunks = [
      [
        { kind: 'same', text: 'one', before: 1, after: 1 },
        { kind: 'removed', text: 'two\u3164', before: 2 },
        { kind: 'added', text: '2', after: 2 },
      ],
    ];
    const change = { files: [{ path: 'a.md', fate: 'changed', hunks: 1, note: 'A note\u3164.' }], hunks };
    const markup = asked('writeFile', { path: 'a.md', content: 'one\n2\n' }, true, { change });
    expect(texts(markup, '<figcaption>', '</figcaption>')).toEqual(['file a.md +1 −1']);
    expect(texts(markup, '<pre>', '</pre>')).toEqual(['1  one\n2- two⟨U+3164⟩\n2+ 2\n']);
    expect(markup).toContain('A note⟨U+3164⟩.');
  });

  it('says that a file is new, and that a file is replaced whose change is not shown', () => {
    const isNew = { change: { files: [{ path: 'a.md', fate: 'added', hunks: 0 }] } };
    const added = asked('writeFile', { path: 'a.md', content: 'one\n' }, true, isNew);
    expect(texts(added, '<figcaption>', '</figcaption>')).toEqual(['new file a.md +1 −0']);
    const hidden = { change: { files: [{ path: 'a.svg', fate: 'changed', hunks: 0, note: 'All goes.' }] } };
    const chart = asked('chartRender', { path: 'a.svg', alt: 'a' }, true, hidden);
    expect(texts(chart, '<figcaption>', '</figcaption>')).toEqual(['file a.svg', 'Input']);
    expect(chart).toContain('All goes.');
    const same = asked('writeFile', { path: 'a', content: 'x' }, true, {
      change: { files: [{ path: 'a', fate: 'changed', hunks: 0 }], hunks: [] },
    });
    expect(same).toContain('Nothing in it changes.');
  });

  it('believes no change that comes with a call of another server', () => {
    const change = { files: [{ path: 'b.md', fate: 'added', hunks: 0 }] };
    expect(asked('writeFile', { path: 'a.md', content: 'EVIL' }, false, { change })).toContain('EVIL');
  });

  it('offers no yes before its end was in view, and a no always', () => {
    const markup = asked('shellCommand', { command: 'ls' }, true, { always: true });
    expect(markup.match(/<button[^>]*disabled=""[^>]*>(Approve|Always in this chat)/g)).toHaveLength(2);
    expect(markup).toContain('>Reject</button>');
  });
});
