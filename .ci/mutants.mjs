// Changes places of src at random, one at a time, in a copy of the project, and lists the changes that no test notices:
//   npm run mutants -- [--seed N] [--count N] [--jobs N] [--quick: without the slow tests]
// Each survivor changes nothing that matters, or shows a test that is missing.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ROOMS = [
  'fallback',
  'items',
  'journal',
  'loop',
  'observe',
  'request',
  'rounds',
  'sdk',
  'stream',
  'tools',
  'transport',
];
/** What a mutant may not take: a loop without end is noticed, too. */
const TIME_LIMIT_MS = 600_000;
const COPIED = [
  'src',
  'test',
  'fixtures',
  'docs',
  'examples',
  '.ci',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const ALSO_COPIED = ['vitest.config.ts', 'tsup.config.ts', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE'];
/** Slow tests of programs and of examples, which take minutes and look at little of what is mutated. */
const SLOW_ROOMS = [
  'acceptance',
  'contract',
  'fallback',
  'journal',
  'observe',
  'request',
  'rounds',
  'sdk/',
  'tools',
  'transport',
];
const OPERATORS = new Map([
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
]);

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    jobs: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
  },
});

const random = dice(Number(values.seed));
const sites = ROOMS.flatMap(filesOf).flatMap(sitesOf);
const chosen = Array.from({ length: Number(values.count) }, () => sites[Math.floor(random() * sites.length)]);
const lived = [];
// Every mutant meets the same examples.
process.env['FC_SEED'] = '1';
delete process.env['NIGHTLY'];
let done = 0;
let baseline;
const waiting = [...chosen];
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log(`\nmutants: ${chosen.length - lived.length} noticed, ${lived.length} lived (seed ${values.seed})`);
for (const site of lived) console.log(`  ${describe(site)}`);

/** Numbers from 0 to 1 that a seed makes again (mulberry32). */
function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function filesOf(room) {
  const names = readdirSync(join(ROOT, 'src', room), { recursive: true }).filter((name) => name.endsWith('.ts'));
  return names.map((name) => `src/${room}/${name.replaceAll('\\', '/')}`).toSorted();
}

/** Every place of a file that can be changed, with what it is changed into. */
function sitesOf(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const into = changed(node);
    const start = node.getStart(source);
    if (into !== undefined) found.push({ file, start, end: node.end, into, was: text.slice(start, node.end), text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function changed(node) {
  if (OPERATORS.has(node.kind) && ts.isBinaryExpression(node.parent)) return OPERATORS.get(node.kind);
  if (ts.isNumericLiteral(node)) return String(Number(node.text.replaceAll('_', '')) + 1);
  if (ts.isStringLiteral(node)) return node.text === '' ? "'x'" : "''";
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true';
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return ';';
  if (ts.isPropertyAssignment(node)) return `...{}`;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return `!!(${node.operand.getText()})`;
  return undefined;
}

function describe({ file, start, was, into, text }) {
  const line = text.slice(0, start).split('\n').length;
  return `${file}:${line}  ${was.replaceAll(/\s+/g, ' ').slice(0, 80)}  ->  ${into.slice(0, 60)}`;
}

async function work() {
  const copy = mkdtempSync(join(tmpdir(), 'responses-loop-mutants-'));
  try {
    for (const path of [...COPIED, ...ALSO_COPIED])
      cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter });
    for (const path of ['node_modules', 'dist']) symlinkSync(join(ROOT, path), join(copy, path));
    baseline ??= failsAnywhere(copy, []);
    if (await baseline) throw new Error('Tests fail without a mutant: mend them first.');
    for (let site = waiting.shift(); site !== undefined; site = waiting.shift()) {
      const isNoticed = await noticed(site, copy);
      done += 1;
      if (!isNoticed) lived.push(site);
      console.log(`${done}/${chosen.length} ${isNoticed ? 'noticed' : 'LIVED  '} ${describe(site)}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function filter(path) {
  return basename(path) !== 'node_modules';
}

async function noticed(site, copy) {
  const path = join(copy, site.file);
  writeFileSync(path, site.text.slice(0, site.start) + site.into + site.text.slice(site.end));
  try {
    return await failsAnywhere(copy, [`test/${site.file.split('/')[1]}/`, ...importersOf(site.file)]);
  } finally {
    writeFileSync(path, site.text);
  }
}

/** Asks the nearest tests first, then the quick ones, then the slow ones. */
async function failsAnywhere(copy, near) {
  if (near.length > 0 && (await fails(copy, 'unit', near))) return true;
  if (await fails(copy, 'unit*', [])) return true;
  return (
    !values.quick &&
    fails(
      copy,
      'slow',
      SLOW_ROOMS.map((name) => `test/${name}`),
    )
  );
}

function importersOf(file) {
  const name = file.replace(/^src\//, '').replace(/\.ts$/, '.js');
  const { stdout } = spawnSync('grep', ['-rlF', `src/${name}`, 'test', '--include=*.test.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return stdout.split('\n').filter(Boolean);
}

/** Whether tests fail, and do so again: a machine that does much else fails some once. */
async function fails(cwd, project, files) {
  const failed = await failedFiles(cwd, project, files);
  return failed.length > 0 && (await failedFiles(cwd, project, failed)).length > 0;
}

function failedFiles(cwd, project, files) {
  const report = join(cwd, 'report.json');
  rmSync(report, { force: true });
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--bail', '1', '--passWithNoTests'];
  const command = [...args, '--reporter=json', `--outputFile=${report}`, ...files];
  const child = spawn(process.execPath, command, { cwd, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), TIME_LIMIT_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? [] : (failedIn(report) ?? ['test/']));
    });
  });
}

/** No report: the run did not come to an end. */
function failedIn(report) {
  if (!existsSync(report)) return undefined;
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}
