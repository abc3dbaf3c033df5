import { expect, it } from 'vitest';
import { newFolder } from '../support/folders.js';
import { runCoder } from '../support/run-coder.js';

const COLUMNS = 80;

/** Names in the list of commands of a help text. */
function commandsIn(help: string): string[] {
  const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

it('the help of every command fits 80 columns and ends with examples', { timeout: 120_000 }, async () => {
  const at = { cwd: newFolder(), home: newFolder() };
  const seen: string[] = [];
  const read = async (words: readonly string[]): Promise<void> => {
    const { code, stdout } = await runCoder([...words, '--help'], at);
    seen.push(words.join(' '));
    expect(code, words.join(' ')).toBe(0);
    expect(stdout.split('\n').filter((line) => line.length > COLUMNS)).toEqual([]);
    expect(stdout, words.join(' ')).toMatch(/\nExamples:\n(?: {2}\S.*\n)+\s*$/);
    for (const name of commandsIn(stdout)) await read([...words, name]);
  };
  await read([]);
  expect(seen).toEqual(expect.arrayContaining(['', 'exec', 'resume', 'mcp', 'mcp login', 'version']));
});
