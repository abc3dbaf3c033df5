import type { ErrorCode } from './error-code.js';

/**
 * A function of the app failed. The message quotes its unchanged error; `redactThrown` makes a `ResponsesLoopError` of
 * it, at the next place that knows the secrets.
 */
export class FailedFunction extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
