import { showControls } from '../util/control-characters.js';
import type { ReachedLimit } from '../core/limits.js';
import type { CLEAN, Clean, CleanError, CleanValue } from '../core/clean-text.js';
import type { ErrorCode } from './error-code.js';

const BRAND = Symbol.for('responses-loop.error');
const AI_SDK_ERROR = Symbol.for('vercel.ai.error');

/** As users write them. */
export interface ErrorOptions {
  readonly code: ErrorCode;
  readonly message: string;
  readonly cause?: unknown;
  /** Round of the call, counted from 0. */
  readonly round?: number;
  /** Of code `limit`. */
  readonly limit?: ReachedLimit;
}

/** Options of an error inside the package. Texts of others in them are clean; the cause is one of our errors, or clean. */
export type CleanFacts<T> = Clean<Omit<T, 'cause' | 'limit'>> & {
  readonly cause?: CleanCause;
  readonly limit?: ReachedLimit;
};

/** A cause that may be shown. */
export type CleanCause = CleanError | CleanValue;

/**
 * The base of every error this package throws. Recognized by a brand, so that two copies of the package (ESM and CJS,
 * two versions) still understand each other; it also carries the AI SDK's marker.
 *
 * @example
 * catch (error) { if (ResponsesLoopError.isInstance(error) && error.code === 'missing-api-key') askForKey(); }
 */
export class ResponsesLoopError extends Error {
  declare readonly [CLEAN]: true;
  readonly code: ErrorCode;
  readonly round: number | undefined;
  /** The limit, if the code is `limit`; absent if no setting raises it. */
  readonly limit: ReachedLimit | undefined;

  constructor(options: CleanFacts<ErrorOptions>) {
    // The message may quote a server, and terminals will show it.
    super(showControls(options.message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ResponsesLoopError';
    this.code = options.code;
    this.round = options.round;
    this.limit = options.limit;
    hideEmpty(this);
  }

  // Marks are no members, so that a printed error does not show them.
  get [BRAND](): true {
    return true;
  }

  get [AI_SDK_ERROR](): true {
    return true;
  }

  static isInstance(error: unknown): error is ResponsesLoopError {
    return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true;
  }

  /** `instanceof` goes by the brand too: an entry and the files it loads later each have a copy of the class. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    // A class that an app derives from this one has its own instances.
    if (!Object.hasOwn(this, 'isInstance')) return Function.prototype[Symbol.hasInstance].call(this, error);
    return this.isInstance(error);
  }
}

/** Omits members without a value, and `named` ones, from a printed error. Both stay readable. */
export function hideEmpty(error: ResponsesLoopError, named: readonly string[] = []): void {
  for (const [name, value] of Object.entries(error)) {
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
    if (isEmpty || named.includes(name)) Object.defineProperty(error, name, { enumerable: false });
  }
}
