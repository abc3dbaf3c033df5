import { ownFetch } from './token.js';

/** What the API refused, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  /** What is wrong with single fields, if the server names them. */
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(status: number, code: string, message: string, fields?: Readonly<Record<string, string>>) {
    super(message);
    this.fields = fields;
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

/** Of an answer that is not ok. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string; fields?: Record<string, string> } };
  const message = error?.message ?? `The server answered ${response.status}.`;
  return new ApiError(response.status, error?.code ?? 'unknown', message, error?.fields);
}

/** JSON in and out. */
export async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await ownFetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await apiErrorOf(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** A sentence for a person, whatever was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof TypeError) return 'Cannot reach the server. Check that chat-server is running.';
  return error instanceof Error ? error.message : String(error);
}
