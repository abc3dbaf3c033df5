import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import type { Finding, Point } from './point.js';
import type { Probe } from './probe.js';
import { calls } from './probes/calls.js';
import { connections } from './probes/connections.js';
import { fields } from './probes/fields.js';
import { inputs } from './probes/inputs.js';
import { reach } from './probes/reach.js';
import { texts } from './probes/texts.js';
import { thinking } from './probes/thinking.js';
import type { Visit } from './visit.js';

/** Run in this order. From `afterText` on, the server must have answered with text. */
const atOnce: readonly Probe[] = [reach, ...texts];
const afterText: readonly Probe[] = [...fields, ...calls, ...thinking, ...inputs, ...connections];

/** Why a server without any text gets no further probes. */
export const NO_TEXT = 'no text came';

export interface Limits {
  /** Milliseconds for one probe. */
  readonly probeMs: number;
  /** Ends everything: Ctrl-C. */
  readonly signal: AbortSignal;
  /** Ends the remaining probes: the time for all. */
  readonly total: AbortSignal;
}

export interface RunOptions extends Limits {
  /** Cleans a server's text for display. */
  readonly clean: (text: string) => string;
  readonly onStart: (name: string) => void;
  readonly onPoint: (point: Point) => void;
}

/** Runs the probes that make sense; each has its time, and its error becomes an unknown finding. */
export async function runProbes(visit: Visit, options: RunOptions): Promise<readonly Point[]> {
  const points: Point[] = [];
  for (const probe of [...atOnce, ...afterText]) {
    options.signal.throwIfAborted();
    const reason = reasonToSkip(probe, visit, points, options.total);
    options.onStart(probe.name);
    const found: Point =
      reason === undefined
        ? await runOne(probe.name, (signal) => probe.run(visit.within(signal)), options)
        : { name: probe.name, verdict: 'skipped', detail: reason };
    const { detail, limit } = found;
    const point = { ...found, detail: options.clean(detail), ...defined({ limit: limit && options.clean(limit) }) };
    points.push(point);
    options.onPoint(point);
  }
  return points;
}

function reasonToSkip(probe: Probe, visit: Visit, points: readonly Point[], total: AbortSignal): string | undefined {
  if (total.aborted) return 'the time for all probes is over';
  if (afterText.includes(probe) && visit.first === undefined) return NO_TEXT;
  const missing = (probe.needs ?? []).find((need) => !points.some((point) => point.name === need && isGood(point)));
  return missing === undefined ? undefined : `needs “${missing}”`;
}

function isGood({ verdict }: Point): boolean {
  return verdict === 'yes' || verdict === 'partly';
}

/** Runs one probe in its time; its error is the reason why nothing is known. */
export async function runOne(
  name: string,
  find: (signal: AbortSignal) => Promise<Finding> | Finding,
  { probeMs, signal, total }: Limits,
): Promise<Point> {
  try {
    const finding = await find(AbortSignal.any([signal, total, AbortSignal.timeout(probeMs)]));
    signal.throwIfAborted();
    return { name, ...finding };
  } catch (error) {
    signal.throwIfAborted();
    return { name, verdict: 'unknown', detail: errorText(error) };
  }
}
