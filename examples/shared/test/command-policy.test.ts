import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { classifyCommand } from '../command-policy.js';
import { createPathGuard } from '../path-guard.js';
import { COMMANDS } from './helpers/command-table.js';
import { FOREIGN_COMMANDS } from './helpers/foreign-commands.js';
import { makeCommandWorkspace } from './helpers/command-workspace.js';

const workspace = makeCommandWorkspace();
afterAll(() => workspace.remove());

const named = (command: string): string =>
  command.replaceAll('WORK', workspace.cwd).replaceAll('HOME_DIR', workspace.home);

describe.each(Object.entries(COMMANDS))('commands that are %s', (expected, commands) => {
  it.each(commands)('%j', (command) => {
    const { class: found, reason } = classifyCommand(named(command), workspace);
    expect({ class: found, reason }).toEqual({ class: expected, reason: expect.stringMatching(/\w/) });
  });
});

describe('commands of other agents', () => {
  const { run, asked, refused } = FOREIGN_COMMANDS;
  it.each(run)('%j runs unasked, as there', (command) => {
    expect(classifyCommand(command, workspace)).toMatchObject({ class: 'safe' });
  });
  it.each([...asked, ...refused])('%j does not run unasked', (command) => {
    expect(classifyCommand(command, workspace).class).not.toBe('safe');
  });
});

it('a program by its place is one of the system', () => {
  const classes = [
    '/bin/ls',
    '/usr/bin/wc a.txt',
    '/usr/local/bin/ls',
    '/usr/bin/../../x/ls',
    '/bin/touch x',
    '/usr/bin/git status',
  ];
  expect(classes.map((command) => classifyCommand(command, workspace).class)).toEqual([
    'safe',
    'safe',
    'ask',
    'ask',
    'ask',
    'ask',
  ]);
});

it('knows at least 220 forms', () => {
  expect(new Set(Object.values(COMMANDS).flat()).size).toBeGreaterThan(220);
});

describe('what lies in the folder decides', () => {
  const classIn = (folder: string, command: string, more: Partial<typeof workspace> = {}): string =>
    classifyCommand(command, { ...workspace, cwd: join(workspace.cwd, folder), ...more }).class;

  it('a file that is called like an option makes a pattern one to ask about', () => {
    expect(['sort *', 'cat ?o', 'ls [-]o', 'cat ./*'].map((command) => classIn('dashed', command))).toEqual([
      'ask',
      'ask',
      'ask',
      'safe',
    ]);
  });

  it('a link that leads out does, where the pattern fits it', () => {
    expect(['cat *', 'cat p*', 'cat x*'].map((command) => classIn('linked', command))).toEqual(['ask', 'ask', 'safe']);
  });

  it('settings of a repository that name a filter make git one to ask about', () => {
    expect([classIn('filtered', 'git status'), classIn('src', 'git status')]).toEqual(['ask', 'safe']);
  });

  it('settings of a repository that are no file are not waited for', () => {
    mkdirSync(join(workspace.cwd, 'piped/.git'), { recursive: true });
    execFileSync('mkfifo', [join(workspace.cwd, 'piped/.git/config')]);
    expect(classIn('piped', 'git status')).toBe('ask');
  });

  it('a folder of keys in the workspace makes one to ask about of what goes through everything', () => {
    const guard = createPathGuard({ roots: [workspace.cwd], closed: [join(workspace.cwd, 'src/deep')] });
    const classes = [
      'grep -r --context 2 x',
      'rg -tre x',
      'grep -r x .',
      'grep -r x',
      'rg x',
      'find . -name x',
      'cat src/deep/y.ts',
      'cat src/deep/*',
      'grep x a.txt',
      'ls',
    ];
    expect(classes.map((command) => classIn('', command, { guard }))).toEqual([
      'ask',
      'ask',
      'ask',
      'ask',
      'ask',
      'ask',
      'ask',
      'ask',
      'safe',
      'safe',
    ]);
  });

  it('nothing is outside where there are no roots, but what the kernel makes up', () => {
    const guard = createPathGuard({ roots: [workspace.cwd], isUnlimited: true });
    expect(
      ['cat /etc/hosts', 'cat /proc/self/environ', 'rm -rf /'].map((command) => classIn('', command, { guard })),
    ).toEqual(['safe', 'ask', 'forbidden']);
  });
});
