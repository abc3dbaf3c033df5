import { inFlags } from 'responses-loop-example-shared/model-flags.js';
import { isTooLong } from 'responses-loop-example-shared/too-long.js';
import type { ErrorCode, EventData } from '../protocol/events.js';

/** By the codes of the package; what it has no row for is the model's. */
const OF_PACKAGE: Readonly<Record<string, ErrorCode>> = {
  'connection-failed': 'connection_failed',
  'stream-truncated': 'connection_failed',
  'stream-reset': 'connection_failed',
  timeout: 'timeout',
};

const MAX_CHARS = 1_000;

/** What an `error` event says of a request that failed. */
export function describeError(error: unknown): EventData<'error'> {
  const cause = causeOf(error);
  const { code, isRetryable } = asRecord(cause);
  return {
    code: isTooLong(cause) ? 'context_too_long' : (OF_PACKAGE[String(code)] ?? 'model_error'),
    message: messageOf(cause),
    retryable: isRetryable === true,
  };
}

/** The SDK's error about spent retries holds the last one. */
function causeOf(error: unknown): unknown {
  return asRecord(error)['lastError'] ?? error;
}

function messageOf(error: unknown): string {
  const message = typeof error === 'string' ? error : asRecord(error)['message'];
  if (typeof message !== 'string' || message === '') return 'The model failed without saying why.';
  const shown = inFlags(message);
  // Checks of schemas list whatever an answer could have been.
  return shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS)}…` : shown;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
