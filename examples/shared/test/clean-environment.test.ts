import { expect, it } from 'vitest';
import { createPathGuard } from '../path-guard.js';
import { cleanEnvironment, safeEnvironment } from '../clean-environment.js';

const BAD = {
  OPENAI_API_KEY: 'x',
  MY_TOKEN: 'x',
  DB_PASSWORD: 'x',
  PGPASSWORD: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  HARMLESS: 'sk-abcdefghijklmnop1234',
  DATABASE_URL: 'postgres://me:pass@host/db',
  BASH_ENV: '/x',
  ENV: '/x',
  'BASH_FUNC_ls%%': '() { touch ran; }',
  ls: '() { touch ran; }',
  SHELLOPTS: 'xtrace',
  BASHOPTS: 'expand_aliases',
  PS4: '$(x)',
  CDPATH: '/',
  IFS: '/',
  PROMPT_COMMAND: 'x',
};

it('keeps what looks like a key, and what steers the shell, from every command', () => {
  const clean = cleanEnvironment({ ...BAD, HOME: '/h', LANG: 'C', PATH: '/usr/bin' });
  expect(Object.keys(clean).toSorted()).toEqual(
    ['GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'HOME', 'LANG', 'PAGER', 'PATH', 'TERM'].toSorted(),
  );
});

it('looks for programs in no relative folder, and for those that run unasked in no root either', () => {
  const place = { cwd: '/repo', guard: createPathGuard({ roots: ['/repo'] }) };
  const env = { PATH: '.::bin:/repo/node_modules/.bin:/usr/bin:/repo' };
  expect(cleanEnvironment(env)['PATH']).toBe('/repo/node_modules/.bin:/usr/bin:/repo');
  expect(safeEnvironment(env, place)['PATH']).toBe('/usr/bin');
  expect(safeEnvironment({ PATH: '/repo' }, place)['PATH']).toBe('/usr/local/bin:/usr/bin:/bin');
});

it('lets no variable steer programs that run unasked', () => {
  const env = {
    RIPGREP_CONFIG_PATH: 'x',
    GREP_OPTIONS: 'x',
    LESSOPEN: 'x',
    GIT_EXTERNAL_DIFF: 'x',
    GIT_DIR: 'x',
    LD_PRELOAD: 'x',
  };
  const safe = safeEnvironment(env, { cwd: '/', guard: createPathGuard({ roots: [] }) });
  expect(Object.entries(env).filter(([name, value]) => safe[name] === value)).toEqual([]);
  expect(safe).toMatchObject({ GIT_CONFIG_GLOBAL: '/dev/null', GIT_PAGER: 'cat', GIT_OPTIONAL_LOCKS: '0' });
});
