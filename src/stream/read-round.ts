import type { RoundPart } from '../core/part.js';
import type { Pour } from '../core/pour.js';
import type { RoundIds } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { isRecord } from '../util/guards.js';
import { type BodyDecoder, createBodyDecoder } from './decode-body.js';
import { type FailureContext, toApiError } from './decode-failure.js';
import { Reducer } from './reduce-events.js';
import type { AbortLike } from '../util/cancellation.js';

export interface ReadRoundOptions {
  /** The response body. */
  readonly chunks: Pour<Uint8Array>;
  readonly ids: RoundIds;
  readonly context: FailureContext;
  /** Also hand out every event as it came. */
  readonly includeRaw?: boolean;
  /** The call's own abort: then the stream just ends, with the abort's reason. */
  readonly signal?: AbortLike;
}

/**
 * Reads one response: a batch of parts per chunk, in one synchronous pass. The last part is `round-end`, whatever
 * happens to the stream, except that an abort just ends it. Stops at the terminal event: nobody waits for the socket.
 */
export function readRound(options: ReadRoundOptions): Pour<readonly RoundPart[]> {
  const { context } = options;
  const reducer = new Reducer(options.ids, context);
  const decoder = createBodyDecoder(
    (event) => {
      if (options.includeRaw === true) reducer.passRaw(event);
      reducer.reduce(event);
    },
    () => reducer.warn(`The stream from ${context.url} held data that is not JSON; it was skipped.`),
  );
  return async (take) => {
    // Widened: it is set where the compiler does not look.
    let wanted = true as ReturnType<typeof take>;
    try {
      await options.chunks((chunk) => {
        decoder.feed(chunk);
        const batch = reducer.takeBatch();
        wanted = batch.length === 0 || take(batch);
        return reducer.ended ? false : wanted;
      });
      await wanted;
      if (reducer.ended || wanted === false) return;
      decoder.end();
      reducer.breakOff({ outcome: 'truncated', error: endedEarly(decoder, context) });
    } catch (error) {
      if (reducer.ended || options.signal?.aborted === true) throw error;
      // A line that was complete but for the next character still counts.
      decoder.end();
      reducer.breakOff({ outcome: 'reset', error: broken(error, context) });
    }
    await take(reducer.takeBatch());
  };
}

/** Why a body ended without a response in it. */
function endedEarly(decoder: BodyDecoder, context: FailureContext): ApiError {
  const preview = decoder.preview.trim();
  if (decoder.sawMessage) {
    return new ApiError({
      ...context,
      code: 'stream-truncated',
      isRetryable: true,
      message: `The stream from ${context.url} ended before the response did.`,
    });
  }
  const what = preview === '' ? 'an empty body' : `something that is no response: ${JSON.stringify(preview)}`;
  return new ApiError({
    ...context,
    code: 'not-a-responses-api',
    isRetryable: preview === '',
    ...(preview === '' ? {} : { responseBody: preview }),
    message: `${context.url} answered with ${what}. Check the base URL: it has to be the root of a Responses API.`,
  });
}

function broken(error: unknown, context: FailureContext): Error {
  // A timer of ours, or the provider was closed.
  if (ResponsesLoopError.isInstance(error)) return error;
  if (isRecord(error) && error['error'] !== undefined) return toApiError(error, context);
  return new ApiError({
    ...context,
    code: 'stream-reset',
    isRetryable: true,
    cause: error,
    message: `The stream from ${context.url} broke off: ${error instanceof Error ? error.message : String(error)}`,
  });
}
