import type { CarriedCall } from '../core/carrier.js';
import type { JsonObject } from '../core/json.js';
import type { ErrorCode } from './error-code.js';
import { type CleanFacts, type ErrorOptions, hideEmpty, ResponsesLoopError } from './responses-loop-error.js';

const AI_SDK_API_CALL_ERROR = Symbol.for('vercel.ai.error.AI_APICallError');
const BRAND = Symbol.for('responses-loop.api-error');

/** A field of the request that an error names in a member made for it, such as `error.param`. */
export interface NamedField {
  /** As the server writes it; `tools[3].name` for a list of names. */
  readonly path: string;
  /** The server's reason, in the same place: `unknown_parameter`, `extra_forbidden`, at least its `type`. */
  readonly code?: string;
}

export interface ApiErrorOptions extends Omit<ErrorOptions, 'code'> {
  readonly code?: ErrorCode;
  /** The final URL, without secrets. */
  readonly url: string;
  readonly isRetryable: boolean;
  /** Another key may help; see `classifyFailure`. */
  readonly mayFailOver?: boolean;
  /** The server has not acted on the request. @default `false`: it cannot be known */
  readonly isReplaySafe?: boolean;
  /** HTTP status; for an error inside a 200, the status of its code. */
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  /** The server's account of the failure, without secrets; see `failureData`. */
  readonly data?: JsonObject;
  /** The server's own error code, such as `rate_limit_exceeded`. */
  readonly serverCode?: string;
  /** Fields of the request that the server names; only they may change what later calls send. */
  readonly named?: readonly NamedField[];
  readonly requestBody?: unknown;
  readonly completedCalls?: readonly CarriedCall[];
}

/**
 * A request that failed at the server or on the way there. Every AI SDK version takes it for its own `APICallError`
 * (by marker and fields), so `maxRetries` and error handling of the SDK work.
 */
export class ApiError extends ResponsesLoopError {
  readonly url: string;
  readonly isRetryable: boolean;
  readonly statusCode: number | undefined;
  readonly responseHeaders: Record<string, string> | undefined;
  readonly responseBody: string | undefined;
  readonly requestBodyValues: unknown;
  readonly serverCode: string | undefined;
  /**
   * The server's account of the failure in the form of `@ai-sdk/openai`: `error.data.error.code` for an error body; for
   * an `error` or `response.failed` event, the event. `undefined` if the server sent no such JSON, or more than 16,000
   * characters.
   */
  readonly data: JsonObject | undefined;
  /** The same request may succeed with another key. */
  readonly mayFailOver: boolean;
  /** The server has not acted on the request, so repeating it cannot do anything twice. */
  readonly isReplaySafe: boolean;
  /** Tool calls that had run when the call failed, with what they returned. */
  readonly completedCalls: readonly CarriedCall[];

  readonly #options: CleanFacts<ApiErrorOptions>;

  constructor(options: CleanFacts<ApiErrorOptions>) {
    super({ code: 'api-error', ...options });
    this.#options = options;
    this.name = 'AI_APICallError';
    this.url = options.url;
    this.isRetryable = options.isRetryable;
    this.statusCode = options.statusCode;
    this.responseHeaders = options.responseHeaders && { ...options.responseHeaders };
    this.responseBody = options.responseBody;
    this.requestBodyValues = options.requestBody;
    this.serverCode = options.serverCode;
    this.data = options.data;
    this.mayFailOver = options.mayFailOver ?? false;
    this.isReplaySafe = options.isReplaySafe ?? false;
    this.completedCalls = options.completedCalls ?? [];
    hideEmpty(this, ['mayFailOver', 'isReplaySafe']);
  }

  /** The facts of this error, for an error with more of them. */
  get facts(): CleanFacts<ApiErrorOptions> {
    return this.#options;
  }

  get [BRAND](): true {
    return true;
  }

  get [AI_SDK_API_CALL_ERROR](): true {
    return true;
  }

  static override isInstance(error: unknown): error is ApiError {
    return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true;
  }
}
