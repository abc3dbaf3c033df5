import type { JsonObject } from '../core/json.js';
import type { OpenRound, Round, RoundRequest } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { redactBody, redactHeaders, redactUrl, secretsOf } from '../observe/redact.js';
import type { RequestBuilder } from '../request/build-request.js';
import type { FailureContext } from '../stream/decode-failure.js';
import { readRound } from '../stream/read-round.js';
import type { Transport, TransportResponse } from '../transport/transport.js';
import { delay } from '../util/delay.js';
import { hideSecrets } from './hide-secrets.js';
import type { LearnedRefusals } from './learned-refusals.js';
import { createRefusalHandling } from './open-despite-refusals.js';
import { lookAhead } from './look-ahead.js';

export interface WireRoundOptions {
  readonly builder: RequestBuilder;
  readonly transport: Transport;
  readonly url: string;
  readonly modelId: string;
  /** The same for every round of a call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly includeRaw: boolean;
  readonly maxRetries: number;
  readonly learned: LearnedRefusals;
  readonly observer?: Observer;
}

const FIRST_DELAY_MS = 500;

/** A round is a request to a Responses server: built, sent, read. */
export function createWireRounds(options: WireRoundOptions): OpenRound {
  const despiteRefusals = createRefusalHandling({
    learned: options.learned,
    place: `${options.url} ${options.modelId}`,
    onRefusal: (message) => notify(options.observer, () => ({ type: 'warning', message })),
  });
  return (request) => despiteRefusals(options.builder.build(request), (body) => openWithRetry(body, request, options));
}

/** Follow-up rounds retry on their own, since the AI SDK only ever retries a whole call; tools do not run again. */
async function openWithRetry(body: JsonObject, request: RoundRequest, options: WireRoundOptions): Promise<Round> {
  const retries = request.index === 0 ? 0 : options.maxRetries;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openOnce(body, request, options);
    } catch (error) {
      if (attempt > retries || request.signal.aborted || !mayRepeat(error, body)) throw error;
      const delayMs = FIRST_DELAY_MS * 2 ** (attempt - 1);
      notify(options.observer, () => ({
        type: 'retry',
        url: redactUrl(options.url),
        round: request.index,
        attempt,
        delayMs,
        reason: error.message,
      }));
      await delay(delayMs, request.signal);
    }
  }
}

/** Where the server keeps state, a request that it may have acted on is not sent twice. */
function mayRepeat(error: unknown, body: JsonObject): error is ApiError {
  if (!ApiError.isInstance(error) || !error.isRetryable) return false;
  return error.isReplaySafe || (body['store'] === false && body['conversation'] === undefined);
}

async function openOnce(body: JsonObject, request: RoundRequest, options: WireRoundOptions): Promise<Round> {
  const { url, headers } = options;
  const response = await options.transport.open({ url, headers, body, round: request.index, signal: request.signal });
  const round = readRound({
    chunks: response.chunks,
    ids: request.newIds(),
    context: contextOf(url, body, response, request.index),
    includeRaw: options.includeRaw,
    signal: request.signal,
  });
  const batches = await lookAhead(hideSecrets(round, () => secretsOf({ url, headers, body })));
  return { requestBody: body, responseHeaders: response.headers, batches };
}

function contextOf(url: string, body: JsonObject, response: TransportResponse, round: number): FailureContext {
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
