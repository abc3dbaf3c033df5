import { DEFAULT_LIMITS, type Limits } from '../core/limits.js';
import type { LoopLimits } from '../loop/loop-options.js';
import { defined } from '../util/defined.js';
import type { RetrySettings } from '../request/retry-delay.js';
import type { ModelOverrides, ResponsesProviderSettings } from './settings.js';

const DEFAULT_MAX_ROUNDS = 20;
const DEFAULT_MAX_REPEATED_ROUNDS = 5;
const DEFAULT_TIMEOUT_MS = 900_000;

/** How long an answer may be silent, in milliseconds; 0 is for ever. */
export interface Timeouts {
  readonly headersMs: number;
  readonly idleMs: number;
  /** How long it may go without an event, whatever else comes. */
  readonly commentsMs: number;
}

export function timeoutsOf({ timeouts }: ResponsesProviderSettings): Timeouts {
  return {
    headersMs: timeouts?.headersMs ?? DEFAULT_TIMEOUT_MS,
    idleMs: timeouts?.idleMs ?? DEFAULT_TIMEOUT_MS,
    commentsMs: timeouts?.commentsMs ?? DEFAULT_TIMEOUT_MS,
  };
}

/** How rounds are retried, with the defaults filled in. */
export function retrySettings({ retry }: Pick<ResponsesProviderSettings, 'retry'>): RetrySettings {
  return {
    maxRetries: retry?.maxRetries ?? 2,
    initialDelayMs: retry?.initialDelayMs ?? 1_000,
    maxDelayMs: retry?.maxDelayMs ?? 60_000,
  };
}

export type ModelLimits = LoopLimits & Limits;

interface LimitedModel {
  readonly settings: ResponsesProviderSettings;
  readonly overrides: readonly ModelOverrides[];
  limits: ModelLimits | undefined;
}

/** Those of the loop, and what a peer may cost, with the defaults filled in. Settings do not change, so once for a model. */
export function limitsOf(model: LimitedModel): ModelLimits {
  return (model.limits ??= model.overrides.reduce<ModelLimits>(
    (common, { limits: own = {} }) => ({ ...common, ...defined(own) }),
    { ...peerLimits(model.settings), ...loopLimits(model.settings) },
  ));
}

/** A request for every retry that the user asks for is always allowed, unless `requestsPerRound` itself was set. */
function peerLimits(settings: ResponsesProviderSettings): Limits {
  const requestsPerRound = Math.max(DEFAULT_LIMITS.requestsPerRound, retrySettings(settings).maxRetries + 1);
  return { ...DEFAULT_LIMITS, requestsPerRound, ...defined({ ...settings.limits }) };
}

function loopLimits(settings: ResponsesProviderSettings): LoopLimits {
  const { maxRounds, maxToolCalls, maxRepeatedRounds, toolConcurrency, retry } = settings;
  const { toolTimeoutMs, toolTotalTimeoutMs, maxToolOutputChars, maxLoopChars } = settings;
  return {
    maxRounds: maxRounds ?? DEFAULT_MAX_ROUNDS,
    maxToolCalls: maxToolCalls ?? Number.POSITIVE_INFINITY,
    maxRepeatedRounds: maxRepeatedRounds ?? DEFAULT_MAX_REPEATED_ROUNDS,
    toolConcurrency: toolConcurrency ?? 'auto',
    ...defined({
      toolTimeoutMs,
      toolTotalTimeoutMs,
      maxToolOutputChars,
      maxLoopChars,
      maxToolRetries: retry?.maxToolRetries,
    }),
  };
}
