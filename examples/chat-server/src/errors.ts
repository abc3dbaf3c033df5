import { EngineUnavailable } from 'responses-loop-example-shared/engine/types.js';

/** An answer that is an error: `{"error":{"code","message"}}`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** What hinders it lasts some seconds at most, as long as the servers and their database run. */
export const RETRY_S = 1;

export function errorAnswer(error: unknown): Response {
  const { status, code, message, retryAfter } = toHttpError(error);
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return Response.json({ error: { code, message } }, { status, headers });
}

/** What is no fault of the client says nothing of itself: it may hold paths and keys. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof EngineUnavailable) {
    const message = 'This server cannot take the chat now. Nothing was done: try again, or ask another server.';
    return new HttpError(503, 'unavailable', message, RETRY_S);
  }
  return new HttpError(500, 'internal_error', 'Something went wrong. The log of the server has the details.');
}
