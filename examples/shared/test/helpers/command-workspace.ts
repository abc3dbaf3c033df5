import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPathGuard } from '../../path-guard.js';
import type { CommandContext } from '../../command-policy.js';

export interface CommandWorkspace extends CommandContext {
  readonly base: string;
  readonly home: string;
  remove(): void;
}

/** A folder with the files, links and repositories that the tables of commands name, and a home that holds nothing of it. */
export function makeCommandWorkspace(): CommandWorkspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'commands-')));
  const home = join(base, 'home');
  const cwd = join(base, 'work');
  for (const folder of ['src/deep', 'dashed', 'linked', 'filtered/.git', '.git/hooks']) {
    mkdirSync(join(cwd, folder), { recursive: true });
  }
  mkdirSync(join(home, '.ssh'), { recursive: true });
  mkdirSync(join(base, 'other'));
  const files = {
    'a.txt': 'one\ntwo\n',
    'b.txt': 'two\n',
    'package.json': '{"name":"x"}',
    'src/x.ts': 'export {};\n',
    'src/deep/y.ts': '',
    'dashed/-o': '',
    'dashed/x': '',
    '.git/config': '[core]\n\tbare = false\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    'filtered/.git/config': '[Filter "x"]\n\tclean = touch ran\n',
    '../other/secret': 'secret',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  symlinkSync(join(base, 'other'), join(cwd, 'out'));
  symlinkSync('/etc/passwd', join(cwd, 'linked/passwd'));
  symlinkSync('a.txt', join(cwd, 'in-link'));
  return { base, home, cwd, guard: createPathGuard({ roots: [cwd] }), remove: () => rmSync(base, { recursive: true }) };
}
