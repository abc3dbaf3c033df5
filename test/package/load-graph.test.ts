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
const ON_DEMAND = ['#mcp-stdio', '@ai-sdk/provider-utils', '@modelcontextprotocol/sdk', '(computed)'];

/** What answers calls stays out of the entry: opening and compiling files is what importing costs. */
const OWN_AND_SHARED = 2;
const MOST_CHARS = 90_000;
/** Of files that are for later. */
const FOR_LATER =
  /eventsource-parser|^(?:var|class) (?:Calls|FallbackCall)\b|^function (?:toStreamResult|createToolStubs)\b/m;

const ENTRIES = ['responses-loop', 'responses-loop/v3', 'responses-loop/ai7'];

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

/** The files that come with an entry. */
function loadedWith(entry: string): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    const text = readFileSync(join(dist, file), 'utf8');
    files.set(file, text);
    for (const { kind, specifier } of readImports(file, text)) {
      if (specifier.startsWith('.') && kind !== 'lazy') visit(posix.join(posix.dirname(file), specifier));
    }
  };
  visit(entry);
  return files;
}

describe('what the entries load', () => {
  it.each(['index.js', 'v3.js', 'v4.js'])('%s comes in two files, without what answers calls', (entry) => {
    const files = loadedWith(entry);
    expect(files.size).toBe(OWN_AND_SHARED);
    const text = [...files.values()].join('');
    expect(text.length).toBeLessThan(MOST_CHARS);
    expect(text).not.toMatch(FOR_LATER);
  });

  it('what is for later is there, in files of its own', () => {
    const texts = readdirSync(dist).filter((file) => file.endsWith('.js') && file !== 'testing.js');
    const later = texts.filter((file) => FOR_LATER.test(readFileSync(join(dist, file), 'utf8')));
    expect(later.map((file) => file.replace(/-[A-Z0-9]+[.]js$/, '')).toSorted()).toEqual(['chunk', 'fallback-call']);
  });

  it.each(['index', 'v3', 'v4'].flatMap((entry) => [`${entry}.js`, `${entry}.cjs`]))(
    '%s names no node: module and no package but its own few',
    (entry) => {
      const { atLoad, onDemand } = mentionsOf(entry);
      expect([...atLoad].filter((name) => !AT_LOAD.includes(name))).toEqual([]);
      expect([...onDemand].filter((name) => !ON_DEMAND.includes(name))).toEqual([]);
    },
  );

  it.each(ENTRIES)('import() of %s loads no zod, no MCP SDK, no provider-utils and no node: module', async (entry) => {
    const record = join(consumer, 'loaded.txt');
    rmSync(record, { force: true });
    const finished = await runNode(['record-modules.mjs', entry], {
      cwd: consumer,
      env: { RECORD: record },
    });
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    const loads = readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' -> '))
      .filter(([importer = '']) => importer.includes('node_modules'));
    const loaded = new Set(loads.map(([, url = '']) => packageOf(url) ?? url));
    expect([...loaded].filter((name) => !['responses-loop', ...AT_LOAD].includes(name))).toEqual([]);
  });

  it.each(ENTRIES)('require() of %s loads no more than import()', async (entry) => {
    const { stdout } = await runNode(['loaded.cjs', entry], { cwd: consumer });
    const loaded = new Set((JSON.parse(stdout) as string[]).map((path) => packageOf(path) ?? path));
    expect([...loaded].filter((name) => !['responses-loop', ...AT_LOAD].includes(name))).toEqual([]);
    expect(loaded).toContain('responses-loop');
  });
});
