import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A repository with history, a merge, a stash and attributes that name drivers, and a folder outside with a trap in it. */
export interface TrappedRepository {
  readonly base: string;
  readonly cwd: string;
  readonly home: string;
  /** Outside: a program, and a file whose text would be noticed. */
  readonly trap: string;
  git(...args: string[]): string;
  remove(): void;
}

export function makeTrappedRepository(): TrappedRepository {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'trapped-')));
  const [cwd, home, outside] = [join(base, 'work'), join(base, 'home'), join(base, 'outside')];
  for (const folder of [home, outside, join(cwd, 'src')]) mkdirSync(folder, { recursive: true });
  const trap = join(outside, 'trap');
  writeFileSync(trap, '#!/bin/sh\necho TRAPPED\nexit 0\n');
  chmodSync(trap, 0o755);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  git('init', '-q', '-b', 'main');
  write('a.txt', 'one\ntwo\n');
  write('src/x.ts', 'export const two = 2;\n');
  write('.mailmap', 'B <b@b.example> a <a@b.example>\n');
  write('.gitignore', '*.o\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('tag', '-am', 'a tag', 'v1');
  git('checkout', '-qb', 'side');
  write('a.txt', 'one\ntwo\nside\n');
  git('commit', '-qam', 'side');
  git('checkout', '-q', 'main');
  write('a.txt', 'zero\none\ntwo\n');
  git('commit', '-qam', 'second');
  git('merge', '-q', 'side', '-m', 'merged');
  git('tag', 'merged');
  write('src/x.ts', 'export const two = 22;\n');
  git('commit', '-qam', 'third');
  git('remote', 'add', 'origin', `ext::sh -c "${trap}"`);
  write('a.txt', 'zero\none\ntwo\nstashed\n');
  git('stash', '-q');
  write('a.txt', 'zero\none\ntwo\nthree\n');
  write('x.o', '');
  write('.gitattributes', '* filter=trapped diff=trapped merge=trapped\n');
  return { base, cwd, home, trap, git, remove: () => rmSync(base, { recursive: true }) };
}

/** As a checkout of git-lfs would have it, with a link that leads out. */
export function linkOut({ cwd, base }: TrappedRepository, name: string): void {
  symlinkSync(join(base, 'outside'), join(cwd, name));
}

export const readText = (path: string): string => readFileSync(path, 'utf8');
