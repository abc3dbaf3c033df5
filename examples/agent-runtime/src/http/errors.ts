import type { AgentErrorCode } from '../types/index.js';

/** An answer that is an error: `{"error":{"code","message"}}`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What the errors of the core are over HTTP. Those that are not here are faults of this program. */
const ANSWERS: Partial<Record<AgentErrorCode, { readonly status: number; readonly code: string }>> = {
  no_such_session: { status: 404, code: 'no_such_session' },
  session_deleted: { status: 404, code: 'no_such_session' },
  no_such_approval: { status: 404, code: 'no_such_approval' },
  no_such_turn: { status: 404, code: 'no_such_turn' },
  not_supported: { status: 409, code: 'not_supported' },
  summary_failed: { status: 502, code: 'model_error' },
  session_busy: { status: 409, code: 'session_busy' },
  session_closed: { status: 409, code: 'session_closed' },
  unavailable: { status: 503, code: 'unavailable' },
  message_exists: { status: 409, code: 'message_exists' },
  bad_message: { status: 400, code: 'bad_request' },
};

export function errorAnswer(error: unknown): Response {
  const { status, code, message } = toHttpError(error);
  // The rest of a body that is too large is not read: the connection cannot be used again.
  const headers = status === 413 ? { connection: 'close' } : undefined;
  return Response.json({ error: { code, message } }, { status, ...(headers && { headers }) });
}

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const known = ANSWERS[code as AgentErrorCode];
  if (known !== undefined) return new HttpError(known.status, known.code, (error as Error).message);
  return new HttpError(500, 'internal_error', "Internal error. The server's log has the details.");
}
