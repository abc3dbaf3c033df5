// `prepack`: a tarball always has the JavaScript and the types of the same sources.
import { execFileSync } from 'node:child_process';

const part = process.env['RESPONSES_LOOP_BUILD'] ?? '';
if (part === '') execFileSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
else {
  console.error(`RESPONSES_LOOP_BUILD=${part} builds only a part of the package. Unset it, then pack again.`);
  process.exitCode = 1;
}
