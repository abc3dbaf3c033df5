import { readFileSync } from 'node:fs';
import { EXIT, type ExitCode } from './exit-codes.js';
import { write } from './say.js';

export async function version(): Promise<ExitCode> {
  const file = new URL(import.meta.resolve('responses-loop/package.json'));
  const { version: number } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  write(`coder ${number}\n`);
  return EXIT.done;
}
