// What somebody has to read to follow a call and has to know, how large the rooms are, and what is shipped: `npm run house`.
// `-- --list NAME` prints what is behind a number: hello, mcp, result, refused, journal, socket, fallback, tables, mutable.
// `-- --check` fails if an aim is missed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countSource } from './count-source.mjs';
import { countsOf, walkAll } from './journeys.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const listed = process.argv[2] === '--list' ? process.argv[3] : undefined;
const checks = process.argv.includes('--check');

/** At most so much of each. Files have a tolerance: a file more that is read top to bottom is no loss. */
const AIMS = {
  'files that a warm "hello" enters': 66,
  'files that a warm call with one MCP tool enters': 95,
  'function entries of a 429': 300,
  'functions from an MCP result to the next request': 80,
  'concepts to learn': 17,
  'lines of the library (src without testing, cli and node)': 30_000,
  'lines of the core, without rings': 24_000,
  'files of the core that name journal': 0,
  'files of the core that name socket': 1,
  'files of the core that name fallback': 1,
  'tables keyed by item type outside src/items': 2,
  'mutable fields': 220,
  'files in the largest folder': 45,
  'kB that a hello loads, minified and gzipped': 90,
  'kB of ours that the main entry can reach, minified and gzipped': 164,
  'MB of the tarball, unpacked': 3,
};

let missed = 0;

function report(what, value, note = '') {
  const isMissed = value > AIMS[what];
  if (isMissed) missed += 1;
  console.log(`${isMissed ? 'MISSED' : 'ok    '} ${what}: ${value} (aim ${AIMS[what]})${note}`);
}

function list(name, lines) {
  if (listed === name) for (const line of lines) console.log(`         ${line}`);
}

async function printJourneys() {
  const { hello, mcp, result, refused } = await walkAll(ROOT);
  const journeys = { hello: ['a warm "hello"', hello], mcp: ['a warm call with one MCP tool', mcp] };
  for (const [name, [title, entries]] of Object.entries(journeys)) {
    const { files, functions, returns } = countsOf(entries);
    report(
      `files that ${title} enters`,
      files.length,
      `, ${functions} functions, ${returns} returns to a file already left`,
    );
    list(name, inFiles(entries));
  }
  const { entries, functions, files } = countsOf(refused);
  report('function entries of a 429', entries, `, ${functions} functions in ${files.length} files`);
  list('refused', inFiles(refused));
  const way = countsOf(result);
  report(
    'functions from an MCP result to the next request',
    way.functions,
    `, in ${way.files.length} files, ${way.returns} returns`,
  );
  list('result', inFiles(result));
}

function inFiles(entries) {
  const files = new Map();
  for (const { file, name } of entries) files.set(file, (files.get(file) ?? new Set()).add(name));
  return [...files].map(([file, names]) => `${file} (${names.size}): ${[...names].join(' ')}`);
}

function printRooms() {
  const { library, core, commands, naming, tables, mutable, folders } = countSource(ROOT);
  report('lines of the library (src without testing, cli and node)', library.lines, `, in ${library.files} files`);
  report('lines of the core, without rings', core.lines, `, in ${core.files} files`);
  // An application on the package, and what it shares with `responses-loop/node`: the library loads neither.
  console.log(`       lines of the command line (src/cli, src/node): ${commands}`);
  for (const [ring, files] of Object.entries(naming)) {
    report(`files of the core that name ${ring}`, files.length);
    list(ring, files);
  }
  report('tables keyed by item type outside src/items', tables.length);
  list('tables', tables);
  report('mutable fields', mutable.length);
  list('mutable', mutable);
  const few = folders.filter(({ count }) => count <= 20).length;
  const [largest] = folders;
  report(
    'files in the largest folder',
    largest.count,
    `, ${largest.folder}; at most 20 in ${few} of ${folders.length}`,
  );
}

/** The lines of one list in CONTRIBUTING. */
function printConcepts() {
  const [, section = ''] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(/^## Concepts$/m);
  report('concepts to learn', section.split(/^## /m)[0].match(/^\| \*\*/gm)?.length ?? 0);
}

function json(command, args) {
  const { stdout } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' });
  return JSON.parse(stdout);
}

function printShipped() {
  const [{ unpackedSize, entryCount }] = json('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
  report('MB of the tarball, unpacked', Math.round(unpackedSize / 1e4) / 100, `, ${entryCount} files`);
  const rows = json(join(ROOT, 'node_modules/.bin/size-limit'), ['--json']);
  const kilobytes = (start) => Math.round(rows.find(({ name }) => name.startsWith(start)).size / 100) / 10;
  report('kB that a hello loads, minified and gzipped', kilobytes('main entry, and what its first call'));
  report('kB of ours that the main entry can reach, minified and gzipped', kilobytes('everything'));
}

function build(kind) {
  const env = { ...process.env, RESPONSES_LOOP_BUILD: kind };
  const { status } = spawnSync('npx', ['tsup', '--silent'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(1);
}

// Only what is checked has to count the types in.
const stale = spawnSync(process.execPath, ['.ci/build-if-stale.mjs', ...(checks ? [] : ['--js-only'])], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (stale.status !== 0) process.exit(1);
build('traced');
await printJourneys();
printConcepts();
printRooms();
printShipped();
console.log(`${missed} of ${Object.keys(AIMS).length} aims are missed.`);
process.exit(checks && missed > 0 ? 1 : 0);
