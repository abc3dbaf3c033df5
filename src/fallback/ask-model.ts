import { clean } from '../core/clean-text.js';
import type { Call } from '../core/call.js';
import type { RoundPart } from '../core/part.js';
import type { PushStream } from '../core/push-stream.js';
import type { Round, RoundRequest } from '../core/round.js';
import { type Redactor, redactUrl } from '../observe/redact.js';
import { abortError, followAbort, raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { asRecord } from '../util/guards.js';
import { withTimeout } from '../util/timers.js';
import { wellFormed } from '../util/json.js';
import { readChunks } from '../transport/body-chunks.js';
import type { BrokenOff } from '../stream/reduce-events.js';
import { lookAhead } from '../rounds/look-ahead.js';
import type { Timeouts } from '../settings/model-limits.js';
import { RoundReader } from './read-round.js';
import { brokenOff, type StockErrorPlace, timedOut, toStockError } from './errors.js';
import type { StockAnswer, StockModel } from './model.js';

export interface StockQuestion {
  readonly model: StockModel;
  /** Without the signal. */
  readonly options: object;
  readonly call: Call;
  readonly request: RoundRequest;
  /** The primary's; they count for both providers. */
  readonly timeouts: Timeouts;
  /** Removes secrets of the request from errors. */
  readonly redactor: Redactor;
  /** Removes the provider's own secrets. */
  readonly forBodies: Redactor;
}

/** Asks the stock model for one round. Rejects if it fails before anything visible. */
export async function askStock(question: StockQuestion): Promise<Round> {
  const { call, request, redactor } = question;
  const { index, signal } = request;
  const place: StockErrorPlace = { round: index, redactor };
  const reader = new RoundReader({ ids: request.newIds(), includeRaw: call.includeRaw, place });
  // An own controller, so that a timer can end the request too.
  const { controller, release } = followAbort(signal);
  try {
    const answer = await answerOf(question, controller);
    const { stream } = answer;
    const { request: sent, response } = answer as StockAnswer;
    const url = sent?.url;
    if (!isStream(stream)) release();
    const batches: Round['batches'] = isStream(stream)
      ? readStream(stream, reader, { ...question, place, controller, release })
      : async (take) => void (await take(reader.readWhole(answer)));
    return {
      batches: await lookAhead(batches, { whole: redactor, withoutBody: question.forBodies }),
      ...defined({ requestBody: sent?.body, responseHeaders: response?.headers }),
      ...(url !== undefined && { requestUrl: () => redactor.long.text(redactUrl(url)) }),
    };
  } catch (error) {
    release();
    throw signal.aborted ? abortError(signal) : toStockError(error, place);
  }
}

type Answer = Readonly<Record<string, unknown>>;

async function answerOf(
  { model, options, call, request, timeouts }: StockQuestion,
  controller: AbortController,
): Promise<Answer> {
  const { headersMs, idleMs } = timeouts;
  const given = { ...wellFormed(options), abortSignal: controller.signal };
  // The versions share no type for the options. A promise also catches a model that throws at once.
  const asked = new Promise<unknown>((resolve) => {
    resolve(call.stream ? model.doStream(given as never) : model.doGenerate(given as never));
  });
  // A generated answer may arrive with its headers or later.
  const [patience, names] = call.stream
    ? ([headersMs, 'timeouts.headersMs'] as const)
    : ([headersMs > 0 && idleMs > 0 ? headersMs + idleMs : 0, 'timeouts.headersMs and idleMs'] as const);
  const onTimeout = (): Error => timedOut(clean`did not answer within ${patience} ms (${names})`, request.index);
  try {
    return asRecord(await withTimeout(raceAbort(asked, controller.signal), patience, onTimeout)) ?? {};
  } catch (error) {
    controller.abort(error);
    void discard(asked);
    throw error;
  }
}

/** Cancels a late answer to an aborted call. */
async function discard(asked: Promise<unknown>): Promise<void> {
  try {
    const stream = asRecord(await asked)?.['stream'];
    if (isStream(stream)) await stream.cancel();
  } catch {
    // No answer arrived.
  }
}

/** Not `instanceof`, because some platforms have their own streams. */
function isStream(value: unknown): value is ReadableStream<unknown> {
  return typeof asRecord(value)?.['getReader'] === 'function';
}

interface Reading extends StockQuestion {
  readonly place: StockErrorPlace;
  readonly controller: AbortController;
  readonly release: () => void;
}

function readStream(
  stream: ReadableStream<unknown>,
  reader: RoundReader,
  { request, timeouts, place, controller, release }: Reading,
): PushStream<readonly RoundPart[]> {
  const { idleMs } = timeouts;
  const parts = readChunks(stream.getReader(), (part) => asRecord(part) ?? {}, {
    signal: controller.signal,
    idleMs,
    onIdle: () => timedOut(clean`sent nothing for ${idleMs} ms (timeouts.idleMs)`, request.index),
    giveUp: () => controller.abort(),
    onEnd: release,
  });
  return async (take) => {
    // Widened, because callbacks set them.
    let wanted = true as ReturnType<typeof take>;
    let isTaking = false as boolean;
    let broken: BrokenOff | undefined;
    try {
      await parts((part) => {
        reader.take(part);
        const batch = reader.takeBatch();
        isTaking = true;
        wanted = batch.length === 0 || take(batch);
        isTaking = typeof wanted === 'object';
        if (typeof wanted === 'object') wanted = wanted.then(() => void (isTaking = false));
        // The stream need not close after its finish.
        return part['type'] !== 'finish' && wanted;
      });
      await wanted;
    } catch (error) {
      // The consumer of the parts failed, not the stream.
      if (isTaking || request.signal.aborted) throw error;
      broken = { outcome: 'reset', error: brokenOff(error, place) };
    }
    if (wanted !== false) await take(reader.end(broken));
  };
}
