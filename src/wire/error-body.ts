/**
 * What an error says of itself, wherever it stands: under `error` in the body of a failed request, in an `error` event,
 * in a failed response, or as the body itself. What servers make of it is read in `stream/decode-failure.ts`.
 */
export interface ErrorDetail {
  readonly message?: string | null;
  /** The HTTP status again in llama.cpp. */
  readonly code?: string | number | null;
  readonly type?: string | null;
  /** The field of the request that was refused. */
  readonly param?: string | null;
  readonly status?: string | number | null;
}
