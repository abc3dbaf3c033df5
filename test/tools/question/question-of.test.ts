import { questionOf, spellText } from 'responses-loop/question';
import { describe, expect, it } from 'vitest';

const whole = (args: unknown): string => questionOf({ tool: 'run', source: 'files', arguments: args }).whole;

describe('questionOf', () => {
  it('shows all arguments of a call, whatever they are called', () => {
    expect(
      questionOf({
        tool: 'run_program',
        source: 'files',
        arguments: { command: 'git status', args: ['; rm -rf ~/EVIL'], cwd: '/EVIL-CWD' },
      }),
    ).toEqual({
      head: 'run_program of files',
      whole: '{\n  "args": ["; rm -rf ~/EVIL"],\n  "command": "git status",\n  "cwd": "/EVIL-CWD"\n}',
    });
  });

  it.each([
    [{ tool: 'bash', source: 'local' }, 'bash'],
    [{ tool: 'bash' }, 'bash'],
    [{ tool: 'files_read', source: 'files', originalName: 'read' }, 'files_read of files (its name there: read)'],
    [{ tool: 'read', source: 'of files', originalName: 'read' }, 'read of "of files"'],
    [{ tool: 'read\u202e', source: 'local' }, '"read⟨U+202E⟩"'],
  ])('names the tool and its source: %j', (call, head) => {
    expect(questionOf({ ...call, arguments: {} })).toEqual({ head, whole: '{}' });
  });

  it('puts on one line what is short, and on lines of their own what is long', () => {
    const long = 'x'.repeat(70);
    expect(whole({ b: [1, 2.5, -0], a: { c: null, d: true } })).toBe(
      '{ "a": { "c": null, "d": true }, "b": [1, 2.5, -0] }',
    );
    expect(whole({ long, list: [long, { a: 1 }] })).toBe(
      `{\n  "list": [\n    "${long}",\n    { "a": 1 }\n  ],\n  "long": "${long}"\n}`,
    );
    expect(whole({ ['\u3164\u200b'.repeat(20)]: 1 })).toContain('⟨U+3164⟩⟨U+200B⟩');
  });

  it('has a text of its own for what JSON has no word for', () => {
    expect(whole([undefined, 'undefined', Number.NaN, 12n, 12])).toBe('[undefined, "undefined", NaN, 12n, 12]');
  });

  it.each([
    [{ a: [{ 'b c': () => 1 }] }, 'arguments.a[0]["b c"] is a function, which is not a JSON value.'],
    [{ a: { when: new Date() } }, 'arguments.a.when is an object of the class Date, which is not a JSON value.'],
    [Symbol('x'), 'arguments is a symbol, which is not a JSON value.'],
  ])('refuses what it could not show: %#', (args, message) => {
    expect(() => whole(args)).toThrow(new TypeError(message));
  });

  it('refuses what holds itself, and shows what is only there twice', () => {
    const circle: { list: unknown[] } = { list: [] };
    circle.list.push(circle);
    expect(() => whole(circle)).toThrow('arguments.list[0] contains itself');
    const shared = { long: 'x'.repeat(80) };
    expect(whole([shared, shared]).match(/x{80}/g)).toHaveLength(2);
  });
});

describe('spellText', () => {
  it.each([
    ['echo "$HOME" | grep -v \'a\\b\' # ü 漢 😀', 'echo "$HOME" | grep -v \'a\\b\' # ü 漢 😀'],
    ['two\n  lines', 'two\n  lines'],
    ['tab\there\r\n', 'tab⇥here␍\n'],
    ['⇥␍↩', '⟨U+21E5⟩⟨U+240D⟩⟨U+21A9⟩'],
    ['⟨U+3164⟩', '⟨U+27E8⟩U+3164⟨U+27E9⟩'],
    ['\u3164\u3164 \u115f \u1160 \uffa0', '⟨U+3164×2⟩ ⟨U+115F⟩ ⟨U+1160⟩ ⟨U+FFA0⟩'],
    ['\u2800\u034f\ufe0f\u{e0100}', '⟨U+2800⟩⟨U+034F⟩⟨U+FE0F⟩⟨U+E0100⟩'],
    ['a\u00a0b\u3000c\u2028d', 'a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2028⟩d'],
    ['\u202e\u2066\u200d', '⟨U+202E⟩⟨U+2066⟩⟨U+200D⟩'],
    ['\ue000 \ud800 \u0378', '⟨U+E000⟩ ⟨U+D800⟩ ⟨U+0378⟩'],
    ['e\u0301 \u0301', 'e\u0301 ⟨U+0301⟩'],
    [`a${'\u0301'.repeat(7)}`, `a${'\u0301'.repeat(4)}⟨U+0301×3⟩`],
    ['end \nof line  ', 'end⟨U+0020⟩\nof line⟨U+0020×2⟩'],
    [`a${' '.repeat(120)}b`, 'a⟨U+0020×120⟩b'],
    [`a${'\n'.repeat(120)}b`, 'a⟨U+000A×120⟩b'],
    ['\u001b[2J', '⟨U+001B⟩[2J'],
  ])('%j is %j', (text, shown) => expect(spellText(text)).toBe(shown));
});
