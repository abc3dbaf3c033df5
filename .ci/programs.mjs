// Installs what tests of the applications need: a browser for the page, a database, and programs to
// watch, to confine and to attack with.
// Tests of what is missing are skipped and name it.
import { spawnSync } from 'node:child_process';

const PACKAGES = {
  chromium: 'chromium',
  bwrap: 'bubblewrap',
  strace: 'strace',
  'git-lfs': 'git-lfs',
  pg_ctlcluster: 'postgresql',
};

const missing = Object.keys(PACKAGES)
  .filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
  .map((program) => PACKAGES[program]);
if (missing.length > 0) {
  const install = `apt-get update && apt-get install -y ${missing.join(' ')}`;
  if (spawnSync('sh', ['-c', install], { stdio: 'ignore' }).status !== 0)
    console.log(`SKIPPED: no ${missing.join(' ')} here.`);
}
