import { clean, withoutStop } from '../core/clean-text.js';
// The layers of an exchange. A round loads them with its first failure.
import type { JsonObject } from '../core/json.js';
import { ApiError } from '../errors/api-error.js';
import { exchangeLimitReached } from '../errors/limit-reached.js';
import { notify } from '../observe/notify.js';
import type { PickedKey } from '../request/key-pool.js';
import type { Refusal } from '../request/refusals.js';
import { retryDelay, type RetrySettings } from '../request/retry-delay.js';
import { raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { delay } from '../util/timers.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { CallKeys } from './call-keys.js';
import { type HintFacts, withHints } from './hints.js';
import type { Ask, Layer } from './layers.js';
import type { CallRefusals } from './refusals.js';
import type { RoundBodies } from './round-bodies.js';
import type { RoundContext } from './round-source.js';

export { CallRefusals } from './refusals.js';

/** Returns what to do before the next request; `undefined` if the layer cannot help against this failure. */
type Mend = (error: ApiError, ask: Ask) => Promise<(() => unknown) | undefined> | (() => unknown) | undefined;

const AT_ONCE = (): void => {};

/** Sends again for as long as `mend` helps. */
function after(mend: Mend, { limits: { requestsPerRound } }: RoundContext): Layer {
  return (next) => async (ask) => {
    for (;;) {
      try {
        return await next(ask);
      } catch (error) {
        await mendOrThrow(error, ask, mend, requestsPerRound);
      }
    }
  };
}

/** Prepares the next request after a failure, or throws the failure to the next outer layer. */
async function mendOrThrow(error: unknown, ask: Ask, mend: Mend, requestsPerRound: number): Promise<void> {
  if (!isOpen(error, ask)) throw error;
  // No outer layer mends these failures: the budget, the user's function for keys, the pause.
  ask.isOver = true;
  const prepare = await mend(error, ask);
  if (prepare !== undefined) {
    checkBudget(error, ask.requests, requestsPerRound);
    await prepare();
  }
  ask.isOver = false;
  if (prepare === undefined) throw error;
}

function isOpen(error: unknown, { isOver, request: { signal } }: Ask): error is ApiError {
  return !isOver && ApiError.isInstance(error) && !signal.aborted;
}

/** Appends what to do to the failure that no inner layer could mend. */
export function explaining(facts: HintFacts, model: ModelSettings): Layer {
  return (next) => async (ask) => {
    try {
      return await next(ask);
    } catch (error) {
      throw isOpen(error, ask) ? withHints(error, facts, model) : error;
    }
  };
}

/** Leaves out what the server refuses. */
export function withoutRefused(
  refusals: CallRefusals,
  context: RoundContext,
  canLeaveOut?: (refusal: Refusal) => boolean,
): Layer {
  return after((error, { body }) => {
    const names = refusals.leaveOut(error, body, canLeaveOut);
    if (names.length === 0) return undefined;
    return () => {
      for (const name of names) {
        const message = `The server refused ${name}; the round was sent again without it.`;
        notify(context.observer, () => ({ type: 'warning', message }));
      }
    };
  }, context);
}

/** Sends the whole conversation if the server has lost the response that a request of ours continued. */
export function withWholeConversation(bodies: RoundBodies, context: RoundContext): Layer {
  return after((error, { sent, request }) => (bodies.losesChain(error, sent, request) ? AT_ONCE : undefined), context);
}

/** Puts a refused key to rest and sends with another one. */
export function withOtherKey(keys: CallKeys, bodies: RoundBodies, context: RoundContext): Layer {
  return after(async (error, { request }) => {
    if (!error.mayFailOver) return undefined;
    const replacing = keys.replaceAfter(error, { sameAccount: bodies.continuesServerState });
    return (await raceAbort(replacing, request.signal)) ? AT_ONCE : undefined;
  }, context);
}

/**
 * Repeats later rounds, so that no tool runs again. The AI SDK repeats first rounds, and only whole calls: a first
 * round behind a tool that the user allowed is repeated here. If every key was refused, waits for the first whose rest
 * ends.
 */
export function withRetries(
  context: RoundContext,
  own?: { readonly keys: CallKeys; readonly bodies: RoundBodies },
): Layer {
  const { retry: settings, observer, callNumber } = context;
  let retries = 0;
  return after((error, { request, sent }) => {
    const isOurs = request.index > 0 || request.isResumed === true;
    if (!isOurs || !(error.isReplaySafe || isStateless(sent)) || retries >= settings.maxRetries) return undefined;
    const back = error.mayFailOver && own?.bodies.continuesServerState === false ? own.keys.nextAvailable() : undefined;
    const pause = pauseBefore(retries + 1, error, settings, back);
    if (pause === undefined) return undefined;
    const { delayMs, key } = pause;
    return async () => {
      const { url, message: reason, statusCode: status } = error;
      const again = { round: request.index, attempt: retries + 1, delayMs, reason, ...defined({ status }) };
      notify(observer, () => ({ type: 'retry', callNumber, url, ...again }));
      await delay(delayMs, request.signal);
      retries += 1;
      own?.keys.startOver();
      own?.keys.use(key ?? own.keys.current, error);
    };
  }, context);
}

interface Pause {
  readonly delayMs: number;
  readonly key?: PickedKey;
}

/** `back`: the first of the refused keys that may be used again. */
function pauseBefore(
  attempt: number,
  error: ApiError,
  settings: RetrySettings,
  back: ReturnType<CallKeys['nextAvailable']>,
): Pause | undefined {
  if (back !== undefined && back.waitMs <= settings.maxDelayMs) return { delayMs: back.waitMs, key: back.key };
  const clock = { now: Date.now(), random: Math.random };
  const delayMs = error.isRetryable ? retryDelay(attempt, error, settings, clock) : undefined;
  return delayMs === undefined ? undefined : { delayMs };
}

/**
 * Returns whether a body can be sent twice without a trace for later requests. A body without `store` counts if it
 * continues nothing: users remove the field for servers that do not support it, and those servers store nothing.
 */
function isStateless(body: JsonObject): boolean {
  const { store, conversation, previous_response_id: continued } = body;
  return conversation == null && (store === false || (store == null && continued == null));
}

/**
 * Throws if the round has used up its requests. The failure's facts stay visible, because they explain the repetitions.
 */
function checkBudget(failed: ApiError, sent: number, requestsPerRound: number): void {
  if (sent < requestsPerRound) return;
  const what = clean`A round may take ${requestsPerRound} requests, and the last one failed too: ${withoutStop(failed.facts.message)}`;
  const limit = { name: 'limits.requestsPerRound', value: requestsPerRound };
  throw exchangeLimitReached({ ...failed.facts, cause: failed }, what, limit);
}
