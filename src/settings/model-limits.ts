import { DEFAULT_LIMITS, type Limits } from '../core/limits.js';
import type { LoopLimits } from '../loop/loop-options.js';
import { defined } from '../util/defined.js';
import type { RetrySettings } from '../request/retry-delay.js';
import type { ModelLimits, ModelSettings } from './model-settings.js';
import type { ResponsesProviderSettings } from './settings.js';

const DEFAULT_TIMEOUT_MS = 900_000;

/** How long an answer may be silent, in milliseconds; 0 is for ever. `commentsMs`: without an event, whatever else comes. */
export type Timeouts = Readonly<Record<'headersMs' | 'idleMs' | 'commentsMs', number>>;

export function timeoutsOf({ timeouts = {} }: ResponsesProviderSettings): Timeouts {
  const { headersMs = DEFAULT_TIMEOUT_MS, idleMs = DEFAULT_TIMEOUT_MS, commentsMs = DEFAULT_TIMEOUT_MS } = timeouts;
  return { headersMs, idleMs, commentsMs };
}

/** How rounds are retried, with the defaults filled in. */
export function retrySettings({ retry = {} }: Pick<ResponsesProviderSettings, 'retry'>): RetrySettings {
  const { maxRetries = 2, initialDelayMs = 1_000, maxDelayMs = 60_000 } = retry;
  return { maxRetries, initialDelayMs, maxDelayMs };
}

/** Those of the loop, and what a peer may cost, with the defaults filled in. Settings do not change, so once for a model. */
export function limitsOf(model: ModelSettings): ModelLimits {
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
  const { maxRounds = 20, maxToolCalls = Number.POSITIVE_INFINITY, maxRepeatedRounds = 5 } = settings;
  const { toolTimeoutMs, toolTotalTimeoutMs, maxToolOutputChars, maxLoopChars } = settings;
  return {
    maxRounds,
    maxToolCalls,
    maxRepeatedRounds,
    toolConcurrency: settings.toolConcurrency ?? 'auto',
    ...defined({
      toolTimeoutMs,
      toolTotalTimeoutMs,
      maxToolOutputChars,
      maxLoopChars,
      maxToolRetries: settings.retry?.maxToolRetries,
    }),
  };
}
