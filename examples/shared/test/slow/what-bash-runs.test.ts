import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseCommand } from '../../parse-command.js';
import { COMMANDS } from '../helpers/command-table.js';
import { makeStubPrograms } from '../helpers/stub-programs.js';

const NAMES = [
  'ls',
  'cat',
  'rm',
  'git',
  'sort',
  'grep',
  'find',
  'sed',
  'head',
  'wc',
  'jq',
  'uniq',
  'touch',
  'a',
  'b',
  'x',
  '1',
  'é',
];
const MORE =
  'tail stat file du df date whoami id uname which basename dirname realpath readlink cut tr nl rev cmp diff sha256sum md5sum tree egrep fgrep rg timeout sleep awk base64 tac numfmt column xxd fd bat batcat ag yq xargs node basename';
const stubs = makeStubPrograms([...NAMES, ...MORE.split(' ')]);
afterAll(() => stubs.remove());

const FRAGMENTS = [
  ...NAMES,
  'echo',
  'timeout 5 ',
  'CI=1 ',
  '{ ',
  '; }',
  '>&2',
  '2>&-',
  '[',
  ']',
  'test',
  'true',
  ' ',
  ' ',
  ' ',
  ' ',
  '\t',
  '\n',
  `'`,
  `'`,
  '"',
  '"',
  '\\',
  '\\\n',
  '$',
  '$(',
  '`',
  '(',
  ')',
  '{',
  '}',
  '|',
  '||',
  '&',
  '&&',
  ';',
  '<',
  '<<',
  '<<<',
  '>',
  '2>&1',
  '>/dev/null',
  '2>/dev/null',
  '#',
  ' #',
  '~',
  '=',
  '*',
  '?',
  '!',
  `$'`,
  '$"',
  `\\'`,
  '\\n',
  '\u00a0',
  '\u3000',
  'ü',
  '-',
  '--',
  '/',
  ',',
  '..',
  ':',
  '%',
  '@',
  '+',
  '^',
  '.',
  'E',
  'if',
  'then',
  'fi',
  'do',
  'for',
  'in',
  '[[',
  ']]',
  '$((',
  '))',
  '${',
  '\r',
  '\u{1f600}',
];

/** Those that stay in their folder: what a random text writes stays there too. */
const STAYING = COMMANDS.safe.filter((command) => !command.startsWith('cd '));

const fragments = fc
  .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 14 })
  .map((parts) => parts.join(''));
/** A known command with something put in or taken out at a random place. */
const mutated = fc
  .tuple(
    fc.constantFrom(...STAYING),
    fc.array(fc.tuple(fc.nat(60), fc.nat(2), fc.constantFrom(...FRAGMENTS)), { minLength: 1, maxLength: 3 }),
  )
  .map(([command, edits]) =>
    edits.reduce((text, [place, length, piece]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + length);
    }, command),
  );
const text = fc.oneof(fragments, mutated);

const plainOf = (source: string): string[][] | undefined => {
  const { plain } = parseCommand(source);
  return typeof plain === 'string'
    ? undefined
    : plain.map(({ name, args, timeout }) => [
        ...(timeout === undefined ? [] : ['timeout', timeout]),
        name,
        ...args.map(({ value }) => value),
      ]);
};
const inOrder = (calls: readonly (readonly string[])[]): string[] =>
  calls.map((call) => JSON.stringify(call)).toSorted();
const programsOf = (calls: readonly (readonly string[])[]): string[] => inOrder(calls.map((call) => call.slice(0, 1)));

describe('the commands that are seen', () => {
  it('are, where a text is plain, to the letter those that bash runs', () => {
    let compared = 0;
    fc.assert(
      fc.property(text, (source) => {
        const plain = plainOf(source);
        // Names that are none here would not show up.
        if (plain === undefined || plain.some(([name = '']) => !/^[a-z\d[]+$/.test(name))) return;
        compared += 1;
        const ran = stubs.run(source);
        // For a pattern of the root, bash has the names of its folders, so only the programs are compared.
        const compare = /(?:^|[^\w.*?\]])\/+[*?[]/.test(source) ? programsOf : inOrder;
        const seen = compare(plain);
        const known = compare(ran);
        expect(known.filter((call) => !seen.includes(call))).toEqual([]);
        // Behind `||` and `&&` a command may not be reached, and one that redirects to a closed output does not run.
        if (!/\|\||&&|[<>]&-[^]*>&/.test(source)) expect(known).toEqual(seen.filter((call) => isStub(call)));
      }),
      { numRuns: 12_000 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  it('hold every program that bash starts, wherever it stands in a text', () => {
    let compared = 0;
    fc.assert(
      fc.property(text, (source) => {
        const { commands, problem } = parseCommand(source);
        const mayLoop = /\(\)|function|while|until/.test(source.replaceAll(/\s/g, ''));
        if (problem !== undefined || mayLoop || commands.length === 0) return;
        if (commands.some(({ name }) => name !== undefined && !name.isLiteral)) return;
        compared += 1;
        const names = new Set(commands.map(({ name }) => name?.value));
        expect(stubs.run(source).filter(([name]) => !names.has(name))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
    expect(compared).toBeGreaterThan(300);
  });

  it.each(STAYING)('%j is what bash runs', (source) => {
    const seen = inOrder(plainOf(source) ?? []);
    const ran = inOrder(stubs.run(source));
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.filter((call) => !seen.includes(call))).toEqual([]);
  });
});

function isStub(call: string): boolean {
  const [name] = JSON.parse(call) as string[];
  return [...NAMES, ...MORE.split(' '), 'echo', 'printf', 'test', '[', 'pwd', 'true', 'false', 'type'].includes(
    name ?? '',
  );
}
