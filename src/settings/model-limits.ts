import {
  DEFAULT_LIMITS,
  defaultsOf,
  type Given,
  type Limits,
  LOOP_LIMITS,
  type NumberRows,
  RETRIES,
  TIMEOUTS,
} from '../core/limits.js';
import type { LoopLimits } from '../loop/loop-options.js';
import { defined } from '../util/defined.js';
import type { RetrySettings } from '../request/retry-delay.js';
import type { LoopSettings } from './loop-settings.js';
import type { ModelLimits, ModelSettings } from './model-settings.js';
import type { ResponsesProviderSettings } from './settings.js';

/**
 * How long an answer may be silent, in milliseconds; 0 is for ever. `commentsMs`: without an event, even if other bytes
 * arrive.
 */
export type Timeouts = Readonly<Record<'headersMs' | 'idleMs' | 'commentsMs', number>>;

export function timeoutsOf({ timeouts = {} }: ResponsesProviderSettings): Timeouts {
  return withDefaults(TIMEOUTS, timeouts);
}

/** How rounds are retried, with the defaults filled in. */
export function retrySettings({ retry = {} }: Pick<ResponsesProviderSettings, 'retry'>): RetrySettings {
  return withDefaults(RETRIES, retry);
}

/** Returns the given numbers of a table, and the defaults of the rest. */
function withDefaults<Rows extends NumberRows>(rows: Rows, given: Given<Rows>) {
  const names = Object.keys(rows) as (keyof Rows & string)[];
  return { ...defaultsOf(rows), ...defined(Object.fromEntries(names.map((name) => [name, given[name]]))) } as {
    readonly [Name in keyof Rows]: Rows[Name] extends { readonly byDefault: number } ? number : number | undefined;
  };
}

/** Returns the limits of the loop and of peers, with defaults. Settings do not change, so it runs once per model. */
export function limitsOf(model: ModelSettings): ModelLimits {
  const layers = [...model.overrides.map(({ limits = {} }) => limits), ...model.own.map(ownLimits)];
  return (model.limits ??= layers.reduce<ModelLimits>((common, own) => ({ ...common, ...defined(own) }), {
    ...peerLimits(model.settings),
    ...loopLimits(model.settings),
  }));
}

function ownLimits({ limits, toolConcurrency, ...own }: LoopSettings): Partial<ModelLimits> {
  const numbers = Object.keys(LOOP_LIMITS) as (keyof typeof LOOP_LIMITS)[];
  const given = Object.fromEntries(numbers.map((name) => [name, own[name]]));
  return defined({ ...limits, ...given, toolConcurrency }) as Partial<ModelLimits>;
}

/** Always allows a request for each retry in the settings, unless `requestsPerRound` itself was set. */
function peerLimits(settings: ResponsesProviderSettings): Limits {
  const requestsPerRound = Math.max(DEFAULT_LIMITS.requestsPerRound, retrySettings(settings).maxRetries + 1);
  return { ...DEFAULT_LIMITS, requestsPerRound, ...defined({ ...settings.limits }) };
}

function loopLimits(settings: ResponsesProviderSettings): LoopLimits {
  const { toolConcurrency = 'auto', retry } = settings;
  const limits = defined(withDefaults(LOOP_LIMITS, settings)) as Omit<LoopLimits, 'toolConcurrency'>;
  return { ...limits, toolConcurrency, ...defined({ maxToolRetries: retry?.maxToolRetries }) };
}
