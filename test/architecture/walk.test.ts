import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createScriptedServer, errorReply } from '../../src/testing.js';
import { readText } from './read-imports.js';
import { namedFunctions, traceCall } from './trace-call.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const contributing = readText('CONTRIBUTING.md');

/** The rows of a section that name a file and a function: `src/loop/run-call.ts startCall`. */
function stopsOf(section: string): string[] {
  const [, text = ''] = contributing.split(`\n## ${section}\n`);
  const rows = text.split('\n## ')[0]?.matchAll(/^\|[^|]*\| `(src\/[^`]+)` \| `([^`]+)` \|/gm) ?? [];
  return [...rows].map(([, file, name]) => `${file} ${name}`);
}

const walk = stopsOf('One call, walked through');
const places = stopsOf('Where to find it');

describe('CONTRIBUTING', () => {
  it('names no file or folder that is not there', () => {
    const named = [...contributing.matchAll(/`((?:src|test|docs|examples|bench|\.ci)\/[\w./-]+)`/g)];
    const paths = new Set(named.map(([, path = '']) => path));
    expect([...paths].filter((path) => !existsSync(root + path))).toEqual([]);
  });

  it('lists every folder of src', () => {
    const [, section = ''] = contributing.split('\n## The folders of `src`\n');
    const listed = section.split('\n## ')[0] ?? '';
    const folders = readdirSync(`${root}src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !listed.includes(`\`src/${name}`))).toEqual([]);
  });

  it.each([...walk, ...places])('says where to find %s', (stop) => {
    const [file = '', name] = stop.split(' ');
    expect(existsSync(root + file), file).toBe(true);
    expect(namedFunctions(file, readText(file))).toContain(name);
  });

  it('walks through a call as a call goes', async () => {
    expect(walk.length).toBeGreaterThanOrEqual(12);
    const entered = await traceCall(askForTheTime);
    expect(walk.filter((stop) => !entered.includes(stop))).toEqual([]);
    expect(walk.toSorted((a, b) => entered.indexOf(a) - entered.indexOf(b))).toEqual(walk);
  });
});

/** A call that is refused once for being too many, runs a tool that needs an approval, and answers. */
async function askForTheTime({ createResponsesProvider }: typeof import('../../src/index.js')): Promise<void> {
  await using server = await createScriptedServer({
    steps: [
      errorReply({ status: 429, headers: { 'retry-after': '0' } }),
      { output: [{ type: 'call', name: 'time', arguments: {} }] },
      'It is noon.',
    ],
  });
  const provider = createResponsesProvider({
    apiKey: 'none',
    baseURL: server.baseURL,
    approve: () => true,
    tools: { time: { inputSchema: { type: 'object' }, execute: () => 'noon' } },
  });
  const { text } = streamText({ model: provider('any'), prompt: 'What time is it?' });
  expect(await text).toBe('It is noon.');
  await provider.close();
}
