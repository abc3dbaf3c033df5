import { followAbort, raceAbort } from '../../util/abort.js';
import { timeLimitText, ToolTimeout, type TimeLimits } from './time-limits.js';

export interface Watched {
  readonly signal: AbortSignal;
  /** A sign of life: the idle limit starts anew. */
  readonly touch: () => void;
}

/**
 * Runs a tool under its time limits. Rejects with `ToolTimeout` when one of them is exceeded and as soon as the parent
 * signal fires, whether or not the tool takes notice; leaves no timer and no listener behind.
 */
export async function watchTool<T>(
  tool: string,
  limits: TimeLimits,
  parent: AbortSignal,
  run: (watched: Watched) => Promise<T>,
): Promise<T> {
  const { controller, release } = followAbort(parent);
  const giveUp = (kind: 'idle' | 'total', milliseconds: number): void =>
    controller.abort(new ToolTimeout(timeLimitText(tool, kind, milliseconds)));
  const startIdle = (): ReturnType<typeof setTimeout> => setTimeout(giveUp, limits.idleMs, 'idle', limits.idleMs);

  let idle = startIdle();
  let isOver = false;
  const total = setTimeout(giveUp, limits.totalMs, 'total', limits.totalMs);
  const touch = (): void => {
    // A tool that ignored the abort may still report progress.
    if (isOver) return;
    clearTimeout(idle);
    idle = startIdle();
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
