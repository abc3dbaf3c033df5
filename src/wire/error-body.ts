/**
 * Every shape an error was seen in: as the body of a failed request, as the data of an `error` event, or in the place
 * of a response inside a 200. A body may also be HTML or plain text (responses.js, gateways), which is none of these.
 */
export type ErrorBody = NestedError | FlatError | TextError | ListedErrors | DetailError;

/** OpenAI and most others. */
export interface NestedError {
  readonly error: ErrorDetail;
}

/** OpenAI's `error` event by its specification; what it sends is nested. */
export type FlatError = ErrorDetail;

export interface TextError {
  readonly error: string;
}

/** responses.js: what its validation found, one entry each. */
export interface ListedErrors {
  readonly success?: boolean | null;
  readonly error: readonly ErrorDetail[];
}

/** FastAPI servers: a text, or a list of what was wrong where. */
export interface DetailError {
  readonly detail: string | ErrorDetail | readonly ValidationDetail[];
}

export interface ValidationDetail {
  readonly type?: string | null;
  readonly msg?: string | null;
  /** The way to the field: names and indexes. */
  readonly loc?: readonly (string | number)[] | null;
}

export interface ErrorDetail {
  readonly message?: string | null;
  /** The HTTP status again in llama.cpp. */
  readonly code?: string | number | null;
  readonly type?: string | null;
  /** The field of the request that was refused. */
  readonly param?: string | null;
  readonly status?: string | number | null;
}
