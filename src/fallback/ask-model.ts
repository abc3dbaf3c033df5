import type { Call } from '../core/call.js';
import type { RoundPart } from '../core/part.js';
import type { Round, RoundRequest } from '../core/round.js';
import type { Redactor } from '../observe/redact.js';
import { abortError, followAbort, raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { asRecord } from '../util/guards.js';
import { drainWithin, withTimeout } from '../util/timers.js';
import { wellFormed } from '../util/json.js';
import { lookAhead } from '../rounds/look-ahead.js';
import type { Timeouts } from '../settings/model-limits.js';
import { readResult } from './read-result.js';
import { RoundReader } from './read-round.js';
import { brokenOff, type StockErrorPlace, timedOut, toStockError, truncated } from './errors.js';
import type { StockAnswer, StockModel } from './model.js';

export interface StockQuestion {
  readonly model: StockModel;
  /** But for the signal. */
  readonly options: object;
  readonly call: Call;
  readonly request: RoundRequest;
  /** The primary's: they hold whichever provider answers. */
  readonly timeouts: Timeouts;
  /** Takes out what the request holds that no error may show. */
  readonly redactor: Redactor;
  /** What the provider itself keeps secret. */
  readonly forBodies: Redactor;
}

/** One round of the stock provider; rejects when it fails before anything visible. */
export async function askStock(question: StockQuestion): Promise<Round> {
  const { call, request, redactor } = question;
  const { index, signal } = request;
  const place: StockErrorPlace = { round: index, redactor };
  const toError = (failure: unknown): Error => toStockError(failure, place);
  const reader = new RoundReader({
    ids: request.newIds(),
    includeRaw: call.includeRaw,
    clean: (text) => redactor.text(text),
    toError,
    truncated: () => truncated(index),
  });
  // Our own controller, so that a timer can end the request too.
  const { controller, release } = followAbort(signal);
  try {
    const answer = await answerOf(question, controller);
    const { stream } = answer;
    if (!isStream(stream)) release();
    const { request: sent, response } = answer as StockAnswer;
    const reading = { ...question, place, controller, release };
    const batches: Round['batches'] = isStream(stream)
      ? readStream(stream, reader, reading)
      : async (take) => void (await take(readResult(answer, reader)));
    return {
      batches: await lookAhead(batches, { whole: redactor, withoutBody: question.forBodies }),
      ...defined({ requestBody: sent?.body, responseHeaders: response?.headers }),
    };
  } catch (error) {
    release();
    throw signal.aborted ? abortError(signal) : toError(error);
  }
}

type Answer = Readonly<Record<string, unknown>>;

async function answerOf(
  { model, options, call, request, timeouts }: StockQuestion,
  controller: AbortController,
): Promise<Answer> {
  const { headersMs, idleMs } = timeouts;
  const given = { ...wellFormed(options), abortSignal: controller.signal };
  // Each version's options, which we can only know as far as all versions have them in common. Also a model that throws at once.
  const asked = new Promise<unknown>((resolve) => {
    resolve(call.stream ? model.doStream(given as never) : model.doGenerate(given as never));
  });
  // A whole answer comes with its headers or behind them.
  const [patience, names] = call.stream
    ? [headersMs, 'timeouts.headersMs']
    : [headersMs > 0 && idleMs > 0 ? headersMs + idleMs : 0, 'timeouts.headersMs and idleMs'];
  const onTimeout = (): Error => timedOut(`did not answer within ${patience} ms (${names})`, request.index);
  try {
    return asRecord(await withTimeout(raceAbort(asked, controller.signal), patience, onTimeout)) ?? {};
  } catch (error) {
    controller.abort(error);
    void discard(asked);
    throw error;
  }
}

/** An answer that comes after the call was given up. */
async function discard(asked: Promise<unknown>): Promise<void> {
  try {
    const stream = asRecord(await asked)?.['stream'];
    if (isStream(stream)) await stream.cancel();
  } catch {
    // There is none.
  }
}

/** Some platforms have streams of their own. */
function isStream(value: unknown): value is ReadableStream<unknown> {
  return typeof asRecord(value)?.['getReader'] === 'function';
}

interface Reading extends StockQuestion {
  readonly place: StockErrorPlace;
  readonly controller: AbortController;
  readonly release: () => void;
}

async function* readStream(
  stream: ReadableStream<unknown>,
  reader: RoundReader,
  reading: Reading,
): AsyncGenerator<readonly RoundPart[], void, undefined> {
  const { request, timeouts, place, controller } = reading;
  const { idleMs } = timeouts;
  const onIdle = (): Error => timedOut(`sent nothing for ${idleMs} ms (timeouts.idleMs)`, request.index);
  const parts = stream.getReader();
  let isOver = false;
  try {
    while (!isOver) {
      const next = await withTimeout(raceAbort(parts.read(), controller.signal), idleMs, onIdle);
      const part = asRecord(next.value) ?? {};
      // The socket may close later.
      isOver = next.done || part['type'] === 'finish';
      const batch = next.done ? [] : reader.take(part);
      if (batch.length > 0) yield batch;
    }
    yield reader.end();
  } catch (error) {
    isOver = false;
    if (request.signal.aborted) throw error;
    yield reader.end({ outcome: 'reset', error: brokenOff(error, place) });
  } finally {
    // Not awaited: a stream may take its time to let go.
    void letGo(parts, isOver, reading);
  }
}

/** How long the end of the stream may take once the answer is there, in milliseconds. */
const REST_MS = 250;

/** What wraps the stock provider may wait for the end of the stream. */
async function letGo(
  parts: ReadableStreamDefaultReader<unknown>,
  isOver: boolean,
  { controller, release }: Reading,
): Promise<void> {
  const giveUp = (): void => {
    parts.cancel().catch(() => {});
    controller.abort();
  };
  const hasEnded = isOver && (await drainWithin(REST_MS, () => parts.read(), controller.signal));
  if (!hasEnded) giveUp();
  release();
}
