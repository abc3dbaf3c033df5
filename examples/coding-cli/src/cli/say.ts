import { once } from 'node:events';
import { stderr, stdout } from 'node:process';

/** What a terminal would take for a command, or show in another order; names and texts come from anywhere. */
const CONTROLS = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

/** A line for the person at the terminal, beside the answer. */
export function say(line: string): void {
  stderr.write(`${plain(line)}\n`);
}

/** An answer: as it is for a program, without commands for a terminal. */
export function write(text: string): void {
  stdout.write(stdout.isTTY ? plain(text) : text);
}

export function writeJson(value: unknown): void {
  stdout.write(`${JSON.stringify(value)}\n`);
}

/** The same, but not faster than it is read; `gone` ends the wait. */
export async function writeJsonLine(value: unknown, gone: AbortSignal): Promise<void> {
  if (gone.aborted || stdout.write(`${JSON.stringify(value)}\n`)) return;
  await once(stdout, 'drain', { signal: gone }).catch(() => {});
}

function plain(text: string): string {
  return text.replace(CONTROLS, '');
}

/** On one line, and not longer than a terminal is wide. */
export function brief(text: string, length = 100): string {
  const line = plain(text.replace(/\s+/g, ' ').trim());
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
