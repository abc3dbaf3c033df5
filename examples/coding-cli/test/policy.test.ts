import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPathGuard } from 'responses-loop-example-shared/path-guard.js';
import { afterAll, describe, expect, it } from 'vitest';
import { decide } from '../src/approval/policy.js';
import { parseRule, printRule } from '../src/approval/rules.js';
import type { PolicyContext, Rule, ToolCallToJudge } from '../src/approval/types.js';
import { APPROVAL, type ApprovalMode, SANDBOX, type SandboxMode } from '../src/protocol/settings.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-')));
afterAll(() => rmSync(base, { recursive: true }));
const cwd = join(base, 'work');
const data = join(cwd, 'data');
mkdirSync(join(cwd, 'src'), { recursive: true });
mkdirSync(join(cwd, '.git'));
mkdirSync(data);
mkdirSync(join(base, 'out'));
writeFileSync(join(base, 'out/x'), '');
symlinkSync('../out', join(cwd, 'link'));
symlinkSync('.git', join(cwd, 'to-git'));

function policy(approval: ApprovalMode, sandbox: SandboxMode, more: Partial<PolicyContext> = {}): PolicyContext {
  const guard = createPathGuard({ roots: [cwd], closed: [data], isUnlimited: sandbox === 'danger_full_access' });
  return {
    approval,
    sandbox,
    cwd,
    guard,
    home: '/home/nobody',
    rules: [],
    trustedMcp: ['docs'],
    protectedDirs: [data],
    terminals: { find: (id) => (id === 1 ? { id, command: 'python3 -i', line: '' } : undefined) },
    ...more,
  };
}

const local = (tool: string, args: Record<string, unknown>, isReadOnly = false): ToolCallToJudge => ({
  tool,
  source: 'local',
  arguments: args,
  isReadOnly,
});
const bash = (command: string, more: Record<string, unknown> = {}) => local('bash', { command, ...more });
const exec = (cmd: string, more: Record<string, unknown> = {}) => local('exec_command', { cmd, ...more });
const type = (chars?: string, id = 1) => local('write_stdin', { session_id: id, chars });
const patch = (from: string, to: string) =>
  local('apply_patch', { patch: `*** Begin Patch\n*** Update File: ${from}\n*** Move to: ${to}\n*** End Patch` });
const mcp = (source: string, isReadOnly: boolean): ToolCallToJudge => ({
  tool: 'look',
  source,
  arguments: {},
  isReadOnly,
});

const READ_IN = [
  local('read', { path: 'src/x' }, true),
  local('list', {}, true),
  local('glob', { pattern: 'src/**/*.ts' }, true),
  local('grep', { pattern: '/x', path: 'src' }, true),
];
const READ_OUT = [
  local('read', { path: '/etc/passwd' }, true),
  local('list', { path: '..' }, true),
  local('read', { path: 'link/x' }, true),
  local('glob', { pattern: '../*' }, true),
  local('glob', { pattern: '/etc/*' }, true),
  local('glob', { pattern: 'link/**' }, true),
  local('grep', { pattern: 'x', path: '/' }, true),
  local('read', { path: 'data/x' }, true),
];
const WRITE_IN = [local('write', { path: 'src/new' }), local('edit', { path: 'src/x' })];
const WRITE_OUT = [
  local('write', { path: '../x' }),
  local('edit', { path: '/etc/passwd' }),
  local('write', { path: 'link/x' }),
];
const PROTECTED = [
  '.git/config',
  '.GIT/config',
  'src/.git/hooks/x',
  '.coder/config.json',
  'data/x',
  'to-git/config',
  '.git',
  '.g\u200cit/config',
].flatMap((path) => [local('write', { path }), local('edit', { path })]);

type Row = readonly [string, readonly ToolCallToJudge[], SandboxMode, readonly [string, string, string, string]];

/** Approval in the order of its values: unless_trusted, on_request, on_failure, never. */
const ROWS: readonly Row[] = [
  ['read-only tools, in', READ_IN, 'workspace_write', ['run', 'run', 'run', 'run']],
  ['read-only tools, in', READ_IN, 'read_only', ['run', 'run', 'run', 'run']],
  ['read-only tools, outside', READ_OUT, 'workspace_write', ['ask', 'ask', 'ask', 'deny']],
  ['read-only tools, outside', READ_OUT, 'read_only', ['ask', 'ask', 'ask', 'deny']],
  ['write and edit, in', WRITE_IN, 'workspace_write', ['ask', 'run', 'run', 'run']],
  ['write and edit, outside', WRITE_OUT, 'workspace_write', ['ask', 'ask', 'ask', 'deny']],
  ['write and edit, in', WRITE_IN, 'read_only', ['ask', 'ask', 'ask', 'deny']],
  ['write and edit, outside', WRITE_OUT, 'read_only', ['ask', 'ask', 'ask', 'deny']],
  ['write and edit, protected', PROTECTED, 'workspace_write', ['deny', 'deny', 'deny', 'deny']],
  ['write and edit, protected', PROTECTED, 'danger_full_access', ['deny', 'deny', 'deny', 'deny']],
  ['bash, safe', [bash('ls')], 'workspace_write', ['run', 'run', 'run', 'run']],
  ['bash, safe', [bash('ls', { workdir: 'src' })], 'read_only', ['run', 'run', 'run', 'run']],
  ['bash, ask', [bash('npm test')], 'workspace_write', ['ask', 'ask', 'run', 'deny']],
  ['bash, ask', [bash('npm test')], 'read_only', ['ask', 'ask', 'ask', 'deny']],
  ['bash, not read to its end', [bash('ls "')], 'workspace_write', ['ask', 'ask', 'ask', 'deny']],
  ['bash, danger', [bash('git push')], 'workspace_write', ['ask', 'ask', 'ask', 'deny']],
  ['bash, danger', [bash('git push')], 'read_only', ['ask', 'ask', 'ask', 'deny']],
  ['bash, forbidden', [bash('rm -rf /')], 'workspace_write', ['deny', 'deny', 'deny', 'deny']],
  ['bash, forbidden', [bash('rm -rf /')], 'danger_full_access', ['deny', 'deny', 'deny', 'deny']],
  ['exec_command, safe', [exec('ls', { workdir: 'src' })], 'read_only', ['run', 'run', 'run', 'run']],
  [
    'exec_command, ask',
    [exec('npm test'), local('exec_command', { command: 'npm test' })],
    'workspace_write',
    ['ask', 'ask', 'run', 'deny'],
  ],
  ['exec_command, danger', [exec('git push')], 'workspace_write', ['ask', 'ask', 'ask', 'deny']],
  ['exec_command, forbidden', [exec('rm -rf /')], 'danger_full_access', ['deny', 'deny', 'deny', 'deny']],
  ['write_stdin, a look', [type(), type(''), type('\u0003'), type('x', 2)], 'read_only', ['run', 'run', 'run', 'run']],
  [
    'write_stdin, a text',
    [type('ls\n'), type('1 + 1\n'), type('\u0004')],
    'workspace_write',
    ['ask', 'ask', 'ask', 'deny'],
  ],
  ['write_stdin, danger', [type('git push\n')], 'workspace_write', ['ask', 'ask', 'ask', 'deny']],
  ['write_stdin, forbidden', [type('rm -rf /\n')], 'danger_full_access', ['deny', 'deny', 'deny', 'deny']],
  ['apply_patch, in', [patch('src/x', 'new')], 'workspace_write', ['ask', 'run', 'run', 'run']],
  [
    'apply_patch, one outside',
    [patch('src/x', '../y'), patch('link/x', 'src/x')],
    'workspace_write',
    ['ask', 'ask', 'ask', 'deny'],
  ],
  ['apply_patch, in', [patch('src/x', 'new')], 'read_only', ['ask', 'ask', 'ask', 'deny']],
  [
    'apply_patch, one protected',
    [patch('src/x', '.git/config'), patch('../y', 'data/x')],
    'danger_full_access',
    ['deny', 'deny', 'deny', 'deny'],
  ],
  ['apply_patch that is none', [local('apply_patch', { patch: 'x' })], 'read_only', ['run', 'run', 'run', 'run']],
  [
    'web_fetch',
    [local('web_fetch', { url: 'https://example.com/a' }, true)],
    'workspace_write',
    ['ask', 'ask', 'ask', 'deny'],
  ],
  [
    'web_fetch',
    [local('web_fetch', { url: 'https://example.com/a' }, true)],
    'danger_full_access',
    ['ask', 'ask', 'ask', 'run'],
  ],
  [
    'web_fetch of what is no page',
    [local('web_fetch', { url: 'file:///etc/passwd' }, true)],
    'workspace_write',
    ['run', 'run', 'run', 'run'],
  ],
  ['MCP, says read-only and is trusted', [mcp('docs', true)], 'read_only', ['run', 'run', 'run', 'run']],
  ['other MCP', [mcp('docs', false), mcp('other', true)], 'workspace_write', ['ask', 'ask', 'ask', 'deny']],
  [
    'no roots: reads and writes',
    [...READ_IN, ...READ_OUT.slice(0, 7)],
    'danger_full_access',
    ['run', 'run', 'run', 'run'],
  ],
  ['no roots: write and edit', [...WRITE_IN, ...WRITE_OUT], 'danger_full_access', ['ask', 'run', 'run', 'run']],
  ['no roots: bash, ask', [bash('npm test')], 'danger_full_access', ['ask', 'ask', 'run', 'run']],
  ['no roots: bash, danger', [bash('git push')], 'danger_full_access', ['ask', 'ask', 'ask', 'run']],
  ['no roots: other MCP', [mcp('other', false)], 'danger_full_access', ['ask', 'ask', 'ask', 'run']],
  [
    'no roots: what the kernel makes up',
    [local('read', { path: '/proc/self/environ' }, true)],
    'danger_full_access',
    ['ask', 'ask', 'ask', 'deny'],
  ],
  ['the list of what is to do', [local('todo_write', {})], 'read_only', ['run', 'run', 'run', 'run']],
];

describe.each(ROWS)('%s, %#', (_name, calls, sandbox, outcomes) => {
  it.each(APPROVAL.options.map((approval, at) => [approval, outcomes[at]] as const))(
    `${sandbox}, %s: %s`,
    (approval, outcome) => {
      for (const call of calls)
        expect({ call, ...decide(call, policy(approval, sandbox)) }).toMatchObject({
          call,
          outcome,
          reason: expect.stringMatching(/\w/),
        });
    },
  );
});

describe('while a plan is made', () => {
  const plan = (call: ToolCallToJudge, approval: ApprovalMode, sandbox: SandboxMode) =>
    decide(
      call,
      policy(approval, sandbox, {
        mode: 'plan',
        rules: ['write: in workspace', 'bash: npm test', 'mcp: other/look'].map(parseRule),
      }),
    );
  const readers = [...READ_IN, ...READ_OUT, bash('ls'), mcp('docs', true), mcp('other', true)];
  const others = [
    ...WRITE_IN,
    ...WRITE_OUT,
    bash('npm test'),
    bash('ls "'),
    bash('git push'),
    mcp('docs', false),
    mcp('other', false),
    local('a_tool_of_later', {}, true),
  ];

  it('no call runs or is asked about but those that read, in any approval and sandbox', () => {
    for (const approval of APPROVAL.options)
      for (const sandbox of SANDBOX.options) {
        for (const call of others)
          expect({ call, ...plan(call, approval, sandbox) }).toMatchObject({ call, outcome: 'deny' });
        for (const call of readers)
          expect({ call, outcome: plan(call, approval, sandbox).outcome }).toEqual({
            call,
            outcome: decide(call, policy(approval, sandbox, { rules: [parseRule('mcp: other/look')] })).outcome,
          });
      }
  });
});

describe('a rule', () => {
  const verdict = (
    call: ToolCallToJudge,
    rules: readonly string[],
    approval: ApprovalMode = 'on_request',
    sandbox: SandboxMode = 'workspace_write',
  ) => decide(call, policy(approval, sandbox, { rules: rules.map(parseRule) }));

  it.each([
    ['npm test', ['bash: npm test']],
    ['npm test -- --watch=false 2>&1', ['bash: npm test -- --watch=false']],
    ['npm test | head -5', ['bash: npm test']],
    ['git commit -m x && npm test', ['bash: npm test', 'bash: git commit -m <text> <paths>']],
    ['cd src && npm test', ['bash: exactly cd src && npm test']],
    ['make', ['bash: exactly make']],
    ['touch a b', ['bash: touch *']],
  ])('lets %j run: %j', (command, rules) => {
    expect(verdict(bash(command), rules)).toMatchObject({ outcome: 'run', byRule: expect.anything() });
    expect(verdict(bash(command), rules, 'never').outcome).toBe('run');
  });

  it.each([
    ['npm run test', ['bash: npm test']],
    ['cd src && npm test', ['bash: npm test']],
    ['npm test && touch x', ['bash: npm test']],
    ['npm test > x', ['bash: npm test', 'bash: exactly npm test > x']],
    ['npm test $(touch x)', ['bash: npm test', 'bash: exactly npm test $(touch x)']],
    ['npm test <(ls)', ['bash: npm test']],
    ['npm test <<E\nx\nE', ['bash: npm test']],
    ['X=1 npm test', ['bash: npm test']],
    ['npm $X', ['bash: npm test']],
    ['npm --prefix x test', ['bash: npm test']],
    ['./npm test', ['bash: npm test']],
    ['sudo npm test', ['bash: npm test', 'bash: exactly sudo npm test']],
    ['git push', ['bash: exactly git push']],
    ['git -c core.pager=x commit -m y', ['bash: git commit -m <text> <paths>']],
    ['rm -rf src', ['bash: exactly rm -rf src']],
    ['npm test "', ['bash: npm test', 'bash: exactly npm test "']],
    ['npm test &', ['bash: npm test']],
    ['(npm test)', ['bash: npm test']],
    ['touch ../x', ['bash: touch *']],
    ['\u00a0npm test', ['bash: exactly npm test']],
    ['npm run a\\ ', ['bash: exactly npm run a\\']],
  ])('does not let %j run: %j', (command, rules) => {
    const found = verdict(bash(command), rules);
    expect({ outcome: found.outcome, byRule: found.byRule }).toEqual({ outcome: 'ask', byRule: undefined });
  });

  it.each([
    ['npm test', 'bash: npm test'],
    ['git commit -m "a b"', 'bash: git commit -m <text> <paths>'],
    ['ls && cargo build --release', 'bash: cargo build --release <names>'],
    ['npm ci && npm test', 'bash: exactly npm ci && npm test'],
    ['git -C src commit', 'bash: exactly git -C src commit'],
    ['cat /etc/hosts', 'bash: exactly cat /etc/hosts'],
    ['printf -v PATH x', 'bash: exactly printf -v PATH x'],
  ])('for %j is offered as %j', (command, text) => {
    expect(verdict(bash(command), []).rule).toEqual(parseRule(text));
  });

  it.each(['git push', 'npm test > x', 'echo $(npm test)', 'cat <<< x', 'ls "', '', 'rm -r src', 'kill 1'])(
    'is not offered for %j',
    (command) => {
      expect(verdict(bash(command), []).rule).toBeUndefined();
    },
  );

  it('is neither offered nor counts for a command that starts elsewhere', () => {
    const call = bash('npm test', { workdir: '..' });
    expect(verdict(call, ['bash: npm test'])).toEqual({
      outcome: 'ask',
      class: 'ask',
      reason: expect.stringContaining('outside'),
    });
    expect(verdict(bash('git status', { workdir: '..' }), []).outcome).toBe('ask');
  });

  it('that names a command counts only where it was asked about: another folder has other files by its names', () => {
    const call = bash('./build', { workdir: 'src' });
    expect(verdict(bash('./build'), ['bash: exactly ./build']).outcome).toBe('run');
    expect(verdict(call, ['bash: exactly ./build'])).toEqual({
      outcome: 'ask',
      class: 'ask',
      reason: expect.stringContaining('build'),
    });
    expect(verdict(bash('npm test', { workdir: 'src' }), ['bash: npm test']).outcome).toBe('ask');
    expect(verdict(bash('touch x', { workdir: 'src' }), ['bash: touch *']).outcome).toBe('run');
  });

  it('lets files of the workspace be written, and none outside of it or in a read-only session', () => {
    const rules = ['write: in workspace'];
    const outcomes = [
      verdict(WRITE_IN[0] ?? bash(''), rules, 'unless_trusted').outcome,
      verdict(WRITE_OUT[0] ?? bash(''), rules, 'unless_trusted').outcome,
      verdict(WRITE_IN[0] ?? bash(''), rules, 'unless_trusted', 'read_only').outcome,
      verdict(PROTECTED[0] ?? bash(''), rules, 'unless_trusted').outcome,
    ];
    expect(outcomes).toEqual(['run', 'ask', 'ask', 'deny']);
  });

  it.each(['cd', 'pushd', 'export', 'printf', 'test', 'hash', 'enable', 'set', 'alias', 'mapfile'])(
    'does not stand for %s, behind which other commands mean something else',
    (program) => {
      expect(() => parseRule(`bash: ${program} *`)).toThrow('is not a rule');
    },
  );

  it.each([
    ['a/b', 'c'],
    ['a', 'c\nd'],
    ['a', 'c '],
    ['a', 'c\u00a0'],
    ['', 'c'],
  ])('is not offered for the tool %j/%j of an MCP server, as its text would say another one', (server, tool) => {
    const call = { tool, source: server, arguments: {}, isReadOnly: false };
    expect(verdict(call, []).rule).toBeUndefined();
  });

  it('that names a command says it to the letter, with blanks that are no blanks for a shell', () => {
    const rule = verdict(bash('npm run a\u00a0 && npm ci\n'), []).rule;
    expect(rule).toEqual({ kind: 'command', rule: 'exactly npm run a\u00a0 && npm ci' });
    const odd: Rule = { kind: 'command', rule: 'exactly x\u00a0' };
    expect(parseRule(printRule(odd))).toEqual(odd);
  });

  it('lets one tool of one MCP server run', () => {
    expect(verdict(mcp('other', false), ['mcp: other/look']).outcome).toBe('run');
    expect(verdict(mcp('other', false), ['mcp: docs/look', 'mcp: other/write']).outcome).toBe('ask');
  });
});

it('names the paths outside that a call reaches for, so that only these are opened', () => {
  expect(decide(local('read', { path: 'link/x' }, true), policy('on_request', 'workspace_write')).outside).toEqual([
    join(base, 'out/x'),
  ]);
});
