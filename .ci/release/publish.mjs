// Publishes the version of package.json: `npm run release`. `npm run release -- --dry-run` does all but the last step.
// With provenance if a workflow with an identity runs it, which is the only place where npm can make one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releaseNotes } from './notes.mjs';
import { registryPage } from './registry-page.mjs';

const isDryRun = process.argv.includes('--dry-run');
const pkg = JSON.parse(readFileSync('package.json', 'utf8'));

const notes = isDryRun ? notesOrWarning() : releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), pkg.version);
if (!isDryRun) refuseUnlessClean();

run('npm', 'run', '--silent', 'prepack');
const folder = mkdtempSync(join(tmpdir(), 'responses-loop-release-'));
try {
  run('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  run('tar', '-xzf', join(folder, `${pkg.name}-${pkg.version}.tgz`), '-C', folder);
  const staged = join(folder, 'package');
  writeFileSync(join(staged, 'README.md'), registryPage(readFileSync('README.md', 'utf8'), pkg));
  const provenance = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] === undefined ? [] : ['--provenance'];
  run(
    'npm',
    'publish',
    staged,
    '--ignore-scripts',
    '--access',
    'public',
    ...provenance,
    ...(isDryRun ? ['--dry-run'] : []),
  );
  if (process.env['RELEASE_NOTES'] !== undefined) writeFileSync(process.env['RELEASE_NOTES'], notes);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function notesOrWarning() {
  try {
    return releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), pkg.version);
  } catch (error) {
    console.warn(error.message);
    return '';
  }
}

/** A version is what its tag holds. */
function refuseUnlessClean() {
  const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
  if (changed !== '') throw new Error(`These files are not committed:\n${changed}Commit or remove them first.`);
  const tags = execFileSync('git', ['tag', '--points-at', 'HEAD'], { encoding: 'utf8' }).split('\n');
  if (!tags.includes(`v${pkg.version}`)) throw new Error(`HEAD has no tag v${pkg.version}. Add it with git tag.`);
}

function run(program, ...args) {
  execFileSync(program, args, { stdio: 'inherit', shell: process.platform === 'win32' });
}
