import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { safeEnvironment } from '../../clean-environment.js';
import { classifyCommand } from '../../command-policy.js';
import { createPathGuard } from '../../path-guard.js';
import { withSafeGit } from '../../safe-git.js';
import { gitForms } from '../helpers/git-forms.js';
import { HAS_STRACE, traceCommand, type Trace } from '../helpers/traced-git.js';
import { makeTrappedRepository, readText } from '../helpers/trapped-repository.js';

const repository = makeTrappedRepository();
afterAll(() => repository.remove());
const { cwd, home, trap, base } = repository;
const guard = createPathGuard({ roots: [cwd] });
const config = join(cwd, '.git/config');
const plainConfig = readText(config);
/** As of a moment when the repository was found to be harmless: what a check that was passed by leaves. */
const env = safeEnvironment({ ...process.env, HOME: home, XDG_CONFIG_HOME: '' }, { cwd, guard });
const FORMS = gitForms();
if (!HAS_STRACE) console.warn('SKIPPED: no strace here, so nobody looked at what git starts and opens.');

/** What libraries and git itself read of the system, and where git looks for settings of the user. */
const OF_THE_SYSTEM =
  /^(\/usr\/|\/lib|\/etc\/(ld\.so|localtime|nsswitch|passwd|host|locale|gai)|\/dev\/(null|urandom|tty)|\/proc\/|\/sys\/devices\/system\/cpu)/;

function isOutside(path: string): boolean {
  const isOwn = path === cwd || path.startsWith(`${cwd}/`) || path.startsWith(`${home}/`);
  return !isOwn && !OF_THE_SYSTEM.test(path);
}

async function traceSafe(command: string): Promise<Trace> {
  const { plain = [] } = classifyCommand(command, { cwd, guard, home });
  return await traceCommand(withSafeGit(command, plain), { cwd, env });
}

/** Git may start itself: `stash list` does. */
const isGit = (program: string): boolean => program.endsWith('/git') && !program.startsWith(base);

async function faultsOf(commands: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const todo = [...commands];
  const worker = async (): Promise<void> => {
    for (let command = todo.pop(); command !== undefined; command = todo.pop()) {
      const { programs, paths, output } = await traceSafe(command);
      const [odd] = programs.filter((program) => !isGit(program));
      const outside = paths.find(isOutside);
      if (odd !== undefined) faults.push(`${command} starts ${odd}`);
      if (outside !== undefined) faults.push(`${command} opens ${outside}`);
      if (output.includes('TRAPPED')) faults.push(`${command} shows what lies outside`);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return faults.toSorted();
}

/** Every documented key, as `git help` lists them, with names in place of `<name>`. */
const KEYS = execFileSync('git', ['help', '-c'], { encoding: 'utf8' })
  .split('\n')
  .filter((line) => /^[a-z]+\./i.test(line))
  .map((key) =>
    key.replaceAll(
      /<(name|driver|tool|id|pattern|msg-id|condition|command|cmd|group|identity|task|format|url)>|\*/g,
      'trapped',
    ),
  );

/** A value with which git still works: first a path that would be run or read, then what turns something on. */
const CANDIDATES = [
  trap,
  `!${trap}`,
  'remerge',
  'always',
  'true',
  '1',
  'all',
  'HEAD',
  '7',
  'patience',
  'iso',
  'sha1',
  'ssh',
  'no',
  'link',
  'skipping',
  'fully',
  'perl',
  'simple',
];
/** What the check alone keeps out: nothing can be forced over these. */
const CHECK_ALONE = /^(filter|include|includeIf)\./;
const PROBE =
  'git status && git log --no-ext-diff --no-textconv -1 -p --stat && git blame --no-textconv --no-ignore-revs-file a.txt && git branch && git tag && git grep two';

function worksWith(text: string): boolean {
  writeFileSync(config, text);
  const { status } = spawnSync('/bin/bash', ['--norc', '-c', PROBE], {
    cwd,
    env,
    stdio: 'ignore',
  });
  return status === 0;
}

function lineOf(key: string, value: string): string {
  const [section = '', ...rest] = key.split('.');
  const name = rest.pop() ?? '';
  const header = rest.length === 0 ? section : `${section} "${rest.join('.')}"`;
  return `[${header}]\n\t${name} = ${JSON.stringify(value)}\n`;
}

describe.runIf(HAS_STRACE)('every command of git that runs unasked, with each of its options', () => {
  beforeAll(() => expect(FORMS.length).toBeGreaterThan(500));

  it('is one that the policy lets run, in a repository with plain settings', () => {
    writeFileSync(config, plainConfig);
    const asked = FORMS.flatMap((form) => {
      const { class: kind, reason } = classifyCommand(form, { cwd, guard, home });
      return kind === 'safe' ? [] : [`${form}: ${reason}`];
    });
    expect(asked).toEqual([]);
  });

  it('starts nothing and opens nothing outside, with odd values of the harmless settings', async () => {
    writeFileSync(
      config,
      `${plainConfig}[user]\n\tname = ${trap}\n\tsigningkey = ${trap}\n[branch "main"]\n\tremote = origin\n\tmerge = ${trap}\n` +
        `[remote "origin"]\n\tfetch = ${trap}\n\tpushurl = ${trap}\n[core]\n\thooksPath = ${trap}\n\tuntrackedCache = true\n[submodule "x"]\n\turl = ${trap}\n[color]\n\tui = always\n`,
    );
    expect(await faultsOf(FORMS)).toEqual([]);
  });
});

describe.runIf(HAS_STRACE)('with every documented key set to a trap', () => {
  const unset: string[] = [];
  let everything = '';
  const setAll = (keys: readonly string[], candidates: readonly string[]): void => {
    const [value, ...others] = candidates;
    if (value === undefined || keys.length === 0) {
      unset.push(...keys);
      return;
    }
    const lines = keys.map((key) => lineOf(key, value)).join('');
    if (worksWith(plainConfig + everything + lines)) {
      everything += lines;
      return;
    }
    if (keys.length === 1) return setAll(keys, others);
    const middle = Math.ceil(keys.length / 2);
    setAll(keys.slice(0, middle), candidates);
    setAll(keys.slice(middle), candidates);
  };
  beforeAll(
    () =>
      setAll(
        KEYS.filter((key) => !CHECK_ALONE.test(key)),
        CANDIDATES,
      ),
    280_000,
  );

  it('there is a value for nearly all of them', () => {
    expect(KEYS.length).toBeGreaterThan(500);
    // A name with `_`, and what other versions of git may know.
    expect(unset.length, unset.join(' ')).toBeLessThan(10);
  });

  it('git is one to ask about, and the reason names the file and a key', () => {
    writeFileSync(config, plainConfig + everything);
    const asked = FORMS.filter((form) => classifyCommand(form, { cwd, guard, home }).class !== 'safe');
    expect(FORMS.filter((form) => !asked.includes(form))).toEqual(['git --version']);
    const { reason } = classifyCommand('git status', { cwd, guard, home });
    expect(reason).toMatch(/work\/\.git\/config: it sets [\w.-]+, which is not known to be harmless/);
  });

  it.each([
    ['core.fsmonitor', 'git status'],
    ['diff.external', 'git diff HEAD~1'],
    ['diff.trapped.textconv', 'git log -1 -p'],
    ['diff.trapped.command', 'git log -1 -p --ext-diff'],
    ['core.excludesFile', 'git status'],
    ['core.attributesFile', 'git diff HEAD~1'],
    ['diff.orderFile', 'git diff HEAD~1'],
    ['mailmap.file', 'git log -1'],
    ['blame.ignoreRevsFile', 'git blame a.txt'],
  ])('the trap %s works: %j started by hand falls into it', async (key, command) => {
    expect(everything).toContain(lineOf(key, trap));
    writeFileSync(config, plainConfig + lineOf(key, trap));
    const own = { PATH: process.env['PATH'] ?? '', HOME: home };
    const { programs, paths } = await traceCommand(command, { cwd, env: own });
    expect([...programs, ...paths]).toContain(trap);
  });

  it('without the check git starts nothing and opens nothing outside all the same', async () => {
    writeFileSync(config, plainConfig + everything);
    expect(await faultsOf(FORMS)).toEqual([]);
  });

  it('the check alone keeps filters and further files of settings out', async () => {
    writeFileSync(config, plainConfig + lineOf('filter.trapped.clean', trap));
    expect(await faultsOf(['git diff'])).toContain(`git diff starts ${trap}`);
    writeFileSync(config, plainConfig + lineOf('include.path', trap));
    expect((await faultsOf(['git status']))[0]).toContain(`opens ${trap}`);
    for (const key of ['filter.trapped.clean', 'include.path', 'includeIf.trapped.path']) {
      writeFileSync(config, plainConfig + lineOf(key, trap));
      expect(classifyCommand('git status', { cwd, guard, home }).reason).toContain(`it sets ${key.toLowerCase()}`);
    }
  });
});
