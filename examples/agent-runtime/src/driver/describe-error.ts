import type { EventData } from '../types/events.js';

/** What an `error` event says of an error of a model, a server or a provider. */
export function describeError(error: unknown): EventData<'error'> {
  const cause = causeOf(error);
  const { code, statusCode, isRetryable } = asRecord(cause);
  return {
    message: messageOf(error),
    errorCode: typeof code === 'string' ? code : typeof statusCode === 'number' ? `http_${statusCode}` : 'model_error',
    isRetryable: isRetryable === true,
  };
}

/** The SDK's error about spent retries holds the last one. */
function causeOf(error: unknown): unknown {
  const { lastError } = asRecord(error);
  return lastError ?? error;
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message } = asRecord(error);
  return typeof message === 'string' && message !== '' ? message : 'The model failed without saying why.';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
