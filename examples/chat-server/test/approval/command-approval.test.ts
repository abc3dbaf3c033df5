import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPathGuard } from 'responses-loop-example-shared/path-guard.js';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeCommand } from '../../src/approval/command-approval.js';
import { closeWorkspace, openWorkspace } from '../support/workspace.js';

const at = openWorkspace({ 'a.md': 'a', 'docs/b.md': 'b' });
symlinkSync(at.dataFolder, join(at.root, 'link'));
afterAll(() => closeWorkspace(at));

function judge(command: string) {
  return judgeCommand(command, at);
}

function ruleOf(command: string): string | undefined {
  const verdict = judge(command);
  if (verdict.decision !== 'ask') throw new Error(`${command}: ${verdict.decision}`);
  return verdict.grant?.kind === 'command' ? verdict.grant.rule : undefined;
}

describe('a command', () => {
  it.each(['ls', 'cat a.md', 'wc -l docs/b.md | sort', 'pwd && echo done'])('that only reads runs: %s', (command) => {
    expect(judge(command)).toEqual({ decision: 'run' });
  });

  it.each(['rm -rf /', 'rm -rf ~', 'echo ok; rm -rf $HOME', ':(){ :|:& };:', 'sudo mkfs.ext4 /dev/sda1'])(
    'that would destroy the system is refused without asking: %s',
    (command) => {
      expect(judge(command).decision).toBe('refuse');
    },
  );

  it.each(['touch x', 'npm test', 'echo a > b', 'cat /etc/passwd', 'curl example.com', 'ls $(pwd)', 'ls &'])(
    'of any other kind asks: %s',
    (command) => {
      expect(judge(command).decision).toBe('ask');
    },
  );
});

describe('the data folder', () => {
  it.each([
    'cat .chat-server/token',
    'cat ./.chat-server/token',
    'cat docs/../.chat-server/token',
    'head -c 100 .chat-server/secret',
    'cat .chat-server/*',
    'cat .chat*/token',
    'cat .*/token',
    'cat .c[h]at-server/token',
    'cat link/token',
    'cat lin*/token',
    'grep -r . .',
    'grep -r token',
    'rg --hidden --no-ignore token',
    'rg -uuu token',
    'find .',
    'find . -name token',
    'ls -R',
    'ls -la .chat-server',
    'tree -a',
    'du -a',
    'stat .chat-server/token',
    'sha256sum .chat-server/token',
    'sort .chat-server/token',
    'cat < .chat-server/token',
    'cat "$PWD/.chat-server/token"',
    'diff a.md .chat-server/token',
    'cd .chat-server && cat token',
    'git diff --no-index a.md .chat-server/token',
    'git show :.chat-server/token',
    'test -f .chat-server/token',
  ])('is out of reach of what runs unasked: %s', (command) => {
    expect(judgeCommand(command, at).decision).not.toBe('run');
  });

  it.each([
    'less .chat-server/token',
    'less link/token',
    'cp -r . /tmp/x',
    'tar cf x.tar .',
    'mycat --file=.chat-server/token',
    'cat .chat-server/token',
    'cat .chat*/token',
    'less .ch?t-server/token',
  ])('is near no grant that covers more than this command: %s', (command) => {
    const verdict = judgeCommand(command, at);
    expect(verdict.decision).toBe('ask');
    const rule = verdict.decision === 'ask' && verdict.grant?.kind === 'command' ? verdict.grant.rule : 'exactly';
    expect(rule).toMatch(/^exactly/);
  });
});

describe('forms that print keys', () => {
  it.each([
    'env',
    'printenv',
    'printenv OPENAI_API_KEY',
    'set',
    'export -p',
    'declare -x',
    'echo $OPENAI_API_KEY',
    'echo ${OPENAI_API_KEY}',
    'echo "$OPENAI_API_KEY"',
    'cat /proc/self/environ',
    'cat /proc/$PPID/environ',
    'cat <<<"$CHAT_TOKEN"',
    'printf %s "$OPENAI_API_KEY"',
    'awk \'BEGIN{print ENVIRON["OPENAI_API_KEY"]}\'',
    'jq -n env.OPENAI_API_KEY',
    "jq -n '$ENV.OPENAI_API_KEY'",
    'ps eww',
    'git config --list',
    'compgen -v',
  ])('never run unasked: %s', (command) => {
    expect(judge(command).decision).not.toBe('run');
  });
});

describe('"Always in this chat"', () => {
  it('for two commands counts for a line of both', () => {
    const verdict = judge('npm test && touch x');
    if (verdict.decision !== 'ask') throw new Error(verdict.decision);
    expect([['npm test'], ['npm test', 'touch *']].map((rules) => verdict.isCovered?.(rules))).toEqual([false, true]);
  });

  it.each([
    ['git commit -m "x"', 'git commit -m <text> <paths>'],
    ['git commit --amend', 'git commit --amend <paths>'],
    ['npm test', 'npm test'],
    ['npm run build', 'npm run build'],
    ['touch x', 'touch *'],
    ['make', 'exactly make'],
    ['git -C docs commit', 'exactly git -C docs commit'],
    ['npm install && npm test', 'exactly npm install && npm test'],
    ['./build.sh', 'exactly ./build.sh'],
    ['cat /etc/hostname', 'exactly cat /etc/hostname'],
  ])('for %s is %s', (command, rule) => {
    expect(ruleOf(command)).toBe(rule);
  });

  it.each([
    'bash x.sh',
    'ash x.sh',
    'python3 x.py',
    'node -e 1',
    'tsx x.ts',
    'env FOO=1 ls',
    'xargs rm',
    'npx cowsay',
    'awk 1 a.md',
    'busybox true',
    'watch true',
    'parallel echo ::: a',
    'flock a.md true',
    'chroot docs true',
    'unshare true',
    'gdb a.out',
    'script x.log',
    'entr true',
    'npm exec cowsay',
    'npm x cowsay',
    'pnpm dlx cowsay',
    'yarn dlx cowsay',
    'make test',
    'go run x.go',
    'git config user.name x',
    'git bisect run true',
    'git submodule foreach true',
    'git rebase HEAD~1',
    'git difftool -x true',
    'uv run x.py',
    'vim a.md',
  ])('for what runs anything is this very command: %s', (command) => {
    const verdict = judge(command);
    const rule = verdict.decision === 'ask' && verdict.grant?.kind === 'command' ? verdict.grant.rule : undefined;
    expect([`exactly ${command}`, undefined]).toContain(rule);
  });

  it.each(['sudo ls', 'git push', 'rm -r docs', 'touch x > y', 'touch $(date)', 'touch `date`', 'kill 1'])(
    'is not offered for %s',
    (command) => {
      expect(ruleOf(command)).toBeUndefined();
    },
  );
});

describe('a data folder outside of the workspace', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'chat-state-')), 'state', 'chat-server');
  mkdirSync(folder, { recursive: true });
  afterAll(() => rmSync(join(folder, '../..'), { recursive: true, force: true }));
  const closed = [join(folder, 'abc'), folder];
  const place = { root: at.root, closed, guard: createPathGuard({ roots: [at.root], closed }) };

  it.each([
    `mycat ${folder}/abc/token`,
    `mycat ${folder}/another/token`,
    `mycat --file=${folder}/abc/token`,
    'mycat --file=~/.local/state/chat-server/abc/token',
    `tar cf a.tar ${folder}`,
  ])('is asked about, and nothing is granted that would reach it: %s', (command) => {
    expect(judgeCommand(command, place)).not.toMatchObject({ decision: 'run' });
    expect(judgeCommand(command, place)).not.toMatchObject({ grant: expect.anything() as unknown });
  });

  it('makes no other command ask whose words are alike', () => {
    expect(judgeCommand('ls docs/chat-server', place)).toEqual({ decision: 'run' });
    expect(judgeCommand('grep -rn abc docs', place)).toEqual({ decision: 'run' });
  });
});
