// Runs steps side by side. Each prints all of its output at once when it ends; a step that fails is named at once, and no
// other begins after it.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** A folder that is thrown away at the end: outputs of steps, reports of vitest. */
export const scratch = mkdtempSync(join(tmpdir(), 'responses-loop-ci-'));
const started = Date.now();
const running = new Map();
const failed = [];
let begunSteps = 0;

process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));

/** A step: its title, and the words of its command. */
export const step = (title, ...command) => ({ title, command });
export const npm = (title, script, ...args) =>
  step(
    `${title} (npm ${[script === 'test' ? '' : 'run', script, ...args].filter(Boolean).join(' ')})`,
    'npm',
    'run',
    script,
    ...args,
  );

/** As many files may be tried a second time: more are no accident. */
const MOST_SECOND_TRIES = 3;

/**
 * Tests, with a line of counts behind them for a reader of the log that is a program. The few files that failed are run
 * once more, without the thousands of tests beside them: browsers, terminals and killed programs have time limits that a busy
 * machine misses. The log names what needed it.
 */
export function tests(name, title, script) {
  const report = join(scratch, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = ['npm', 'run', script, '--', ...reporters];
  return { ...npm(title, script), command, counted: { name, report } };
}

/**
 * `lanes`: steps that follow one another. `rest`: what a lane takes that has ended its own. With `goesOn` all steps are run,
 * whatever failed before.
 */
export async function runLanes({ lanes, rest = [], goesOn = false }) {
  const waiting = [...rest];
  const mayBegin = () => goesOn || failed.length === 0;
  const drive = async (own) => {
    for (const next of own) if (mayBegin()) await run(next);
    while (mayBegin() && waiting.length > 0) await run(waiting.shift());
  };
  await Promise.all(lanes.map(drive));
}

/** Prints the end, and sets the exit code. */
export function finish() {
  const seconds = secondsSince(started);
  if (failed.length === 0) console.log(`\nAll steps passed in ${seconds} s.`);
  else console.log(`\nFAILED after ${seconds} s: ${failed.join('; ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

async function run(next) {
  const { title, counted } = next;
  const begun = Date.now();
  const code = await execute(next);
  if (counted !== undefined) printCounts(counted);
  const files = counted !== undefined && code !== 0 ? failedFiles(counted.report) : [];
  const isMended = files.length > 0 && (await execute(again(next, files))) === 0;
  if (isMended) console.log(`!! PASSED AT THE SECOND TRY: ${files.join(', ')}`);
  const passed = code === 0 || isMended;
  if (!passed) failed.push(title);
  console.log(`-- ${title}: ${secondsSince(begun)} s${passed ? '' : ', FAILED'}`);
}

const again = ({ title, command }, files) => ({ title: `${title}, second try`, command: [...command, ...files] });

/** The files to try again: none if there are too many, if the run broke off, or if it failed by something else than a test. */
function failedFiles(report) {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const files = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('', name));
    return files.length <= MOST_SECOND_TRIES ? files : [];
  } catch {
    return [];
  }
}

async function execute({ title, command }) {
  const path = join(scratch, `${(begunSteps += 1)}.log`);
  const output = openSync(path, 'w');
  // A group of its own, which can be ended with all that it started.
  const child = spawn(command[0], command.slice(1), { detached: true, stdio: ['ignore', output, output] });
  running.set(child, { title, path });
  console.log(`.. ${title}`);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (exit, signal) => resolve(exit ?? signal));
  });
  closeSync(output);
  running.delete(child);
  if (code !== 0) console.log(`!! FAILED: ${title} (${code})`);
  show(title, path);
  return code;
}

function show(title, path) {
  process.stdout.write(`\n== ${title}\n${readFileSync(path, 'utf8')}`);
}

/** Also of tests that failed, unless the run broke off before its report. */
function printCounts({ name, report }) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    console.log(`${name}: ${numPassedTests} passed, ${numFailedTests} failed`);
  } catch {
    console.log(`${name}: no report`);
  }
}

function stop(signal) {
  for (const [child, { title, path }] of running) {
    show(`${title}, ended by ${signal}`, path);
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has just ended.
    }
  }
  process.exit(1);
}

function secondsSince(time) {
  return Math.round((Date.now() - time) / 1000);
}
