import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/**
 * esbuild without code splitting loses the initialisation of a module that is reached through a re-export of a package
 * without side effects and through a dynamic import as well (evanw/esbuild#1088). `ai` 7 and the MCP SDK share one.
 */
const ONE_WAY_TO_ZOD = { 'zod/v4/mini': 'zod/v4-mini' };

/** Which entry of the package belongs to which AI SDK, and the oldest Node that this takes. */
export const PAIRS = [
  { ai: '5', entry: 'responses-loop', node: 20 },
  { ai: '6', entry: 'responses-loop/v3', node: 20 },
  { ai: '7', entry: 'responses-loop/v4', node: 22, alias: ONE_WAY_TO_ZOD },
];

/** A project that has installed the packed tarball and one AI SDK as a user would. */
export async function installConsumer(scratch, { ai, entry, ...rest }) {
  const folder = join(scratch, `ai-${ai}`);
  const version = versionOf(ai);
  mkdirSync(folder);
  cpSync(join(root, 'node_modules/.cache/package.tgz'), join(folder, 'responses-loop.tgz'));
  // Our lock file as a starting point: the versions tested here, mostly from npm's cache.
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  cpSync(fileURLToPath(new URL('consumer', import.meta.url)), folder, { recursive: true });
  const dependencies = { ai: version, 'responses-loop': 'file:./responses-loop.tgz', zod: '^4.0.0' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, dependencies }));
  writeFileSync(
    join(folder, 'sdk.mjs'),
    `export { streamText } from 'ai';\nexport { createResponsesProvider } from '${entry}';\n`,
  );
  await npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  return { ...rest, ai, folder, title: `ai ${version}, ${entry}` };
}

/** `npm ci`, if the lock file is newer than what it installed. */
export async function installOnce(folder) {
  const changed = (path) => statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changed('node_modules/.package-lock.json') >= changed('package-lock.json')) return;
  await npm(['ci', '--ignore-scripts'], folder);
}

async function npm(args, cwd) {
  await run('npm', args, { cwd, shell: process.platform === 'win32' });
}

/** The versions the SDK tests run with. */
function versionOf(major) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'test/sdks/package.json'), 'utf8'));
  return dependencies[`ai-${major}`].split('@').at(-1);
}
