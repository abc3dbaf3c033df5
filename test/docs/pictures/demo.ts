import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { spawn } from '@lydell/node-pty';
import type { Terminal as Xterm } from '@xterm/headless';
import { svgOf } from '../../../examples/coding-cli/picture/svg.js';

// It is CommonJS, and its names are not seen from here.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof Xterm };

const FILE = 'docs/images/demo.svg';
const SIZE = { columns: 112, rows: 60 };

/** What `npm run demo` writes to a terminal, with its colours. */
export async function drawDemo(): Promise<string> {
  const written = await runInTerminal('npm', ['run', '--silent', 'demo', '--', '--stand-in']);
  const folder = /\/[\w/.-]*responses-loop-demo-\w+/.exec(written)?.[0];
  if (folder === undefined) throw new Error(`The demo named no folder:\n${written}`);
  const shown = `\u001B[2m$ npm run demo\u001B[0m\r\n${written.slice(written.indexOf('\u001B[1mresponses-loop demo'))}`;
  const terminal = new Terminal({ cols: SIZE.columns, rows: SIZE.rows, allowProposedApi: true });
  // No path of this machine.
  const neutral = shown
    .replaceAll(folder, '~/pond')
    .replaceAll(/\/[\w/.-]*responses-loop-timeline-\w+/g, '~/timelines');
  await new Promise<void>((resolve) => terminal.write(neutral, resolve));
  const label = 'npm run demo: four rounds with tool calls, then the answer';
  writeFileSync(FILE, svgOf(terminal.buffer.active, { ...SIZE, label }));
  return FILE;
}

async function runInTerminal(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, TERM: 'xterm-256color' } as Record<string, string>;
  delete env['NO_COLOR'];
  const pty = spawn(command, args, { cols: SIZE.columns, rows: SIZE.rows, env });
  let written = '';
  pty.onData((data) => void (written += data));
  const exitCode = await new Promise<number>((resolve) => void pty.onExit((end) => resolve(end.exitCode)));
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}:\n${written}`);
  return written;
}
