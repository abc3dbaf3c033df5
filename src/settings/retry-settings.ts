import type { RetrySettings } from '../request/retry-delay.js';
import type { ResponsesProviderSettings } from './settings.js';

/** How rounds are retried, with the defaults filled in. */
export function retrySettings({ retry }: Pick<ResponsesProviderSettings, 'retry'>): RetrySettings {
  return {
    maxRetries: retry?.maxRetries ?? 2,
    initialDelayMs: retry?.initialDelayMs ?? 1_000,
    maxDelayMs: retry?.maxDelayMs ?? 60_000,
  };
}
