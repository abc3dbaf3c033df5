import { readFileSync } from 'node:fs';
import { LINE, type Line } from './lines.js';

export interface Problem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface Rollout {
  readonly lines: readonly Line[];
  /** Lines that could not be read. */
  readonly problems: readonly Problem[];
  /** Bytes of whole lines; behind them stands what a write did not finish. */
  readonly wholeBytes: number;
  readonly tornBytes: number;
}

/** All that can be read of a rollout. */
export function readRollout(path: string): Rollout {
  const bytes = readFileSync(path);
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines: Line[] = [];
  const problems: Problem[] = [];
  const texts = bytes.subarray(0, wholeBytes).toString('utf8').split('\n').slice(0, -1);
  for (const [index, text] of texts.entries()) {
    const line = parseLine(text);
    if (typeof line === 'string') problems.push({ line: index + 1, message: line });
    else lines.push(line);
  }
  return { lines, problems, wholeBytes, tornBytes: bytes.length - wholeBytes };
}

/** The line, or what is wrong with it. */
function parseLine(text: string): Line | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const { success, data } = LINE.safeParse(value);
  return success ? data : 'is not a line of a rollout';
}
