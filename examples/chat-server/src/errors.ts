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

export function errorAnswer(error: unknown): Response {
  const { status, code, message } = toHttpError(error);
  return Response.json({ error: { code, message } }, { status });
}

/** What is no fault of the client says nothing of itself: it may hold paths and keys. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  return new HttpError(500, 'internal_error', 'Something went wrong. The log of the server has the details.');
}
