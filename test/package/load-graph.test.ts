import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readImports } from '../architecture/read-imports.js';
import { runNode } from './run-node.js';

const consumer = inject('consumer');
const dist = join(consumer, 'node_modules/responses-loop/dist');

/** What an entry may name outside itself: at load time, and when somebody needs it. */
const AT_LOAD = ['eventsource-parser'];
/** `(computed)` is the optional peer, which no bundler is to look for. */
const ON_DEMAND = ['#mcp-stdio', '@ai-sdk/provider-utils', '@modelcontextprotocol/sdk', 'minisearch', '(computed)'];

/** The files that opening one opens, of ours and of packages: opening and compiling files is what importing costs. */
const OPENS: Readonly<Record<string, readonly string[]>> = {
  index: [],
  v3: [],
  v4: [],
  // The rows of `src/provider/on-demand.ts`, which other files are loaded with.
  'first-call': ['calls', 'eventsource-parser'],
  'create-tool-registry': ['calls', 'eventsource-parser', 'functions', 'names'],
  'call-journal': ['calls', 'eventsource-parser'],
  background: ['calls', 'eventsource-parser'],
  'go-on': ['calls', 'eventsource-parser'],
  'after-failure': ['calls', 'eventsource-parser'],
  'request-draft': ['calls', 'eventsource-parser'],
  resume: ['calls', 'eventsource-parser'],
  'withheld-reasoning': ['calls', 'eventsource-parser'],
  'between-call': ['calls', 'eventsource-parser'],
  'call-bill': ['calls', 'eventsource-parser'],
  'watched-requests': ['calls', 'eventsource-parser'],
  'keep-rounds': ['calls', 'eventsource-parser'],
  'run-view': ['calls', 'eventsource-parser'],
  'trim-rounds': ['calls', 'eventsource-parser'],
  compact: ['calls', 'eventsource-parser'],
  'part-signer': ['calls', 'eventsource-parser'],
  'tool-stubs': ['calls', 'eventsource-parser', 'stubs'],
  'sdk-tools': ['calls', 'eventsource-parser', 'stubs'],
  'mcp-apps': ['calls', 'eventsource-parser', 'names'],
  'search-ring': ['calls', 'eventsource-parser', 'functions', 'own'],
  'late-results': ['calls', 'eventsource-parser'],
  'outputs-ring': ['calls', 'eventsource-parser', 'functions', 'own', 'prints'],
  'socket-ring': ['calls', 'eventsource-parser'],
  'socket-transport': ['calls', 'eventsource-parser', 'prints'],
  'fallback-call': ['calls', 'eventsource-parser'],
  'stock-source': ['calls', 'eventsource-parser'],
  // What an app asks for by name.
  'collect-messages': ['calls', 'eventsource-parser'],
  'open-telemetry': ['calls', 'eventsource-parser'],
  // What the files above share.
  calls: ['eventsource-parser'],
  stubs: ['calls', 'eventsource-parser'],
  functions: ['calls', 'eventsource-parser'],
  own: ['calls', 'eventsource-parser', 'functions'],
  prints: ['calls', 'eventsource-parser'],
  names: ['calls', 'eventsource-parser'],
  node: ['node:crypto', 'node:events', 'node:fs', 'node:fs/promises', 'node:http', 'node:path'],
  question: [],
  'mcp-stdio-node': [],
  'mcp-stdio-stub': [],
};
/** Shared files bear no name: what each is known by. */
const SHARED: Readonly<Record<string, RegExp>> = {
  calls: /^var Calls\b/m,
  stubs: /^function createToolStubs\b/m,
  functions: /^function createLocalSource\b/m,
  own: /^async function ownTool\b/m,
  names: /^function legalName\b/m,
  prints: /^function fingerprint\b/m,
};
/** Of an entry as it is shipped, with the comments of the rows of settings. */
const MOST_CHARS = 99_000;

const ENTRIES = { 'responses-loop': 'index', 'responses-loop/v3': 'v3', 'responses-loop/ai7': 'v4' };

interface Mentions {
  readonly atLoad: Set<string>;
  readonly onDemand: Set<string>;
}

/** Every module outside `dist` that an entry mentions, through all of its chunks. */
function mentionsOf(entry: string): Mentions {
  const mentions: Mentions = { atLoad: new Set(), onDemand: new Set() };
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { kind, specifier, target } of readImports(file, readFileSync(join(dist, file), 'utf8'))) {
      if (specifier.startsWith('.')) visit(posix.join(posix.dirname(file), specifier));
      else (kind === 'lazy' ? mentions.onDemand : mentions.atLoad).add(specifier === '#mcp-stdio' ? specifier : target);
    }
  };
  visit(entry);
  return mentions;
}

function packageOf(path: string): string | undefined {
  return /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1]?.replace('\\', '/');
}

/** What a file of `dist` is called here: without the hash of its name, or by what it holds. */
function nameOfFile(file: string): string {
  const name = file.replace(/\.c?js$/, '').replace(/-[A-Z0-9]{8}$/, '');
  if (name !== 'chunk') return name;
  const text = readFileSync(join(dist, file), 'utf8');
  return Object.entries(SHARED).find(([, mark]) => mark.test(text))?.[0] ?? file;
}

const shipped = readdirSync(dist).filter((file) => file.endsWith('.js') && file !== 'testing.js');

function fileOf(name: string): string {
  return shipped.find((file) => nameOfFile(file) === name) ?? `${name}.js`;
}

/** The files and packages that come with a file, without it. */
function openedWith(name: string): string[] {
  const opened = new Set<string>();
  const visit = (file: string): void => {
    for (const { kind, specifier, target } of readImports(file, readFileSync(join(dist, file), 'utf8'))) {
      const own = specifier.startsWith('.') ? posix.basename(specifier) : undefined;
      const other = own === undefined ? target : nameOfFile(own);
      if (kind === 'lazy' || opened.has(other)) continue;
      opened.add(other);
      if (own !== undefined) visit(own);
    }
  };
  visit(fileOf(name));
  return [...opened].toSorted();
}

/** The module of `dist`, or the package, behind a path or URL. */
function nameOf(path: string): string {
  const own = /responses-loop[\\/]dist[\\/]([\w-]+[.]c?js)$/.exec(path)?.[1];
  return own === undefined ? (packageOf(path) ?? path) : nameOfFile(own);
}

/** What importing `entry` loads in a process of its own, and creating a provider after it. */
async function loadedBy(entry: string, then: 'create' | '' = ''): Promise<string[]> {
  const record = join(consumer, 'loaded.txt');
  rmSync(record, { force: true });
  const finished = await runNode(['record-modules.mjs', entry, then], { cwd: consumer, env: { RECORD: record } });
  expect(finished).toMatchObject({ code: 0, stderr: '' });
  const loads = readFileSync(record, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' -> '))
    .filter(([importer = '', url = '']) => `${importer}${url}`.includes('node_modules'));
  return [...new Set(loads.map(([, url = '']) => nameOf(url)))].toSorted();
}

describe('what the entries load', () => {
  it('is written down for every file', () => {
    expect(shipped.map(nameOfFile).toSorted()).toEqual(Object.keys(OPENS).toSorted());
  });

  it.each(Object.entries(OPENS).filter(([name]) => !name.startsWith('mcp-stdio')))(
    'opening %s opens %j and nothing else',
    (name, others) => expect(openedWith(name)).toEqual(others),
  );

  it('is little', () => {
    for (const file of Object.values(ENTRIES))
      expect(readFileSync(join(dist, `${file}.js`), 'utf8').length).toBeLessThan(MOST_CHARS);
  });

  it.each(['index', 'v3', 'v4'].flatMap((entry) => [`${entry}.js`, `${entry}.cjs`]))(
    '%s names no node: module and no package but its own few',
    (entry) => {
      const { atLoad, onDemand } = mentionsOf(entry);
      expect([...atLoad].filter((name) => !AT_LOAD.includes(name))).toEqual([]);
      expect([...onDemand].filter((name) => !ON_DEMAND.includes(name))).toEqual([]);
    },
  );

  it.each(Object.entries(ENTRIES))('import() of %s loads one file of ours, and no package', async (entry, file) => {
    expect(await loadedBy(entry)).toEqual([file]);
  });

  it.each(['index', 'v3', 'v4', 'testing', 'node', 'question'].flatMap((entry) => [`${entry}.js`, `${entry}.cjs`]))(
    '%s names no file of the commands',
    (entry) => expect(readFileSync(join(dist, entry), 'utf8')).not.toMatch(/[/'"]cli[/'"]/),
  );

  it('creating a provider begins to load what its calls need, and nothing else', async () => {
    expect(await loadedBy('responses-loop', 'create')).toEqual(
      ['first-call', ...(OPENS['first-call'] ?? []), 'index'].toSorted(),
    );
  });

  it.each(Object.entries(ENTRIES))('require() of %s loads the one engine that all three share', async (entry, file) => {
    const { stdout } = await runNode(['loaded.cjs', entry], { cwd: consumer });
    const loaded = (JSON.parse(stdout) as string[]).map(nameOf);
    expect(loaded.filter((name) => name !== 'eventsource-parser').toSorted()).toEqual(['engine', file].toSorted());
  });
});
