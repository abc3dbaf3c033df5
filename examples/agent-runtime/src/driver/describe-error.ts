import { isTooLong } from 'responses-loop-example-shared/too-long.js';
import type { EventData } from '../types/events.js';

const LONG_REMEDY =
  'The conversation is too long for the model. After the summary, send your message again; if it is long, make it shorter.';

/** What an `error` event says of an error of a model, a server or a provider. */
export function describeError(error: unknown): EventData<'error'> {
  const cause = causeOf(error);
  const { code, statusCode, isRetryable } = asRecord(cause);
  const isLong = isTooLong(cause);
  return {
    message: isLong ? `${messageOf(error)} ${LONG_REMEDY}` : messageOf(error),
    errorCode: isLong ? 'context_too_long' : codeOf(code, statusCode),
    isRetryable: isRetryable === true,
  };
}

function codeOf(code: unknown, statusCode: unknown): string {
  if (typeof code === 'string') return code;
  return typeof statusCode === 'number' ? `http_${statusCode}` : 'model_error';
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
