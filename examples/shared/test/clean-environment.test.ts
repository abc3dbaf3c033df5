import { expect, it } from 'vitest';
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
  const env = { PATH: '.::bin:/repo/node_modules/.bin:/usr/bin:/repo' };
  expect(cleanEnvironment(env)['PATH']).toBe('/repo/node_modules/.bin:/usr/bin:/repo');
  expect(safeEnvironment(env, ['/repo'])['PATH']).toBe('/usr/bin');
  expect(safeEnvironment({ PATH: '/repo' }, ['/repo'])['PATH']).toBe('/usr/local/bin:/usr/bin:/bin');
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
  const safe = safeEnvironment(env, []);
  expect(Object.keys(env).filter((name) => safe[name] !== undefined)).toEqual([]);
  expect(safe).toMatchObject({ GIT_CONFIG_KEY_0: 'core.pager', GIT_CONFIG_VALUE_0: 'cat', GIT_OPTIONAL_LOCKS: '0' });
});
