import { rowOf } from '../util/guards.js';

/** The meaning of a failure for another attempt. */
export interface FailureClass {
  /** The HTTP status, or that of an error inside a 200. */
  readonly statusCode: number;
  /** The same request may succeed later. */
  readonly isRetryable: boolean;
  /** The same request may succeed with another key. */
  readonly mayFailOver: boolean;
  /** The server has not acted on the request: repeating it cannot do anything twice, even where the server keeps state. */
  readonly isReplaySafe: boolean;
}

type Row = readonly [statusCode: number, isRetryable: boolean, mayFailOver: boolean, isReplaySafe: boolean];

/** The status of each server error code, as seen in error bodies, `error` events and `response.failed`. */
const CODES: Readonly<Record<number, readonly string[]>> = {
  401: ['invalid_api_key', 'authentication_error'],
  403: ['permission_error'],
  404: ['model_not_found', 'not_found_error'],
  429: ['rate_limit_exceeded', 'rate_limit_error', 'too_many_requests'],
  500: ['server_error', 'internal_error'],
  503: ['server_is_overloaded', 'overloaded', 'overloaded_error', 'slow_down', 'service_unavailable'],
  504: ['vector_store_timeout', 'timeout'],
};

/** Codes that mean something else than their status: retryable, another key may help, replay-safe. */
const APART: Readonly<Record<string, Row>> = {
  // Servers send 429 for these, but no wait helps (vercel/ai#15922).
  insufficient_quota: [429, false, true, true],
  billing_hard_limit_reached: [429, false, true, true],
  // Statuses of a response that still runs, so a retry would start a second one.
  queued: [409, false, false, false],
  in_progress: [409, false, false, false],
  // A client cancelled the response.
  cancelled: [409, false, false, false],
};

/** The meaning of a status alone: relays send 402 if a key has no money left. */
const BY_STATUS: Readonly<Record<number, Row>> = {
  401: [401, false, true, true],
  402: [402, false, true, true],
  403: [403, false, true, true],
  408: [408, true, false, false],
  409: [409, true, false, true],
  429: [429, true, true, true],
  503: [503, true, false, true],
};

/** Status first where there is one, else the server's code, else a plain 500. */
export function classifyFailure(failure: { statusCode?: number; serverCode?: string }): FailureClass {
  const code = failure.serverCode?.toLowerCase();
  const byCode = code === undefined ? undefined : rowOfCode(code);
  const statusCode = failure.statusCode ?? byCode?.[0] ?? statusFromCode(code);
  const byStatus = rowOfStatus(statusCode);
  const [, retryable, failOver, replaySafe] = byCode ?? byStatus;
  return {
    statusCode,
    // A code can only take away what the status promises: no waiting fills an empty account.
    isRetryable: byStatus[1] && retryable,
    mayFailOver: byStatus[2] || failOver,
    // Nor can it make safe what the status leaves open.
    isReplaySafe: replaySafe && (failure.statusCode === undefined || byStatus[3]),
  };
}

function rowOfCode(code: string): Row | undefined {
  const [status] = Object.entries(CODES).find(([, codes]) => codes.includes(code)) ?? [];
  return status === undefined ? rowOf(APART, code) : rowOfStatus(Number(status));
}

function rowOfStatus(status: number): Row {
  return BY_STATUS[status] ?? [status, status >= 500, false, status < 500];
}

/** Codes of what the request got wrong: its form, its size, its images, its content. */
const CLIENTS_FAULT = /^(?:invalid|unsupported|context|exceed|image|empty|failed_to_download)_|_policy(?:_|$)/;

/** A few servers send a number here (llama.cpp: `error.code: 400`). */
function statusFromCode(code: string | undefined): number {
  if (code === undefined) return 500;
  const numeric = Number(code);
  if (Number.isInteger(numeric) && numeric >= 400 && numeric < 600) return numeric;
  return CLIENTS_FAULT.test(code) ? 400 : 500;
}
