import type { JsonObject } from '../core/json.js';
import type { Limits } from '../core/limits.js';
import type { OpenRound, Round, RoundRequest } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { redactorsOf } from '../observe/request-redactors.js';
import { redactBody, redactHeaders, type Redactor, redactUrl } from '../observe/redact.js';
import type { PickedKey } from '../request/key-pool.js';
import { retryDelay, type RetrySettings } from '../request/retry-delay.js';
import type { FailureContext } from '../stream/decode-failure.js';
import { readRound } from '../stream/read-round.js';
import type { Transport, TransportResponse } from '../transport/transport.js';
import { delay } from '../util/timers.js';
import { raceAbort } from '../util/abort.js';
import { announceRetry } from './announce-retry.js';
import type { CallKeys } from './call-keys.js';
import { hideSecrets } from './hide-secrets.js';
import type { LearnedRefusals } from './learned-refusals.js';
import { lookAhead } from './look-ahead.js';
import { RefusalHandling } from './open-despite-refusals.js';
import { RequestBudget } from './request-budget.js';
import type { RequestDraft } from '../settings/request-hooks.js';
import type { RoundBodies } from './round-bodies.js';

export interface WireRoundOptions {
  readonly bodies: RoundBodies;
  readonly keys: CallKeys;
  readonly transport: Transport;
  /** Puts URL and headers to a body. */
  readonly draft: (body: JsonObject, round: number) => Promise<RequestDraft>;
  /** Host and model, for what the host is known to refuse. */
  readonly place: string;
  readonly includeRaw: boolean;
  /** The call is not streamed: whoever made it may ask for the response as it came. */
  readonly keepsBody: boolean;
  readonly retry: RetrySettings;
  readonly limits: Limits;
  /** Longest time without an event, in milliseconds; 0 is for ever. */
  readonly commentsMs: number;
  readonly learned: LearnedRefusals;
  /** Takes out what must never appear in an error. */
  readonly redactor: Redactor;
  /** What may help against an error, appended to its message. */
  readonly hint: (error: ApiError) => string | undefined;
  readonly callNumber: number;
  readonly observer?: Observer | undefined;
  readonly now: () => number;
  readonly random: () => number;
}

/** A round is a request to a Responses server: built, sent, read; with another key or once more where that may help. */
export function createWireRounds(options: WireRoundOptions): OpenRound {
  const refusals = new RefusalHandling({
    learned: options.learned,
    place: options.place,
    onRefusal: (message) => notify(options.observer, () => ({ type: 'warning', message })),
  });
  return async (request) => {
    const { bodies, keys } = options;
    keys.startOver();
    const budget = new RequestBudget(options.limits.requestsPerRound);
    let retries = 0;
    for (;;) {
      const body = bodies.build(request, keys.current);
      let sent = body;
      const onDraft = (draft: RequestDraft): void => {
        sent = draft.body;
        bodies.sends(draft.body, request);
        keys.sends(draft, options.now());
      };
      try {
        const open = (wanted: JsonObject): Promise<Round> => {
          budget.spend();
          return openOnce({ body: wanted, request, onDraft }, options);
        };
        const round = await refusals.open(body, open, budget);
        return withWarnings(round, bodies.takeWarnings());
      } catch (error) {
        if (!ApiError.isInstance(error) || request.signal.aborted) throw error;
        const goesOtherwise =
          bodies.losesChain(error, sent, request) || (await raceAbort(failsOver(error, options), request.signal));
        const mayRetry = !goesOtherwise && mayRepeat(error, sent, request);
        const again = mayRetry ? nextAttempt(retries + 1, error, options) : undefined;
        if (!goesOtherwise && again === undefined) throw withHint(error, options);
        budget.allowAnother(error);
        if (again === undefined) continue;
        retries += 1;
        announceRetry(error, { round: request.index, attempt: retries, delayMs: again.pause }, options);
        await delay(again.pause, request.signal);
        keys.startOver();
        keys.take(again.key, error);
      }
    }
  };
}

function withWarnings(round: Round, late: readonly string[]): Round {
  return late.length === 0 ? round : { ...round, warnings: [...late, ...(round.warnings ?? [])] };
}

async function failsOver(error: ApiError, { bodies, keys }: WireRoundOptions): Promise<boolean> {
  return error.mayFailOver && keys.replaceAfter(error, { sameAccount: bodies.isBound });
}

/**
 * The first round is retried by the AI SDK, which only ever retries a whole call; later ones here, without running tools
 * again. Where the server keeps state, a request that it may have acted on is not sent twice.
 */
function mayRepeat(error: ApiError, sent: JsonObject, request: RoundRequest): boolean {
  const isOurs = request.index > 0 || request.isResumed === true;
  return isOurs && (error.isReplaySafe || isStateless(sent));
}

/**
 * Whether sending a body twice leaves nothing behind that a later request could meet. A body without `store` counts as
 * such if it continues nothing: users take the field away for servers that do not know it, and those keep nothing; one
 * that does keep the response keeps one that nobody names. With `store: true` somebody may count on what is kept.
 */
function isStateless(body: JsonObject): boolean {
  const isGiven = (field: string): boolean => body[field] !== undefined && body[field] !== null;
  if (isGiven('conversation')) return false;
  return body['store'] === false || !(isGiven('store') || isGiven('previous_response_id'));
}

interface NextAttempt {
  readonly pause: number;
  readonly key: PickedKey;
}

/** Where every key was refused, the first to be back is waited for; else the pause is for the key in use. */
function nextAttempt(retry: number, error: ApiError, options: WireRoundOptions): NextAttempt | undefined {
  const { keys, bodies, retry: settings, now, random } = options;
  if (retry > settings.maxRetries) return undefined;
  const back = error.mayFailOver && !bodies.isBound ? keys.firstBack() : undefined;
  if (back !== undefined && back.waitMs <= settings.maxDelayMs) return { pause: back.waitMs, key: back.key };
  const pause = error.isRetryable ? retryDelay(retry, error, settings, { now: now(), random }) : undefined;
  return pause === undefined ? undefined : { pause, key: keys.current };
}

function withHint(error: ApiError, { hint }: WireRoundOptions): ApiError {
  const text = hint(error);
  return text === undefined ? error : new ApiError({ ...error.facts, message: `${error.message} ${text}` });
}

interface Attempt {
  readonly body: JsonObject;
  readonly request: RoundRequest;
  /** Told what goes out, before it does. */
  readonly onDraft: (draft: RequestDraft) => void;
}

async function openOnce({ body, request, onDraft }: Attempt, options: WireRoundOptions): Promise<Round> {
  const draft = await raceAbort(options.draft(body, request.index), request.signal);
  onDraft(draft);
  const response = await options.transport.open({
    callNumber: options.callNumber,
    round: request.index,
    signal: request.signal,
    limits: options.limits,
    ...draft,
  });
  const { whole: redactor, withoutBody: forBodies } = redactorsOf(draft, options.redactor);
  const round = readRound({
    chunks: response.chunks,
    ids: request.newIds(),
    context: contextOf(draft, response, { round: request.index, redactor }),
    includeRaw: options.includeRaw,
    keepsBody: options.keepsBody,
    limits: options.limits,
    commentsMs: options.commentsMs,
    signal: request.signal,
  });
  const batches = await lookAhead(hideSecrets(round, redactor, forBodies));
  options.keys.worked();
  return { requestBody: draft.body, responseHeaders: response.headers, batches };
}

function contextOf(
  { url, body }: RequestDraft,
  response: TransportResponse,
  { round, redactor }: { readonly round: number; readonly redactor: Redactor },
): FailureContext {
  // Made only for an error: copying a long conversation for every round would cost more than the round.
  return {
    round,
    clean: (text) => redactor.text(text),
    get url() {
      return redactUrl(url);
    },
    get responseHeaders() {
      return redactHeaders(response.headers);
    },
    get requestBody() {
      return redactBody(body);
    },
  };
}
