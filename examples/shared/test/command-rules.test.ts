import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { classifyCommand } from '../command-policy.js';
import { type CommandRules, isOldRule, ruleProblem, rulesOf } from '../command-rules.js';
import { ANY_OPTION, SHAPES } from '../command-shapes.js';
import { makeCommandWorkspace } from './helpers/command-workspace.js';
import { RULE_PAIRS } from './helpers/rule-pairs.js';

const workspace = makeCommandWorkspace();
afterAll(() => workspace.remove());
const { guard } = workspace;

function rules(command: string, folder = '.'): CommandRules {
  const cwd = join(workspace.cwd, folder);
  return rulesOf(command, classifyCommand(command, { ...workspace, cwd }), { guard, isHome: folder === '.' });
}
const offered = (command: string): string => rules(command).offered ?? 'none';
const isCovered = (command: string, by: string): boolean => rules(command).coveredBy([by]) !== undefined;

describe('the rule that a question offers', () => {
  it.each([
    ['git commit -m "a b"', 'git commit -m <text> <paths>'],
    ['git commit -am x a.txt', 'git commit -a -m <text> <paths>'],
    ['git commit --message=x', 'git commit --message=<text> <paths>'],
    ['git add src a.txt', 'git add <paths>'],
    ['git fetch origin', 'git fetch origin'],
    ['npm test', 'npm test'],
    ['npm test 2>&1 | tail -5', 'npm test'],
    ['npm test -- --run "a b"', 'npm test -- --run "a b"'],
    ['npm run build', 'npm run build'],
    ['cd src && npm test', 'exactly cd src && npm test'],
    ['cd src && touch x', 'touch *'],
    ['cargo test -p core name', 'cargo test -p core <names>'],
    ['go test -run X ./...', 'go test -run <text> <paths>'],
    ['pytest -k "a or b" src/x.py::test', 'pytest -k <text> <paths>'],
    ['pytest -x', 'pytest -x <paths>'],
    ['tsc --noEmit -p src', 'tsc --noEmit -p src'],
    ['eslint --max-warnings 0 .', 'eslint --max-warnings=0 <paths>'],
    ['touch x', 'touch *'],
    ['mkdir -p a/b', 'mkdir *'],
    ['touch x && touch y', 'touch *'],
    ['touch x && mkdir y', 'exactly touch x && mkdir y'],
    ['make', 'exactly make'],
    ['eslint --rulesdir x .', 'exactly eslint --rulesdir x .'],
    ['eslint --max 0 .', 'exactly eslint --max 0 .'],
    ['NODE_ENV=test npm test', 'exactly NODE_ENV=test npm test'],
    ['prettier --check *.ts', 'exactly prettier --check *.ts'],
    ['(npm test)', 'exactly (npm test)'],
    ['npm test > x', 'none'],
    ['git push', 'none'],
    ['npm test "', 'none'],
  ])('for %j is %j', (command, rule) => {
    expect(offered(command)).toBe(rule);
  });

  it('covers the command that it was offered for, and is a rule that a person may write', () => {
    for (const command of Object.keys(RULE_PAIRS)) {
      const { offered: rule } = rules(command);
      if (rule === undefined) continue;
      expect({ command, isCovered: isCovered(command, rule) }).toEqual({ command, isCovered: true });
      expect({ rule, problem: ruleProblem(rule) }).toEqual({ rule, problem: undefined });
    }
  });
});

describe('the rule of a harmless command', () => {
  const pairs = Object.entries(RULE_PAIRS).flatMap(([harmless, others]) => others.map((other) => [harmless, other]));

  it('stands in a table of at least 200 pairs', () => {
    expect(pairs.length).toBeGreaterThan(200);
  });

  it.each(pairs)('%j does not cover %j', (harmless = '', harmful = '') => {
    const { offered: rule } = rules(harmless);
    expect(rule !== undefined && isCovered(harmful, rule)).toBe(false);
  });

  it('holds only in the folder of the workspace: another one may name other programs', () => {
    expect(rules('git commit -m x', 'src').offered).toBeUndefined();
    expect(rules('git commit -m x', 'src').coveredBy(['git commit -m <text> <paths>'])).toBeUndefined();
    expect(rules('npm test', 'src').coveredBy(['npm test'])).toBeUndefined();
    expect(rules('cd src && npm test').coveredBy(['npm test'])).toBeUndefined();
    expect(rules('touch x', 'src').coveredBy(['touch *'])).toBe('touch *');
  });

  it('by its text holds only where it was asked about', () => {
    expect(rules('./build').coveredBy(['exactly ./build'])).toBe('exactly ./build');
    expect(rules('./build', 'src')).toMatchObject({ offered: undefined });
    expect(rules('./build', 'src').coveredBy(['exactly ./build'])).toBeUndefined();
  });

  it('lets a line run only together with the rules of all its other commands', () => {
    const line = rules('npm test && git add a.txt | wc -l');
    expect(line.coveredBy(['npm test'])).toBeUndefined();
    expect(line.coveredBy(['npm test', 'git add <paths>'])).toBe('npm test');
  });
});

const PROGRAMS = [...Object.keys(SHAPES), ...ANY_OPTION, 'git', 'make', 'python3', 'sqlite3', 'env'];
const WORDS =
  '-a -m -x -p -v -e -c -o -k -u -am -xv -mx --all --fix --check --message --message=x --config --config=x --exec=x -exec -run --release -- a.txt src /etc/passwd ../x x=y @x +x origin -1 out/secret . ./...'.split(
    ' ',
  );
const commands = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }))
  .map(([program, words]) => [program, ...words].join(' '));

/** What a rule names of a command, read in another way: its words without files, free values and the order of options. */
function fixedParts(command: string, rule: string): string[] {
  if (ANY_OPTION.has(command.split(' ')[0] ?? '')) return [];
  const words = command
    .replaceAll(/ (-\w*[mk]|-run|--message)[ =]\S+/g, (option) =>
      rule.includes('<text>') ? option.replace(/[ =]\S+$/, '') : option,
    )
    .split(' ')
    .flatMap((word) =>
      /^-\w{2,}$/.test(word) && !/^-(exec|run)/.test(word) ? [...word.slice(1)] : [word.replace(/^-(?=\w$)/, '')],
    );
  const isFile = (word: string): boolean =>
    /<(paths|names)>$/.test(rule) && /^(a\.txt|src|x|origin|\.|\.\/\.\.\.|--)$/.test(word);
  return [...new Set(words.filter((word) => word !== '--' && !isFile(word)))].toSorted();
}

describe('for any two commands', () => {
  it('one rule covers both only if they differ in what the rule marks as free', () => {
    let covered = 0;
    fc.assert(
      fc.property(commands, commands, (seen, other) => {
        const { offered: rule } = rules(seen);
        if (rule === undefined || seen === other || !isCovered(other, rule)) return;
        covered += 1;
        expect(offered(other)).toBe(rule);
        expect(fixedParts(other, rule)).toEqual(fixedParts(seen, rule));
      }),
      { numRuns: 8000 },
    );
    expect(covered).toBeGreaterThan(5);
  });

  it('a rule reads back as the same rule', () => {
    fc.assert(
      fc.property(commands, (command) => {
        const { offered: rule } = rules(command);
        expect(rule === undefined ? undefined : ruleProblem(rule)).toBeUndefined();
      }),
      { numRuns: 5000 },
    );
  });
});

describe('a rule that a person writes', () => {
  it.each([
    ['git grep *', /older form/],
    ['npm test *', /older form/],
    ['tar *', /older form/],
    ['git commit -m <text>', /written as "git commit -m <text> <paths>"/],
    ['git commit -m x <paths>', /written as "git commit -m <text> <paths>"/],
    ['git commit -m <text> -a <paths>', /written as "git commit -a -m <text> <paths>"/],
    ['tar cf <paths>', /no rule but "exactly"/],
    ['git commit --exec=x <paths>', /no rule but "exactly"/],
    ['npm', /no rule but "exactly"/],
    ['sudo <text>', /no rule but "exactly"/],
    ['', /no rule but "exactly"/],
    ['* *', /older form/],
  ])('%j is none, for a reason', (text, problem) => {
    expect(ruleProblem(text)).toMatch(problem);
  });

  it('of an older version is known as such, unless it still means what it says', () => {
    expect(['git grep *', 'tar *', 'npm run *', 'cat *'].map(isOldRule)).toEqual([true, true, true, true]);
    expect(['touch *', 'mkdir *', 'exactly npm *', 'exactly git grep *', 'npm test'].map(isOldRule)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
