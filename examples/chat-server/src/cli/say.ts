import { stderr } from 'node:process';

/** What a terminal would take for a command, or show in another order; names and texts come from anywhere. */
const CONTROLS = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

/** A line for the person at the terminal. */
export function say(line: string): void {
  stderr.write(`chat-server: ${line.replace(CONTROLS, '')}\n`);
}
