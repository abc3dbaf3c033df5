import { readFileSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readImports } from '../architecture/read-imports.js';
import { runNode } from './run-node.js';

const consumer = inject('consumer');
const dist = join(consumer, 'node_modules/responses-loop/dist');

/** What the main entry may name outside itself: at load time, and when somebody needs it. */
const AT_LOAD = ['eventsource-parser'];
const ON_DEMAND = ['#mcp-stdio', '@ai-sdk/provider-utils', '@modelcontextprotocol/sdk'];

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

describe('what the main entry loads', () => {
  it.each(['index.js', 'index.cjs'])('S1-79 %s names no node: module and no package but its own few', (entry) => {
    const { atLoad, onDemand } = mentionsOf(entry);
    expect([...atLoad].filter((name) => !AT_LOAD.includes(name))).toEqual([]);
    expect([...onDemand].filter((name) => !ON_DEMAND.includes(name))).toEqual([]);
  });

  it('import() loads no zod, no MCP SDK, no provider-utils and no node: module, however indirectly', async () => {
    const record = join(consumer, 'loaded.txt');
    rmSync(record, { force: true });
    const finished = await runNode(['record-modules.mjs', 'responses-loop'], {
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

  it('require() loads no more than import()', async () => {
    const { stdout } = await runNode(['loaded.cjs', 'responses-loop'], { cwd: consumer });
    const loaded = new Set((JSON.parse(stdout) as string[]).map((path) => packageOf(path) ?? path));
    expect([...loaded].filter((name) => !['responses-loop', ...AT_LOAD].includes(name))).toEqual([]);
    expect(loaded).toContain('responses-loop');
  });
});
