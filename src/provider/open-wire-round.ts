import type { JsonObject } from '../core/json.js';
import type { OpenRound, Round, RoundRequest } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { redactBody, redactHeaders, redactUrl, secretsOf } from '../observe/redact.js';
import { retryDelay, type RetrySettings } from '../request/retry-delay.js';
import type { FailureContext } from '../stream/decode-failure.js';
import { readRound } from '../stream/read-round.js';
import type { Transport, TransportResponse } from '../transport/transport.js';
import { delay } from '../util/delay.js';
import { raceAbort } from '../util/abort.js';
import type { CallKeys } from './call-keys.js';
import { hideSecrets } from './hide-secrets.js';
import type { LearnedRefusals } from './learned-refusals.js';
import { lookAhead } from './look-ahead.js';
import { createRefusalHandling } from './open-despite-refusals.js';
import type { RequestDraft } from './request-draft.js';
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
  readonly retry: RetrySettings;
  readonly learned: LearnedRefusals;
  /** What may help against an error, appended to its message. */
  readonly hint: (error: ApiError) => string | undefined;
  readonly callNumber: number;
  readonly observer?: Observer | undefined;
  readonly now: () => number;
  readonly random: () => number;
}

/** A round is a request to a Responses server: built, sent, read; with another key or once more where that may help. */
export function createWireRounds(options: WireRoundOptions): OpenRound {
  const despiteRefusals = createRefusalHandling({
    learned: options.learned,
    place: options.place,
    onRefusal: (message) => notify(options.observer, () => ({ type: 'warning', message })),
  });
  return async (request) => {
    options.keys.announce();
    const tried = new Set<string>();
    let retries = 0;
    for (;;) {
      const body = options.bodies.build(request, options.keys.current);
      try {
        return await despiteRefusals(body, (wanted) => openOnce(wanted, request, options));
      } catch (error) {
        if (!ApiError.isInstance(error) || request.signal.aborted) throw error;
        if (error.mayFailOver && (await raceAbort(options.keys.replaceAfter(error, tried), request.signal))) continue;
        const pause = mayRepeat(error, body, request) ? nextPause(retries + 1, error, options) : undefined;
        if (pause === undefined) throw withHint(error, options);
        retries += 1;
        announceRetry(error, { request, retries, pause }, options);
        await delay(pause, request.signal);
      }
    }
  };
}

/**
 * The first round is retried by the AI SDK, which only ever retries a whole call; later ones here, without running tools
 * again. Where the server keeps state, a request that it may have acted on is not sent twice.
 */
function mayRepeat(error: ApiError, body: JsonObject, request: RoundRequest): boolean {
  if (request.index === 0 || !error.isRetryable) return false;
  return error.isReplaySafe || (body['store'] === false && body['conversation'] === undefined);
}

function nextPause(retry: number, error: ApiError, { retry: settings, now, random }: WireRoundOptions) {
  return retryDelay(retry, error, settings, { now: now(), random });
}

function announceRetry(
  error: ApiError,
  { request, retries, pause }: { readonly request: RoundRequest; readonly retries: number; readonly pause: number },
  { observer, callNumber }: WireRoundOptions,
): void {
  notify(observer, () => ({
    type: 'retry',
    callNumber,
    url: error.url,
    round: request.index,
    attempt: retries,
    delayMs: pause,
    reason: error.message,
    ...(error.statusCode === undefined ? {} : { status: error.statusCode }),
  }));
}

function withHint(error: ApiError, { hint }: WireRoundOptions): ApiError {
  const text = hint(error);
  return text === undefined ? error : new ApiError({ ...error.facts, message: `${error.message} ${text}` });
}

async function openOnce(body: JsonObject, request: RoundRequest, options: WireRoundOptions): Promise<Round> {
  const draft = await raceAbort(options.draft(body, request.index), request.signal);
  const response = await options.transport.open({
    ...draft,
    callNumber: options.callNumber,
    round: request.index,
    signal: request.signal,
  });
  const round = readRound({
    chunks: response.chunks,
    ids: request.newIds(),
    context: contextOf(draft, response, request.index),
    includeRaw: options.includeRaw,
    signal: request.signal,
  });
  const batches = await lookAhead(hideSecrets(round, () => [...(draft.secrets ?? []), ...secretsOf(draft)]));
  return { requestBody: draft.body, responseHeaders: response.headers, batches };
}

function contextOf({ url, body }: RequestDraft, response: TransportResponse, round: number): FailureContext {
  return {
    url: redactUrl(url),
    responseHeaders: redactHeaders(response.headers),
    round,
    /** Made only for an error: copying a long conversation for every round would cost more than the round. */
    get requestBody() {
      return redactBody(body);
    },
  };
}
