import { describe, expect, it } from 'vitest';
import { readImports, readSources, readText, type ModuleImport } from './read-imports.js';

interface Allowance {
  readonly target: string;
  readonly only: 'types' | 'lazy' | undefined;
}

/** The one import table: it stands in CONTRIBUTING.md, where people read it. */
const table = (/```import-table\n([^`]*)```/.exec(readText('CONTRIBUTING.md'))?.[1] ?? '')
  .trim()
  .split('\n')
  .map((line) => {
    const [importer = '', targets = ''] = line.split(/ : /);
    return { importer: importer.trim(), allowances: targets.trim().split(/\s+/).map(readAllowance) };
  });

function readAllowance(written: string): Allowance {
  const [, target = '', only] = /^(.*?)(?:\((types|lazy)\))?$/.exec(written) ?? [];
  return { target: target.replace(/\*$/, ''), only: only === 'types' || only === 'lazy' ? only : undefined };
}

/** A target that ends in `/`, `-` or `:` is a beginning, any other an exact name. */
function covers({ target }: Allowance, found: string): boolean {
  return /[/:-]$/.test(target) ? found.startsWith(target) : found === target;
}

function isAllowed(importer: string, found: ModuleImport): boolean {
  const row = table.find((line) => importer.startsWith(line.importer));
  const allowance = row?.allowances.find((candidate) => covers(candidate, found.target));
  if (allowance === undefined) return false;
  if (allowance.only === 'types') return found.kind === 'type';
  return allowance.only === undefined || found.kind !== 'value';
}

function violationsOf(importer: string, imports: readonly ModuleImport[]): readonly string[] {
  return imports
    .filter((found) => !isAllowed(importer, found))
    .map((found) => `${importer}:${found.line} may not import ${found.specifier} (${found.kind})`);
}

const sources = readSources('src');

describe('layers', () => {
  it('every import in src is in the import table', () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap(({ path, imports }) => violationsOf(path, imports))).toEqual([]);
  });

  it('examples import the package by its name, as a user does', () => {
    const ENTRIES = /^src\/(index|node|question|testing|v3|v4)[.]ts$/;
    const reaching = readSources('examples').flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target.startsWith('src/') && !ENTRIES.test(target))
        .map(({ specifier, line }) => `${path}:${line} imports ${specifier}`),
    );
    expect(reaching).toEqual([]);
  });

  it('every file of src has a line in the import table', () => {
    const homeless = sources.filter(({ path }) => !table.some(({ importer }) => path.startsWith(importer)));
    expect(homeless.map(({ path }) => path)).toEqual([]);
  });

  it('every relative import leads to a file and bears its extension', () => {
    const paths = new Set(sources.map(({ path }) => path));
    const lost = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target.startsWith('src/') && !paths.has(target))
        .map(({ specifier, line }) => `${path}:${line} imports ${specifier}`),
    );
    expect(lost).toEqual([]);
  });

  it('no file imports itself in a circle, types included', () => {
    expect(
      findCircles(new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))),
    ).toEqual([]);
  });
});

describe('the table notices', () => {
  it.each([
    ['a room it may not know', 'src/stream/a.ts', `import { b } from '../request/b.js';`],
    ['a type of such a room', 'src/request/a.ts', `import type { B } from '../stream/b.js';`],
    ['a re-export', 'src/loop/a.ts', `export { b } from '../transport/b.js';`],
    ['a star re-export', 'src/loop/a.ts', `export * from '../request/b.js';`],
    ['an import()', 'src/loop/a.ts', `const b = await import('../stream/b.js');`],
    ['an import() of a computed name', 'src/loop/a.ts', `const b = await import(name);`],
    ['an import type expression', 'src/util/a.ts', `let b: import('../core/b.js').B;`],
    ['a value where only types may come', 'src/core/a.ts', `import { b } from '../wire/b.js';`],
    ['a type in braces, which leaves an import behind', 'src/core/a.ts', `import { type B } from '../wire/b.js';`],
    ['loop values in an adapter', 'src/adapters/v2/a.ts', `import { b } from '../../loop/b.js';`],
    ['a sibling adapter', 'src/adapters/v3/a.ts', `import type { B } from '../v2/b.js';`],
    ['the reducer in transport', 'src/transport/a.ts', `import { b } from '../stream/reduce-events.js';`],
    ['an HTTP transport in testing', 'src/testing/a.ts', `import { b } from '../transport/http-transport.js';`],
    ['testing in the main entry', 'src/index.ts', `export { b } from './testing/b.js';`],
    ['request in the main entry', 'src/index.ts', `export { b } from './request/b.js';`],
    ['a star in an entry, of a room it shows types of', 'src/every-entry.ts', `export * from './core/b.js';`],
    ['another version in an entry', 'src/v3.ts', `export { b } from './adapters/v2/b.js';`],
    ['an entry in a room', 'src/provider/a.ts', `import type { B } from '../index.js';`],
    ['the SSE parser outside stream', 'src/transport/a.ts', `import { b } from 'eventsource-parser';`],
    ['MCP outside tools/mcp', 'src/tools/a.ts', `import type { B } from '@modelcontextprotocol/sdk/types.js';`],
    ['MCP at load time', 'src/tools/mcp/a.ts', `import { b } from '@modelcontextprotocol/sdk/types.js';`],
    ['stdio at load time', 'src/tools/mcp/a.ts', `import { b } from '#mcp-stdio';`],
    ['stdio at load time by its path', 'src/tools/mcp/a.ts', `import { b } from './stdio-node.js';`],
    ['the AI SDK below the adapters', 'src/loop/a.ts', `import type { B } from '@ai-sdk/provider';`],
    ['provider-utils at load time', 'src/provider/a.ts', `import { b } from '@ai-sdk/provider-utils';`],
    ['node:', 'src/request/a.ts', `import { b } from 'node:fs';`],
    ['node: without its prefix', 'src/testing/a.ts', `import { b } from 'fs';`],
    ['require', 'src/util/a.ts', `const b = require('node:fs');`],
    ['zod', 'src/provider/a.ts', `import { z } from 'zod';`],
    ['a package nobody knows', 'src/util/a.ts', `import b from 'left-pad';`],
  ])('%s', (_, path, text) => {
    expect(violationsOf(path, readImports(path, text))).toHaveLength(1);
  });

  it.each([
    ['src/core/a.ts', `import type { B } from '../wire/b.js';`],
    ['src/transport/a.ts', `import { b } from '../stream/decode-event.js';`],
    ['src/tools/mcp/a.ts', `const b = await import('@modelcontextprotocol/sdk/client/index.js');`],
    ['src/tools/mcp/a.ts', `const b = await import('#mcp-stdio');`],
    ['src/adapters/v2/a.ts', `import type { B } from '../../loop/b.js';`],
  ])('nothing wrong in %s with %s', (path, text) => {
    expect(violationsOf(path, readImports(path, text))).toEqual([]);
  });

  it('a circle', () => {
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a']],
    ]);
    expect(findCircles(circle)).toEqual(['a → b → c → a']);
  });
});

/** Depth first; each circle is told once, from where it was entered. */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node);
    if (start !== -1) {
      circles.push([...trail.slice(start), node].join(' → '));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return circles;
}
