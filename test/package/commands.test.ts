import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readImports } from '../architecture/read-imports.js';
import { runNode } from './run-node.js';

const consumer = inject('consumer');
const root = join(consumer, 'node_modules/responses-loop');
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> };
const main = join(root, bin['responses-loop'] ?? '');

/** As `npx responses-loop` runs it: through what npm has put into `.bin`. */
function command(...args: string[]): ReturnType<typeof runNode> {
  return runNode([join(consumer, 'node_modules/.bin/responses-loop'), ...args], { cwd: consumer });
}

/** The files of `dist/cli` that a file opens or may load, and all behind them. */
function filesBehind(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { specifier } of readImports(file, readFileSync(file, 'utf8')))
    if (specifier.startsWith('./')) filesBehind(join(file, '..', specifier), seen);
  return seen;
}

describe.skipIf(process.platform === 'win32')('npx responses-loop', () => {
  it('tells its commands', async () => {
    const { code, stdout } = await command('--help');
    expect(code).toBe(0);
    for (const name of ['chat', 'doctor', 'mcp', 'timeline']) expect(stdout).toContain(`  ${name}`);
  });

  it.each(['chat', 'doctor', 'mcp', 'timeline'])('loads %s', async (name) => {
    const { code, stdout, stderr } = await command(name, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: npx responses-loop ${name}`);
  });

  it('makes a page of a file that responses-loop/node has recorded', async () => {
    const program = [
      `import { recordEvents } from 'responses-loop/node';`,
      `import { createResponsesProvider } from 'responses-loop';`,
      `const record = recordEvents('events.jsonl');`,
      `createResponsesProvider({ apiKey: 'none', onEvent: record });`,
      `record({ type: 'warning', message: 'kept by the tarball' });`,
      'record.close();',
    ];
    writeFileSync(join(consumer, 'record-events.mjs'), program.join('\n'));
    expect(await runNode(['record-events.mjs'], { cwd: consumer })).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await command('timeline', 'events.jsonl', '-o', 'timeline.html');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(join(consumer, 'timeline.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it('is a program of Node whose files are all in the tarball', () => {
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const files = [...filesBehind(main)];
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(existsSync(join(main, '..', 'timeline-page.js'))).toBe(true);
  });
});
