// Builds dist when it is missing or older than what it is made from, so that checks, demo and packed tests share one build.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

const jsOnly = process.argv.includes('--js-only');
const entries = ['index', 'node', 'question', 'testing', 'v3', 'v4'];
const outputs = [
  ...entries.flatMap((name) => [`${name}.js`, `${name}.cjs`]),
  'mcp-stdio-node.js',
  'mcp-stdio-stub.js',
  'cli/main.js',
  'cli/timeline-page.js',
];
const declarations = entries.flatMap((name) => [`${name}.d.ts`, `${name}.d.cts`]);

const sources = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
const newestSource = Math.max(
  ...[...sources, 'package.json', 'tsconfig.json', 'tsup.config.ts'].map((path) => statSync(path).mtimeMs),
);
const wanted = jsOnly ? outputs : [...outputs, ...declarations];
const isFresh = wanted.every((name) => {
  const stat = statSync(`dist/${name}`, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs >= newestSource;
});

if (!isFresh) build();

/** Shows one line; the bundler's ninety are shown if it fails. */
function build() {
  const began = Date.now();
  process.stderr.write('Building… ');
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: jsOnly ? { ...process.env, RESPONSES_LOOP_BUILD: 'js' } : process.env,
    shell: process.platform === 'win32',
  });
  console.error(`${Math.round((Date.now() - began) / 1000)} s`);
  if (status === 0) return;
  process.stdout.write(stdout ?? '');
  process.stderr.write(stderr ?? '');
  process.exitCode = status ?? 1;
}
