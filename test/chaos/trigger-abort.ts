import type { ObserverEvent } from 'responses-loop';
import { countingSignal } from '../acceptance/support/counting-signal.js';
import type { Log } from './log.js';
import type { AbortPlan } from './scenario.js';

/** The caller's signal, fired when the plan says so. */
export interface Trigger {
  readonly signal: AbortSignal;
  readonly reason: unknown;
  listeners(): number;
  /** Something happened for the nth time, counted here. */
  happened(what: AbortPlan['when']): void;
  observe(event: ObserverEvent): void;
  stop(): void;
}

const EVENTS: ReadonlySet<string> = new Set(['round-end', 'tool-end', 'retry', 'response']);

export function createTrigger(plan: AbortPlan | undefined, lane: number, log: Log): Trigger {
  const { signal, abort, listeners } = countingSignal();
  const reason = plan === undefined || plan.reason === 'none' ? undefined : reasonOf(plan.reason);
  const counts = new Map<string, number>();
  const fire = (): void => {
    if (signal.aborted) return;
    log.note(lane, 'aborted', plan?.when ?? '');
    abort(reason);
  };
  const happened = (what: AbortPlan['when']): void => {
    const count = counts.get(what) ?? 0;
    counts.set(what, count + 1);
    if (plan?.when === what && plan.n === count) fire();
  };
  if (plan?.when === 'before') fire();
  const timer = plan?.when === 'after' ? setTimeout(fire, plan.n) : undefined;
  return {
    signal,
    reason,
    listeners,
    happened,
    observe: (event) => {
      // The names of events that count are names of plans.
      if (EVENTS.has(event.type)) happened(event.type as AbortPlan['when']);
    },
    stop: () => clearTimeout(timer),
  };
}

function reasonOf(kind: 'error' | 'text'): unknown {
  return kind === 'error' ? new Error('the caller had enough') : 'the caller had enough';
}
