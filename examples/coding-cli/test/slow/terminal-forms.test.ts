import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScriptedServer } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { newFolders, openCoder, type OpenCoder, scripted, SIZES, text } from '../support/open-coder.js';

const LIVELY = fileURLToPath(new URL('../../../shared/test/helpers/lively-mcp.mjs', import.meta.url));
const [TAB, ESC, RIGHT, DOWN, BACKTAB] = ['\t', '\u001B', '\u001B[C', '\u001B[B', '\u001B[Z'];

/** A model whose first request calls the tool that asks. */
function asking(what: string): Promise<ScriptedServer> {
  return scripted((index) =>
    index === 0 ? { output: [{ type: 'call', name: 'ask', arguments: { what } }] } : text('End of it.'),
  );
}

async function open(server: ScriptedServer, size: { columns: number; rows: number }): Promise<OpenCoder> {
  const folders = newFolders();
  const config = join(folders.workspace, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { booking: { command: process.execPath, args: [LIVELY] } } }));
  const args = ['-a', 'never', '-s', 'danger_full_access', '--mcp-config', config];
  const coder = await openCoder({ folders, args, server, ...size });
  await coder.say('go');
  return coder;
}

const outputOf = (server: ScriptedServer): string => JSON.stringify(server.requests[1]?.input.at(-1)?.['output'] ?? '');
const isOpen = (screen: string): boolean => screen.includes('Esc not now') || screen.includes('Tab ↑');

describe.each(SIZES)('a form of an MCP server, in $columns × $rows', (size) => {
  it('names the server, checks its fields, and sends what stands in them', { timeout: 120_000 }, async () => {
    await using server = await asking('form');
    using coder = await open(server, size);
    const { terminal } = coder;
    await terminal.shows((screen) => screen.includes('▸ Your name*') && isOpen(screen));
    expect(terminal.text).toContain('⟩ MCP server booking');
    terminal.write('A\r');
    await terminal.shows((screen) => screen.includes('▸ Seats'));
    terminal.write('\u00150');
    await terminal.shows((screen) => /Seats: 0/.test(screen));
    terminal.write(`${DOWN}${RIGHT}`);
    await terminal.shows((screen) => screen.includes('▸ By the window') && screen.includes('‹ no ›'));
    terminal.write(TAB);
    await terminal.shows((screen) => screen.includes('▸ Meal'));
    terminal.write(TAB);
    await terminal.shows((screen) => screen.includes('▸ Extras'));
    terminal.write(`${RIGHT} `);
    await terminal.shows((screen) => screen.includes('‹ [x] Tea ›'));
    terminal.write(`${TAB}\r`);
    await terminal.shows((screen) => screen.includes('! Expected 2 characters or more.'));
    expect(server.requests).toHaveLength(1);
    terminal.write(`da\r\u00153\r${TAB}`);
    await terminal.shows((screen) => screen.includes('▸ Meal'));
    terminal.write(RIGHT);
    await terminal.shows((screen) => screen.includes('‹ Vegetarian ›'));
    terminal.write(`${TAB}${TAB}\r`);
    await terminal.shows('End of it.');
    const given = { name: 'Ada', seats: 3, window: false, meal: 'v', extras: ['t'] };
    expect(outputOf(server)).toContain(
      JSON.stringify(JSON.stringify({ action: 'accept', content: given })).slice(1, -1),
    );
    expect(terminal.clears).toBe(0);
  });

  it.each([
    ['Esc', ESC, 'cancel'],
    ['Decline', `${BACKTAB}\r`, 'decline'],
  ])('is answered by %s without its fields', { timeout: 60_000 }, async (_name, keys, action) => {
    await using server = await asking('form');
    using coder = await open(server, size);
    await coder.terminal.shows((screen) => screen.includes('▸ Your name*') && isOpen(screen));
    coder.terminal.write(keys);
    await coder.terminal.shows('End of it.');
    expect(outputOf(server)).toContain(action === 'decline' ? 'decline' : 'cancel');
  });
});

it('a form keeps a text that breaks the pattern of its field, and sends it once it fits', async () => {
  await using server = await asking('pattern');
  using coder = await open(server, SIZES[0]);
  const { terminal } = coder;
  await terminal.shows((screen) => screen.includes('▸ Seat*') && isOpen(screen));
  terminal.write(`12G${TAB}${'a'.repeat(60)}!${TAB}\r`);
  await terminal.shows('! The pattern of this field takes too long to check');
  terminal.write(`${TAB}\u0015${TAB}\r`);
  await terminal.shows('! Expected a text that fits the pattern ^[0-9]+[A-F]$');
  expect(server.requests).toHaveLength(1);
  terminal.write(`\u007FF${TAB}${TAB}\r`);
  await terminal.shows('End of it.');
  expect(outputOf(server)).toContain('12F');
});

describe('a page of an MCP server', () => {
  it('is named with its host, and Enter alone agrees to nothing', { timeout: 60_000 }, async () => {
    await using server = await asking('page');
    using coder = await open(server, SIZES[0]);
    await coder.terminal.shows((screen) => screen.includes('I agree to open it') && isOpen(screen));
    expect(coder.terminal.text).toContain('a page to open: http://127.0.0.1:9/pay?order=1');
    coder.terminal.write('\r');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(server.requests).toHaveLength(1);
    coder.terminal.write('\r');
    await coder.terminal.shows('End of it.');
    expect(outputOf(server)).toContain('accept');
  });

  it('is cancelled if what stands before an @ looks like its host', { timeout: 60_000 }, async () => {
    await using server = await asking('mail');
    using coder = await open(server, SIZES[0]);
    await coder.terminal.shows('was cancelled: its address');
    await coder.terminal.shows('End of it.');
  });
});

it(
  'a question that pretends to be the program is spelled, behind the name of its server',
  { timeout: 60_000 },
  async () => {
    await using server = await asking('evil');
    using coder = await open(server, SIZES[0]);
    await coder.terminal.shows((screen) => screen.includes('▸') && isOpen(screen));
    const lines = coder.terminal.all;
    expect(lines.some((line) => /^⟩|^\? (?!⟩ MCP server booking)/.test(line))).toBe(false);
    expect(coder.terminal.text).toContain('⟨U+27E9⟩ coder asks');
    expect(coder.terminal.raw).not.toContain('\u001B]0;');
    expect(coder.terminal.clears).toBe(0);
    coder.terminal.write('secret\r');
    coder.terminal.write(`${DOWN}\r`);
    await coder.terminal.shows('End of it.');
    expect(outputOf(server)).not.toContain('secret');
  },
);
