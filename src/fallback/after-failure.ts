import type { JsonObject } from '../core/json.js';
import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-code.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { errorText } from '../util/error-text.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { type OptionKeys, readProviderOptions } from '../sdk/prompt/read-provider-options.js';
import type { FallOverRules } from './fall-over.js';

/** Failures that the stock provider could not avoid either. */
const CALLS_OWN: ReadonlySet<ErrorCode> = new Set(['closed', 'invalid-options', 'invalid-prompt', 'invalid-settings']);

export function isCallsOwn(error: Error): boolean {
  return ResponsesLoopError.isInstance(error) && CALLS_OWN.has(error.code);
}

/** Where a server keeps state, a request it may have acted on is not made a second time by the other provider. */
export function mayAskAgain(error: Error, { providerOptions }: AnyCallOptions, keys: OptionKeys): boolean {
  return !keepsState(readProviderOptions(providerOptions, keys)) || (ApiError.isInstance(error) && error.isReplaySafe);
}

/** Whether a call with these options leaves something behind that a later request could meet. */
function keepsState(options: JsonObject): boolean {
  const isGiven = (name: string): boolean => options[name] !== undefined && options[name] !== null;
  return (
    options['store'] === true ||
    options['background'] === true ||
    isGiven('conversation') ||
    isGiven('previousResponseId')
  );
}

/** Whether the rule of the settings says to fall over; a failure of the rule itself is added to the error it was about. */
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

/** The primary's failure comes first: it is the one to look into. */
export function bothFailed(first: Error, second: unknown): Error {
  return saying(first, `The stock provider was asked instead and failed too: ${errorText(second)}`);
}

function saying(error: Error, more: string): Error {
  const message = `${error.message} ${more}`;
  if (ApiError.isInstance(error)) return new ApiError({ ...error.facts, message });
  const code = ResponsesLoopError.isInstance(error) ? error.code : 'api-error';
  return new ResponsesLoopError({ code, message, cause: error });
}
