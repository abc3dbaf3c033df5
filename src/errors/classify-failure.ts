/** What a failure means for a retry. */
export interface FailureClass {
  readonly statusCode: number;
  readonly isRetryable: boolean;
}

/**
 * Server error codes seen in error bodies, `error` events and `response.failed`, and the status they stand for.
 * `insufficient_quota` comes as 429 but no waiting helps (vercel/ai#15922).
 */
const BY_CODE: Readonly<Record<string, FailureClass>> = {
  rate_limit_exceeded: { statusCode: 429, isRetryable: true },
  rate_limit_error: { statusCode: 429, isRetryable: true },
  too_many_requests: { statusCode: 429, isRetryable: true },
  insufficient_quota: { statusCode: 429, isRetryable: false },
  server_error: { statusCode: 500, isRetryable: true },
  internal_error: { statusCode: 500, isRetryable: true },
  server_is_overloaded: { statusCode: 503, isRetryable: true },
  overloaded: { statusCode: 503, isRetryable: true },
  overloaded_error: { statusCode: 503, isRetryable: true },
  slow_down: { statusCode: 503, isRetryable: true },
  service_unavailable: { statusCode: 503, isRetryable: true },
  vector_store_timeout: { statusCode: 504, isRetryable: true },
  timeout: { statusCode: 504, isRetryable: true },
  invalid_api_key: { statusCode: 401, isRetryable: false },
  authentication_error: { statusCode: 401, isRetryable: false },
  permission_error: { statusCode: 403, isRetryable: false },
  model_not_found: { statusCode: 404, isRetryable: false },
  not_found_error: { statusCode: 404, isRetryable: false },
};

const RETRYABLE_STATUS: ReadonlySet<number> = new Set([408, 409, 429]);

/** Status first where there is one, else the server's code, else a plain 500. */
export function classifyFailure(failure: { statusCode?: number; serverCode?: string }): FailureClass {
  const code = failure.serverCode?.toLowerCase();
  const known = code === undefined || !Object.hasOwn(BY_CODE, code) ? undefined : BY_CODE[code];
  const statusCode = failure.statusCode ?? known?.statusCode ?? statusFromCode(code);
  return { statusCode, isRetryable: isRetryableStatus(statusCode) && known?.isRetryable !== false };
}

function isRetryableStatus(status: number): boolean {
  return RETRYABLE_STATUS.has(status) || status >= 500;
}

/** Codes of what the request got wrong: its form, its size, its images, its content. */
const CLIENTS_FAULT = /^(?:invalid|unsupported|context|exceed|image|empty|failed_to_download)_|_policy(?:_|$)/;

/** Some servers put a number there (llama.cpp: `error.code: 400`). */
function statusFromCode(code: string | undefined): number {
  if (code === undefined) return 500;
  const numeric = Number(code);
  if (Number.isInteger(numeric) && numeric >= 400 && numeric < 600) return numeric;
  return CLIENTS_FAULT.test(code) ? 400 : 500;
}
