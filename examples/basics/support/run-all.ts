/**
 * Runs the examples, each as a program of its own: `npm run examples`. With names (`npm run examples -- stream`) these, and
 * shows what they print. `--stand-in`: even if the environment names a live server.
 */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface Outcome {
  /** Absent: it did what it should. */
  readonly problem: string | undefined;
  readonly output: string;
  readonly seconds: string;
}

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const AT_ONCE = 2;
const TIMEOUT_MS = 60_000;
/** A live model may take its time. */
const LIVE_TIMEOUT_MS = 300_000;

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'stand-in': { type: 'boolean', default: false } },
  });
  const all = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).map((file) => basename(file, '.ts'));
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no example "${unknown.join('", "')}". There are ${all.toSorted().join(', ')}.`);
    return false;
  }
  const isChosen = positionals.length > 0;
  const waiting = isChosen ? positionals : all.toSorted();
  const env = values['stand-in'] ? withoutServer(process.env) : process.env;
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const outcome = await run(name, env);
      report(name, outcome, isChosen);
      if (outcome.problem !== undefined) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (failed.length > 0) console.error(`${failed.length} failed: ${failed.join(', ')}`);
  return failed.length === 0;
}

function report(name: string, { problem, output, seconds }: Outcome, isChosen: boolean): void {
  console.log(problem === undefined ? `ok     ${name} ${seconds} s` : `FAILED ${name} ${seconds} s: ${problem}`);
  if (isChosen || problem !== undefined) console.log(output.trimEnd().replaceAll(/^(?=.)/gm, '    '));
}

function withoutServer(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = new Set(['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'MODEL']);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}

function run(name: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const startedAt = performance.now();
  const isLive = (env['OPENAI_API_KEY'] ?? '') + (env['OPENAI_BASE_URL'] ?? '') !== '';
  const child = spawn(process.execPath, [...process.execArgv, join(FOLDER, `${name}.ts`)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: isLive ? LIVE_TIMEOUT_MS : TIMEOUT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const problem =
        signal === null
          ? `exit code ${code}`
          : `ended by ${signal}; did it leave something open, or wait for something?`;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      resolve({ problem: code === 0 ? undefined : problem, output, seconds });
    });
  });
}

process.exitCode = (await main()) ? 0 : 1;
