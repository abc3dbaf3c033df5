import type { JsonObject } from '../../core/json.js';
import { LOOP_LIMITS } from '../../core/limits.js';
import type { ToolOutput } from '../../core/message.js';
import { isLimitReached } from '../../errors/limit-reached.js';
import type { Redactor } from '../../observe/redactor.js';
import { followAbort, raceAbort } from '../../util/abort.js';
import { defined } from '../../util/defined.js';
import { delay, timerMs } from '../../util/timers.js';
import type { ToolProgress } from '../tool-source.js';
import { limitOutput, type OutputLimits } from './limit-output.js';

/** The longest duration of a call, as a multiple of its longest silence. */
const TOTAL_TIMEOUT_FACTOR = 10;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** The longest silence and the longest duration of a tool, in milliseconds. */
export interface TimeLimits {
  readonly idleMs: number;
  readonly totalMs: number;
}

export const NO_LIMIT_MS = timerMs(0);

/** `0` and `Infinity` mean no limit. */
export function timeLimits(idleMs: number = LOOP_LIMITS.toolTimeoutMs.byDefault, totalMs?: number): TimeLimits {
  const idle = timerMs(idleMs);
  return { idleMs: idle, totalMs: timerMs(totalMs ?? idle * TOTAL_TIMEOUT_FACTOR) };
}

/** A tool took too long. */
class ToolTimeout extends Error {
  override readonly name = 'TimeoutError';

  constructor(tool: string, why: string) {
    super(`The tool "${tool}" timed out: it ${why}.`);
  }
}

/** The same error whether the SDK or we notice first. */
export function tookTooLong(tool: string, totalMs: number): Error {
  return new ToolTimeout(tool, `ran longer than ${totalMs} ms in total (total limit)`);
}

export interface Watched {
  readonly signal: AbortSignal;
  /** A sign of life: the idle limit starts anew. */
  readonly touch: () => void;
}

/**
 * Runs a tool under its time limits. Rejects with `ToolTimeout` when one of them is exceeded and as soon as the parent
 * signal fires, even if the tool ignores it; leaves no timer and no listener.
 */
export async function watchTool<T>(
  tool: string,
  { idleMs, totalMs }: TimeLimits,
  parent: AbortSignal,
  run: (watched: Watched) => Promise<T>,
): Promise<T> {
  const { controller, release } = followAbort(parent);
  const onSilence = (): void =>
    controller.abort(new ToolTimeout(tool, `sent neither a result nor progress for ${idleMs} ms (idle limit)`));
  let idle = setTimeout(onSilence, idleMs);
  let isOver = false;
  const total = setTimeout(() => controller.abort(tookTooLong(tool, totalMs)), totalMs);
  const touch = (): void => {
    // A tool that ignored the abort may still report progress.
    if (isOver) return;
    clearTimeout(idle);
    idle = setTimeout(onSilence, idleMs);
  };
  try {
    return await raceAbort(run({ signal: controller.signal, touch }), controller.signal);
  } finally {
    isOver = true;
    clearTimeout(idle);
    clearTimeout(total);
    release();
  }
}

interface AttemptOptions {
  /** How often to try again after a failure; 0 tries once. */
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  readonly onRetry: (attempt: number, error: unknown, delayMs: number) => void;
}

/** Runs something until it succeeds or the retries are used up; the last failure counts. */
export async function attempt<T>(run: () => Promise<T>, options: AttemptOptions): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (options.signal.aborted || tried > options.maxRetries || isLimitReached(error)) throw error;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tried - 1), LONGEST_PAUSE_MS);
      options.onRetry(tried, error, pause);
      await delay(pause, options.signal);
    }
  }
}

/**
 * Returns the progress of a run in the form of a result; `undefined` for an error, which ends a call for the AI SDK.
 */
export async function progressOutput(
  { output: readOutput, progress, total, message }: ToolProgress,
  { limits, redactor }: { readonly limits: OutputLimits; readonly redactor?: Pick<Redactor, 'text'> | undefined },
): Promise<ToolOutput | undefined> {
  if (readOutput !== undefined) {
    const output = limitOutput(await readOutput(), limits);
    return output.isError ? undefined : output;
  }
  const shown = message === undefined ? undefined : (redactor?.text(message) ?? message);
  const value: JsonObject = defined({ progress, total, message: shown });
  return { isError: false, content: [], value };
}
