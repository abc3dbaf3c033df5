import { execFileSync } from 'node:child_process';

/** What imports the package by its name gets what is built. */
export default function buildIfStale(): void {
  execFileSync(process.execPath, ['.ci/build-if-stale.mjs', '--js-only'], { stdio: 'inherit' });
}
