import { ApiError } from '../../errors/api-error.js';
import type { ErrorCode } from '../../errors/error-code.js';
import { invalidSettings } from '../../errors/invalid-settings.js';
import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import type { AnyCallOptions } from '../from-call-options.js';
import { readProviderOptions } from '../read-provider-options.js';
import { keepsState } from './keeps-state.js';

/** When failures of the primary are answered by the stock provider instead. */
export interface FallOver {
  /** After so many in a row the stock provider is asked at once. Default 3. */
  readonly failures?: number | undefined;
  /** For how long, in milliseconds; then one call tries the primary again. Default 30,000. */
  readonly restMs?: number | undefined;
  /**
   * Which failures. Default: all but those that are the call's own, such as an abort or a prompt that cannot be sent; they
   * are never asked about.
   */
  readonly when?: ((error: Error) => boolean) | undefined;
}

export interface FallOverRules {
  readonly failures: number;
  readonly restMs: number;
  readonly when: (error: Error) => boolean;
}

const DEFAULTS: FallOverRules = { failures: 3, restMs: 30_000, when: () => true };

/** `undefined`: no falling over. */
export function readFallOver(setting: boolean | FallOver | undefined): FallOverRules | undefined {
  if (setting === undefined || setting === false) return undefined;
  if (setting === true) return DEFAULTS;
  const given: unknown = setting;
  if (!isRecord(given)) throw invalidSettings('fallOver has to be true, false or { failures, restMs, when }.');
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof FallOverRules] : undefined;
    if (check === undefined)
      throw invalidSettings(`fallOver has no member "${name}"; known are ${Object.keys(CHECKS).join(', ')}.`);
    if (value !== undefined && !check.isRight(value))
      throw invalidSettings(`fallOver.${name} has to be ${check.what}, not ${JSON.stringify(value) ?? typeof value}.`);
  }
  return { ...DEFAULTS, ...defined(setting) };
}

interface Check {
  readonly what: string;
  readonly isRight: (value: unknown) => boolean;
}

const CHECKS: { readonly [K in keyof FallOverRules]: Check } = {
  failures: { what: 'a whole number from 1 on', isRight: (value) => Number.isInteger(value) && Number(value) >= 1 },
  restMs: { what: 'a number of milliseconds', isRight: (value) => typeof value === 'number' && value >= 0 },
  when: { what: 'a function of the error', isRight: (value) => typeof value === 'function' },
};

/** Nobody else could do better. */
const CALLS_OWN: ReadonlySet<ErrorCode> = new Set(['closed', 'invalid-prompt', 'invalid-settings']);

export function isCallsOwn(error: Error): boolean {
  return ResponsesLoopError.isInstance(error) && CALLS_OWN.has(error.code);
}

/** Where a server keeps state, a request it may have acted on is not made a second time by somebody else. */
export function mayAskAgain(error: Error, { providerOptions }: AnyCallOptions, name: string): boolean {
  return !keepsState(readProviderOptions(providerOptions, name)) || (ApiError.isInstance(error) && error.isReplaySafe);
}

/** Whether the rule of the settings has it fall over; what goes wrong with the rule is told with the error it was about. */
export function asksInstead(error: Error, { when }: Pick<FallOverRules, 'when'>): boolean {
  let says: unknown;
  try {
    says = when(error);
  } catch (thrown) {
    throw saying(error, `The rule fallOver.when failed: ${errorText(thrown)}`);
  }
  if (typeof says === 'boolean') return says;
  throw saying(error, `The rule fallOver.when gave ${String(says)} instead of true or false.`);
}

/** The primary's failure comes first: it is the one that somebody has to look into. */
export function bothFailed(first: Error, second: unknown): Error {
  return saying(first, `The stock provider was asked instead and failed too: ${errorText(second)}`);
}

function saying(error: Error, more: string): Error {
  const message = `${error.message} ${more}`;
  if (ApiError.isInstance(error)) return new ApiError({ ...error.facts, message });
  const code = ResponsesLoopError.isInstance(error) ? error.code : 'api-error';
  return new ResponsesLoopError({ code, message, cause: error });
}
