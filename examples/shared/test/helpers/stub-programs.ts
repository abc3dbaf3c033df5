import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StubPrograms {
  /** Runs the text in bash, where every program only writes down how it was called; answers with these calls. */
  run(text: string): readonly (readonly string[])[];
  remove(): void;
}

/** Would run in the shell itself. */
const BUILTINS = ['echo', 'printf', 'test', '[', 'pwd', 'true', 'false', 'type'];

/** One program under many names. A call is one write, so that those of a pipeline do not mix. */
const PROGRAM = `#!/bin/sh
{ printf '%s\\0' "$(( $# + 1 ))" "\${0##*/}" "$@"; } | /bin/dd bs=1000000 iflag=fullblock oflag=append conv=notrunc of="$STUB_LOG" 2>/dev/null
`;

export function makeStubPrograms(names: readonly string[]): StubPrograms {
  const base = mkdtempSync(join(tmpdir(), 'stubs-'));
  const bin = join(base, 'bin');
  const work = join(base, 'work');
  let count = 0;
  mkdirSync(bin);
  writeFileSync(join(base, 'stub'), PROGRAM);
  chmodSync(join(base, 'stub'), 0o755);
  for (const name of [...names, ...BUILTINS]) if (!existsSync(join(bin, name))) symlinkSync('../stub', join(bin, name));
  // A stub that `.` finds in PATH would write its own commands down as those of the text.
  writeFileSync(join(base, 'start'), `enable -n ${BUILTINS.join(' ')}\nshopt -u sourcepath\n`);
  const run = (text: string): string[][] => {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    // What still runs in the background of an earlier text writes elsewhere.
    const log = join(base, `log-${(count += 1)}`);
    writeFileSync(log, '');
    try {
      execFileSync('/bin/bash', ['--norc', '--noprofile', '-c', text], {
        cwd: work,
        env: { PATH: bin, STUB_LOG: log, BASH_ENV: join(base, 'start'), HOME: work, LC_ALL: 'C.UTF-8' },
        stdio: 'ignore',
        timeout: 10_000,
      });
    } catch {
      // How it ended does not matter: what was called is in the log.
    }
    return readCalls(readFileSync(log, 'utf8').split('\0').slice(0, -1));
  };
  return { run, remove: () => rmSync(base, { recursive: true }) };
}

function readCalls(fields: readonly string[]): string[][] {
  const calls: string[][] = [];
  for (let at = 0; at < fields.length;) {
    const count = Number(fields[at]);
    calls.push(fields.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return calls;
}
