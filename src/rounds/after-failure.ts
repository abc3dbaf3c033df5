import type { JsonObject } from '../core/json.js';
import type { RoundRequest } from '../core/round.js';
import type { ApiError } from '../errors/api-error.js';
import { exchangeLimitReached } from '../errors/limit-reached.js';
import { notify } from '../observe/notify.js';
import type { PickedKey } from '../request/key-pool.js';
import type { Refusal } from '../request/refusals.js';
import { retryDelay, type RetrySettings } from '../request/retry-delay.js';
import { defined } from '../util/defined.js';
import { raceAbort } from '../util/abort.js';
import { delay } from '../util/timers.js';
import type { CallKeys } from './call-keys.js';
import type { CallRefusals } from './refusals.js';
import type { RoundBodies } from './round-bodies.js';
import type { RoundContext } from './round-source.js';

/** A request of a round that failed before anything of its answer was visible. */
export interface FailedRequest {
  readonly error: ApiError;
  readonly request: RoundRequest;
  /** As it was built. */
  readonly body: JsonObject;
  /** As it went out. */
  readonly sent: JsonObject;
  /** Retries of the round before this request. */
  readonly retries: number;
}

/** What a call has to go on with. */
interface Resources {
  readonly refusals: CallRefusals;
  readonly retry: RetrySettings;
  /** Default: anything. */
  readonly canLeaveOut?: (refusal: Refusal) => boolean;
  /** Where we ask the server ourselves; so is the next one. */
  readonly bodies?: RoundBodies;
  readonly keys?: CallKeys;
}

/** What follows a failed request. */
export type AfterFailure =
  | { readonly type: 'strip'; readonly names: readonly string[] }
  /** The next request is another one: with another key, or with the whole conversation. */
  | { readonly type: 'resend' }
  | { readonly type: 'retry'; readonly delayMs: number; readonly key: PickedKey | undefined }
  | { readonly type: 'give-up' };

/** The one place that decides what follows a failed request, in this order. */
export async function decideAfter(failed: FailedRequest, resources: Resources): Promise<AfterFailure> {
  const { error, request, body, sent } = failed;
  const { bodies, keys, refusals, canLeaveOut } = resources;
  const names = refusals.leaveOut(error, body, canLeaveOut);
  if (names.length > 0) return { type: 'strip', names };
  if (bodies?.losesChain(error, sent, request) === true) return { type: 'resend' };
  const sameAccount = bodies?.continuesServerState === true;
  const replacing = error.mayFailOver ? keys?.replaceAfter(error, { sameAccount }) : undefined;
  if (replacing !== undefined && (await raceAbort(replacing, request.signal))) return { type: 'resend' };
  return mayRepeat(error, sent, request) ? nextRetry(failed, resources) : { type: 'give-up' };
}

/**
 * The first round is retried by the AI SDK, which only ever retries a whole call, unless a tool has already run
 * for it; later ones here, without running tools again. Where the server keeps state, a request that it may have acted on is not sent twice.
 */
function mayRepeat(error: ApiError, sent: JsonObject, request: RoundRequest): boolean {
  const isOurs = request.index > 0 || request.isResumed === true;
  return isOurs && (error.isReplaySafe || isStateless(sent));
}

/**
 * Whether sending a body twice leaves nothing behind that a later request could meet. A body without `store` counts as
 * such if it continues nothing: users take the field away for servers that do not know it, and those keep nothing; one
 * that does keep the response keeps one that no request names. With `store: true` an app may count on what is kept.
 */
function isStateless(body: JsonObject): boolean {
  const { store, conversation, previous_response_id: continued } = body;
  return conversation == null && (store === false || (store == null && continued == null));
}

/** If every key was refused, the first to be back is waited for; else the pause is for the key in use. */
function nextRetry({ error, retries }: FailedRequest, { bodies, keys, retry: settings }: Resources): AfterFailure {
  if (retries >= settings.maxRetries) return { type: 'give-up' };
  const back = error.mayFailOver && bodies?.continuesServerState !== true ? keys?.nextAvailable() : undefined;
  if (back !== undefined && back.waitMs <= settings.maxDelayMs)
    return { type: 'retry', delayMs: back.waitMs, key: back.key };
  const clock = { now: Date.now(), random: Math.random };
  const delayMs = error.isRetryable ? retryDelay(retries + 1, error, settings, clock) : undefined;
  return delayMs === undefined ? { type: 'give-up' } : { type: 'retry', delayMs, key: keys?.current };
}

/**
 * Throws if no request may follow the `sent` ones of a round, whatever they were for: the first, retries, other keys, without
 * what was refused. The facts of the failure stay visible, since they say why it was repeated.
 */
export function checkBudget(failed: ApiError, sent: number, requestsPerRound: number): void {
  if (sent < requestsPerRound) return;
  const what = `A round may take ${requestsPerRound} requests, and the last one failed too: ${failed.message}`;
  const limit = { name: 'limits.requestsPerRound', value: requestsPerRound };
  throw exchangeLimitReached({ ...failed.facts, cause: failed }, what.replace(/\.$/, ''), limit);
}

/** Says that the next request is about to follow, and waits as long as it has to. */
export async function prepareNext(
  next: Exclude<AfterFailure, { type: 'give-up' }>,
  { error, request, retries }: Pick<FailedRequest, 'error' | 'request' | 'retries'>,
  { observer, callNumber }: RoundContext,
): Promise<void> {
  const names = next.type === 'strip' ? next.names : [];
  for (const name of names) {
    const message = `The server refused ${name}; the round was sent again without it.`;
    notify(observer, () => ({ type: 'warning', message }));
  }
  if (next.type !== 'retry') return;
  const { url, message: reason, statusCode: status } = error;
  const { delayMs } = next;
  const again = { round: request.index, attempt: retries + 1, delayMs, reason, ...defined({ status }) };
  notify(observer, () => ({ type: 'retry', callNumber, url, ...again }));
  await delay(delayMs, request.signal);
}
