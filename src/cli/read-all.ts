import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Terminal } from './command.js';

/** Reads all of standard input; Ctrl-C ends the wait. */
export function readAll({ stdin, signal }: Pick<Terminal, 'stdin' | 'signal'>): Promise<string> {
  return text(addAbortSignal(signal, stdin));
}
