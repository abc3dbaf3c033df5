// Runs the main job of the packed tarball in runtimes other than this Node, against real servers on loopback.
//   node test/runtimes/run.mjs [--fast] [--install-chromium] [runtime …]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installConsumer, installOnce, PAIRS } from './install.mjs';

const TIME_LIMIT_MS = 120_000;
const here = fileURLToPath(new URL('.', import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { fast: { type: 'boolean' }, 'install-chromium': { type: 'boolean' } },
});

if (flags['install-chromium']) execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'inherit' });
await installOnce(here);
// Only now everything they import is there.
const { RUNTIMES } = await import('./runtimes.mjs');
const { runPair } = await import('./run-pair.mjs');

/** Which examples run in which runtime. */
const APPLICATIONS = {
  workerd: [
    {
      title: 'the Worker of examples/agent-runtime',
      run: async () => (await import('./agent-worker.mjs')).runAgentWorker(),
    },
    {
      title: 'examples/ask-in-page-worker.ts',
      run: async () => (await import('./question-worker.mjs')).runQuestionWorker(),
    },
  ],
  bun: [
    {
      title: 'the command of examples/agent-runtime',
      run: async (program) => (await import('./agent-command.mjs')).runAgentCommand(program),
    },
  ],
};

const chosen = choose();
if (chosen.some(({ binaries }) => binaries?.[platform] !== undefined)) await installOnce(join(here, 'binaries'));
const scratch = mkdtempSync(join(tmpdir(), 'responses-loop-runtimes-'));
let failed = 0;
try {
  const consumers = await Promise.all(PAIRS.map((pair) => installConsumer(scratch, pair)));
  for (const runtime of chosen) await runIn(runtime, consumers);
  for (const runtime of chosen) {
    for (const application of APPLICATIONS[runtime.name] ?? []) await runApplication(runtime, application);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(failed === 0 ? 'No failures.' : `${failed} failed.`);
// Whatever hangs in a runtime that failed must not hold this process.
process.exit(failed === 0 ? 0 : 1);

function choose() {
  const unknown = wanted.filter((name) => !RUNTIMES.some((runtime) => runtime.name === name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}, but ${RUNTIMES.map(({ name }) => name).join(', ')}.`);
    process.exit(2);
  }
  if (wanted.length > 0) return RUNTIMES.filter(({ name }) => wanted.includes(name));
  return RUNTIMES.filter(({ isFast }) => isFast || !flags.fast);
}

async function runIn(runtime, consumers) {
  const reason = missing(runtime);
  if (reason !== undefined) return console.log(`SKIPPED  ${runtime.name}: ${reason}`);
  let opened;
  try {
    opened = await runtime.open(programOf(runtime));
    for (const consumer of consumers) {
      if (runtime.node < consumer.node)
        console.log(`-        ${opened.version}: ${consumer.title} needs Node ${consumer.node}`);
      else await runWith(runtime, opened, consumer);
    }
  } catch (error) {
    report(runtime.name, [{ name: 'it starts', ok: false, error: error.stack }], 0);
  } finally {
    await opened?.close?.();
  }
}

async function runWith(runtime, opened, consumer) {
  const started = Date.now();
  const name = `${opened.version}: ${consumer.title}`;
  try {
    report(name, await withinTime(runPair(opened, runtime, consumer)), Date.now() - started);
  } catch (error) {
    report(name, [{ name: 'it runs', ok: false, error: error.stack }], Date.now() - started);
  }
}

async function runApplication(runtime, application) {
  if (missing(runtime) !== undefined) return;
  const name = `${runtime.name}: ${application.title}`;
  const started = Date.now();
  try {
    report(name, await withinTime(application.run(programOf(runtime))), Date.now() - started);
  } catch (error) {
    report(name, [{ name: 'it starts', ok: false, error: error.stack }], Date.now() - started);
  }
}

function withinTime(work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`There was no report within ${TIME_LIMIT_MS} ms.`)), TIME_LIMIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function report(name, results, milliseconds) {
  const bad = results.filter(({ ok }) => !ok);
  if (bad.length > 0) failed += 1;
  const time = `${(milliseconds / 1000).toFixed(1)} s`;
  console.log(
    `${bad.length === 0 ? 'ok      ' : 'FAILED  '} ${name}; ${results.length - bad.length} of ${results.length} checks, ${time}`,
  );
  for (const { name: check, error } of bad)
    console.log(`  - ${check}\n    ${String(error).replaceAll('\n', '\n    ')}`);
}

function programOf({ binaries }) {
  const program = binaries?.[platform];
  return program && join(here, 'binaries/node_modules', program);
}

function missing({ binaries, missing: reason }) {
  if (binaries !== undefined && binaries[platform] === undefined) return `there is no package of it for ${platform}`;
  return reason?.();
}
