import { InvalidArgumentError } from 'commander';
import { durationOf } from '../core/duration.js';
import type { ModelFlags } from 'responses-loop-example-shared/open-model.js';

/** What every command takes. */
export interface GlobalOptions extends ModelFlags {
  readonly workspace: string;
  readonly database?: string;
  readonly system?: string;
  readonly driver?: 'mono' | 'echo' | 'coder' | 'process';
  readonly maxSteps?: number;
  readonly contextWindow?: number;
  readonly compactAt?: number;
  readonly approve: 'ask' | 'all' | 'none';
  readonly trust: readonly string[];
}

/** Which session a message goes to; neither: a new one. */
export interface SessionChoice {
  readonly session?: string;
  readonly last?: boolean;
}

export interface PageOptions {
  readonly limit: number;
  readonly offset: number;
  readonly search?: string;
}

/** A time such as `30d`, in milliseconds. */
export function duration(text: string): number {
  const ms = durationOf(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError('It has to be a number with m, h, d or w, such as 30d.');
}

/** A whole number from `least` on, as commander reads it. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}
