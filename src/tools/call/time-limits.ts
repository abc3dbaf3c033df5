import { timerMs } from '../../util/timers.js';

/** The default longest silence of a tool call, in milliseconds. */
export const DEFAULT_TOOL_TIMEOUT_MS = 60_000;
/** The longest duration of a call, as a multiple of its longest silence. */
const TOTAL_TIMEOUT_FACTOR = 10;

/** How long a tool may be silent, and how long it may run in all; milliseconds. */
export interface TimeLimits {
  readonly idleMs: number;
  readonly totalMs: number;
}

/** `0` and `Infinity` mean: no limit. */
export function timeLimits(idleMs: number, totalMs?: number): TimeLimits {
  const idle = timerMs(idleMs);
  return { idleMs: idle, totalMs: timerMs(totalMs ?? idle * TOTAL_TIMEOUT_FACTOR) };
}

/** The sentence the model reads; the same whoever noticed first. */
export function timeLimitText(tool: string, kind: 'idle' | 'total', milliseconds: number): string {
  return kind === 'idle'
    ? `The tool "${tool}" was given up: it sent neither a result nor progress for ${milliseconds} ms (idle limit).`
    : `The tool "${tool}" was given up: it ran longer than ${milliseconds} ms in all (total limit).`;
}

/** A tool that took too long. */
export class ToolTimeout extends Error {
  override readonly name = 'TimeoutError';
}
