import { cleanCause } from '../observe/redact-error.js';
import { clean, quote } from '../core/clean-text.js';
import type { Limits } from '../core/limits.js';
import type { RoundPart } from '../core/part.js';
import type { OnValue, PushStream } from '../core/push-stream.js';
import type { RoundIds } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { exchangeLimitReached, isLimitReached } from '../errors/limit-reached.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { isRecord } from '../util/guards.js';
import { BodyDecoder, MessageTooLong } from './decode-body.js';
import { factsOf, type FailureContext, toApiError } from './decode-failure.js';
import { type BrokenOff, Reducer } from './reduce-events.js';
import type { DecodedEvent } from './decode-event.js';
import type { AbortLike } from '../util/abort.js';

export interface ReadRoundOptions {
  /** The response body, or messages with one event each. */
  readonly chunks: PushStream<Uint8Array | readonly string[]>;
  /** Called with every event before it is handled. */
  readonly onEvent?: (event: DecodedEvent) => void;
  readonly ids: RoundIds;
  readonly context: FailureContext;
  /** Also returns every event unchanged. */
  readonly includeRaw?: boolean;
  /** The end of the round includes the unchanged response. @default `false`: nothing of a stream is kept */
  readonly keepsBody?: boolean;
  /** Limits for the server. @default no limits */
  readonly limits?: Limits;
  /** Longest time without an event, in milliseconds, even if other bytes arrive; 0 is for ever. */
  readonly commentsMs?: number;
  /** The call's own abort: then the stream just ends, with the abort's reason. */
  readonly signal?: AbortLike;
  /** @default a body that breaks off is the end of the round */
  readonly continuation?: Continuation;
}

/** Continues a response that outlives its connection. */
export interface Continuation {
  /**
   * Called for every event, in order. `false`: a repeated event, or one that does not end the response. Throws to give
   * the body up.
   */
  accepts(event: DecodedEvent): boolean;
  /** Returns another body of the same response after a break. Rejects with the error of the round if that fails. */
  next(broken: Error): Promise<Chunks>;
}

/**
 * Reads one response: a batch of parts per chunk, in one synchronous pass. The last part is `round-end`, whatever
 * happens to the stream, except that an abort just ends it. Stops at the terminal event: it does not wait for the connection to close.
 */
export function readRound(options: ReadRoundOptions): PushStream<readonly RoundPart[]> {
  const { continuation, context } = options;
  const reducer = new Reducer(options.ids, context, options.keepsBody);
  return async (take) => {
    const read = (chunks: Chunks) => readBody(chunks, reducer, options, take);
    let broken = await read(options.chunks);
    if (continuation !== undefined) broken = await readOn(broken, continuation, read, options);
    if (broken === undefined) return;
    reducer.endWithError(broken);
    await take(reducer.takeBatch());
  };
}

type Chunks = ReadRoundOptions['chunks'];
type Broken = BrokenOff | undefined;

/** Reads the same response from other bodies, until it ends or no body is left. */
async function readOn(
  first: Broken,
  continuation: Continuation,
  read: (chunks: Chunks) => Promise<Broken>,
  { context, signal }: ReadRoundOptions,
): Promise<Broken> {
  let broken = first;
  while (broken !== undefined && broken.outcome !== 'failed') {
    let chunks: Chunks;
    try {
      chunks = await continuation.next(broken.error);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return { outcome: 'failed', error: asBroken(error, context) };
    }
    broken = await read(chunks);
  }
  return broken;
}

/** Reads one body. `undefined`: the response ended, or no more is wanted. */
async function readBody(
  chunks: Chunks,
  reducer: Reducer,
  options: ReadRoundOptions,
  take: OnValue<readonly RoundPart[]>,
): Promise<Broken> {
  const { context, commentsMs = 0, continuation } = options;
  const decoder = new BodyDecoder(
    (event) => {
      options.onEvent?.(event);
      if (continuation?.accepts(event) === false) return;
      if (options.includeRaw === true) reducer.pass({ type: 'raw', event });
      reducer.reduce(event);
    },
    () => reducer.warn(clean`The stream from ${context.url} contained data that is not JSON; it was skipped.`),
    options.limits,
  );
  const isSilent = createSilence(commentsMs);
  // Widened: it is set where the compiler does not look.
  let wanted = true as ReturnType<typeof take>;
  try {
    await chunks((chunk) => {
      decoder.feed(chunk);
      if (isSilent(decoder.events)) throw onlyComments(commentsMs, context);
      const batch = reducer.takeBatch();
      wanted = batch.length === 0 || take(batch);
      return reducer.ended || decoder.isEnough ? false : wanted;
    });
    await wanted;
    if (reducer.ended || wanted === false) return undefined;
    decoder.end();
    if (!reducer.ended) return { outcome: 'truncated', error: endedEarly(decoder, context) };
  } catch (error) {
    if (reducer.ended || options.signal?.aborted === true) throw error;
    if (error instanceof MessageTooLong) return { outcome: 'failed', error: tooLong(decoder, options) };
    // The server exceeded the limit of depth or length, so nothing of its answer counts.
    if (isLimitReached(error)) return { outcome: 'failed', error: asBroken(error, context) };
    // A line that was complete but for the next character still counts.
    decoder.end();
    if (!reducer.ended) return { outcome: 'reset', error: asBroken(error, context) };
  }
  await take(reducer.takeBatch());
  return undefined;
}

/**
 * Returns a check per chunk: true if only comments, blanks and pieces arrived for too long, which keep a connection
 * open without an event. The transport watches silence between chunks.
 */
function createSilence(longestMs: number): (events: number) => boolean {
  let known = 0;
  /** Counted from the first chunk without an event: before it the reader may have paused. */
  let since: number | undefined;
  return (events) => {
    if (events > known) {
      known = events;
      since = undefined;
      return false;
    }
    const now = performance.now();
    since ??= now;
    return longestMs > 0 && now - since >= longestMs;
  };
}

function onlyComments(commentsMs: number, context: FailureContext): ApiError {
  return new ApiError({
    ...factsOf(context),
    code: 'timeout',
    isRetryable: true,
    message: clean`${context.url} sent no events for ${commentsMs} ms, only comments or similar (timeouts.commentsMs).`,
  });
}

function tooLong({ preview }: BodyDecoder, { context, limits }: ReadRoundOptions): ApiError {
  const facts = { ...factsOf(context), responseBody: context.redactor.text(preview.trim()) };
  const what = clean`${context.url} sent a body or an event of more than ${limits?.messageBytes ?? 0} bytes`;
  return exchangeLimitReached(facts, what, { name: 'limits.messageBytes', value: limits?.messageBytes ?? 0 });
}

/** Returns why a body ended without a response. */
function endedEarly(decoder: BodyDecoder, context: FailureContext): ApiError {
  // The text was cut, perhaps inside a secret.
  const preview = context.redactor.text(decoder.preview.trim());
  if (decoder.sawMessage) {
    return new ApiError({
      ...factsOf(context),
      code: 'stream-truncated',
      isRetryable: true,
      message: clean`The stream from ${context.url} ended before the response was complete.`,
    });
  }
  const what = preview === '' ? 'an empty body' : clean`something other than a response: ${quote(preview)}`;
  return new ApiError({
    ...factsOf(context),
    code: 'not-a-responses-api',
    isRetryable: preview === '',
    ...(preview === '' ? {} : { responseBody: preview }),
    message: clean`${context.url} answered with ${what}. Check the base URL: it must be the root of a Responses API.`,
  });
}

function asBroken(error: unknown, context: FailureContext): ResponsesLoopError {
  const cause = cleanCause(error, context.redactor);
  // A timer of ours, or the provider was closed.
  if (ResponsesLoopError.isInstance(cause)) return cause;
  if (isRecord(error) && error['error'] !== undefined) return toApiError(error, context);
  return new ApiError({
    ...factsOf(context),
    code: 'stream-reset',
    isRetryable: true,
    cause,
    message: clean`The stream from ${context.url} broke off: ${context.redactor.text(error instanceof Error ? error.message : String(error))}`,
  });
}
