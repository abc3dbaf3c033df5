// npm run bench [-- [--only name,…] [--quick] [--list]]: one table, ours beside its peers.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { MEASURES } from './measures.mjs';
import { prepare } from '../.ci/prepare.mjs';
import { holds } from './support/row.mjs';
import { printTable } from './table.mjs';

const PACKAGES = ['responses-loop', 'ai', '@ai-sdk/openai', '@ai-sdk/open-responses', 'openai', 'eventsource-parser'];

const USAGE = 'npm run bench [-- [--only name,…] [--quick] [--list]]';

const values = optionsOf(process.argv.slice(2));
if (values.help === true) {
  console.log(USAGE);
} else if (values.list === true) {
  console.log(MEASURES.join('\n'));
} else {
  const rows = await measureAll(chosen(values.only));
  console.log(`${facts()}\n\n${printTable(rows)}`);
  const checks = rows.flatMap((row) => row.checks);
  const missed = checks.filter((check) => !holds(check)).length;
  console.log(`\n${checks.length - missed} of ${checks.length} targets reached.`);
}

function optionsOf(args) {
  const options = {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    console.error(`${error.message}\nUsage: ${USAGE}`);
    process.exit(2);
  }
}

function chosen(only) {
  const names = only?.split(',').map((name) => name.trim()) ?? MEASURES;
  const unknown = names.filter((name) => !MEASURES.includes(name));
  if (unknown.length === 0) return names;
  console.error(`There is no measure ${unknown.map((name) => `"${name}"`).join(', ')}. Known: ${MEASURES.join(', ')}.`);
  process.exit(2);
}

async function measureAll(names) {
  prepare(import.meta.dirname);
  const rows = [];
  for (const name of names) {
    process.stderr.write(`${name} …\n`);
    rows.push(...(await inItsOwnProcess(name)));
  }
  return rows;
}

/** What one measure leaves behind (optimised code, heap) must not meet the next one. */
async function inItsOwnProcess(name) {
  const worker = fileURLToPath(new URL('worker.mjs', import.meta.url));
  const quick = values.quick === true ? ['--quick'] : [];
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', worker, name, ...quick]);
  return JSON.parse(stdout);
}

function facts() {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const versions = PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(', ');
  return `Node ${process.versions.node} (${process.platform}-${process.arch}), ${machine}\n${versions}`;
}

function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
}
