// What somebody has to read to follow a call and has to know, how large the rooms are, and what is shipped: `npm run house`.
// `-- --list hello` names what that journey enters; `-- --check` fails where an aim is missed.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire, SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A build of its own, with the source maps that are not shipped. */
const BUILT = join(ROOT, 'coverage/house');
const listed = process.argv[2] === '--list' ? process.argv[3] : undefined;

/** At most so much of each. */
const AIMS = {
  'files that a warm "hello" enters': 60,
  'functions that a warm "hello" enters': 345,
  'files that a warm call with one MCP tool enters': 85,
  'functions that a warm call with one MCP tool enters': 520,
  'concepts to learn': 20,
  'lines of the library (src without testing, cli and node)': 24_000,
  'files in the largest folder': 45,
  'kB of ours that the main entry can reach, minified and gzipped': 85,
  'MB of the tarball, unpacked': 3,
};

const missed = [];

function report(what, value, note = '') {
  const isMissed = value > AIMS[what];
  if (isMissed) missed.push(what);
  console.log(`${isMissed ? 'MISSED' : 'ok    '} ${what}: ${value} (aim ${AIMS[what]})${note}`);
}

// --- journeys: precise coverage of the built package, mapped through its source maps

/** Answers a request that offers tools and holds no output yet with a call, any other with text. */
async function answer(url, { body }) {
  const { input, tools } = JSON.parse(body);
  const calls = tools !== undefined && !input.some(({ type }) => type === 'function_call_output');
  const output = calls
    ? { type: 'call', name: 'echo', arguments: ['{"message"', ':"hi"}'] }
    : { type: 'text', text: ['Hello', ' there.'] };
  const { encodeEvents, responseEvents } = await import(pathToFileURL(join(ROOT, 'dist/testing.js')).href);
  const headers = { 'content-type': 'text/event-stream' };
  return new Response(encodeEvents(responseEvents({ output: [output] })), { headers });
}

const JOURNEYS = {
  hello: { title: 'a warm "hello"', settings: {} },
  mcp: {
    title: 'a warm call with one MCP tool',
    settings: {
      mcpServers: {
        everything: {
          command: process.execPath,
          args: [
            createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js'),
            'stdio',
          ],
        },
      },
      timeouts: { headersMs: 30_000 },
    },
  },
};

async function travel({ settings }) {
  const { createResponsesProvider } = await import(pathToFileURL(join(BUILT, 'index.js')).href);
  const { streamText } = await import('ai');
  const provider = createResponsesProvider({
    apiKey: 'sk-none',
    baseURL: 'http://model.invalid/v1',
    fetch: answer,
    ...settings,
  });
  const ask = async () => {
    const texts = [];
    const { fullStream } = streamText({ model: provider('gpt-5'), prompt: 'Say hello.', maxRetries: 0 });
    for await (const part of fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta') texts.push(part.text);
    }
    if (texts.join('') !== 'Hello there.') throw new Error(`The model said ${JSON.stringify(texts)}`);
  };
  for (let warm = 0; warm < 3; warm += 1) await ask();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await session.post('Profiler.takePreciseCoverage');
  await ask();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  await provider.close();
  return result.filter(({ url }) => url.startsWith(pathToFileURL(BUILT).href)).flatMap(enteredFunctions);
}

/** The engine's word for the fields of a class; nobody wrote it as a function. */
const FIELDS = '<instance_members_initializer>';

/** One line for each function of ours that was entered: its source file, its line and its name. */
function enteredFunctions({ url, functions }) {
  const path = fileURLToPath(url);
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  const code = readFileSync(path, 'utf8');
  const starts = [0];
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) starts.push(at + 1);
  return functions
    .filter(({ functionName, ranges: [whole] }) => functionName !== FIELDS && whole.count > 0)
    .filter(({ ranges: [whole] }) => whole.endOffset - whole.startOffset < code.length)
    .map(({ functionName, ranges: [{ startOffset }] }) => {
      const line = starts.findLastIndex((start) => start <= startOffset);
      const found = map.findEntry(line, startOffset - starts[line]);
      return {
        file: relative(ROOT, resolve(dirname(path), found.originalSource ?? '')),
        line: found.originalLine + 1,
        name: functionName,
      };
    })
    .filter(({ file }) => file.startsWith('src/'));
}

async function printJourneys() {
  for (const [name, journey] of Object.entries(JOURNEYS)) {
    const entered = await travel(journey);
    const files = new Set(entered.map(({ file }) => file));
    report(`files that ${journey.title} enters`, files.size);
    report(`functions that ${journey.title} enters`, entered.length);
    if (listed !== name) continue;
    for (const file of [...files].toSorted((a, b) => a.localeCompare(b))) {
      const inside = entered.filter((one) => one.file === file);
      console.log(
        `  ${file} (${inside.length}): ${inside.map(({ name: called, line }) => `${called || 'arrow'}:${line}`).join(' ')}`,
      );
    }
  }
}

// --- rooms

function sourceFiles() {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({
      path: join('src', path),
      lines: readFileSync(join(ROOT, 'src', path), 'utf8').split('\n').length - 1,
    }));
}

function printRooms() {
  const files = sourceFiles();
  const counts = new Map();
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  const sizes = [...counts].map(([folder, count]) => ({ folder, count })).toSorted((a, b) => b.count - a.count);
  const library = files.filter(({ path }) => !/^src\/(?:testing|cli|node)\b/.test(path));
  report('lines of the library (src without testing, cli and node)', linesOf(library), `, in ${library.length} files`);
  // An application on the package, and what it shares with `responses-loop/node`: the library loads neither.
  const commands = files.filter(({ path }) => /^src\/(?:cli|node)\b/.test(path));
  console.log(
    `       lines of the command line (src/cli, src/node): ${linesOf(commands)}, in ${commands.length} files`,
  );
  const [largest] = sizes;
  const few = sizes.filter(({ count }) => count <= 20).length;
  report('files in the largest folder', largest.count, `, ${largest.folder}; at most 20 in ${few} of ${sizes.length}`);
}

function linesOf(files) {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}

/** The lines of one list in CONTRIBUTING. */
function printConcepts() {
  const [, section = ''] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(/^## Concepts$/m);
  report('concepts to learn', section.split(/^## /m)[0].match(/^\| \*\*/gm)?.length ?? 0);
}

// --- what is shipped

function json(command, args) {
  const { stdout } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' });
  return JSON.parse(stdout);
}

function printShipped() {
  const [{ unpackedSize, entryCount }] = json('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
  report('MB of the tarball, unpacked', Math.round(unpackedSize / 1e4) / 100, `, ${entryCount} files`);
  const rows = json(join(ROOT, 'node_modules/.bin/size-limit'), ['--json']);
  const { size } = rows.find(({ name }) => name.startsWith('everything'));
  report('kB of ours that the main entry can reach, minified and gzipped', Math.round(size / 100) / 10);
}

const checks = process.argv.includes('--check');
// Only what is checked has to count the types in.
const build = spawnSync(process.execPath, [join(ROOT, '.ci/build-if-stale.mjs'), ...(checks ? [] : ['--js-only'])], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (build.status !== 0) process.exit(1);
spawnSync('npx', ['tsup', '--silent'], { cwd: ROOT, env: { ...process.env, RESPONSES_LOOP_BUILD: 'maps' } });
await printJourneys();
printConcepts();
printRooms();
printShipped();
if (checks && missed.length > 0) {
  console.log(`${missed.length} of ${Object.keys(AIMS).length} aims are missed.`);
  process.exit(1);
}
