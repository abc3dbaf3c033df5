import type { Call } from '../../core/call.js';
import type { JsonObject } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { RoundPart } from '../../core/part.js';
import type { Round, RoundRequest } from '../../core/round.js';
import { ApiError } from '../../errors/api-error.js';
import { createRequestBuilder } from '../../request/build-request.js';
import { retryDelay } from '../../request/retry-delay.js';
import type { Refusal } from '../../request/refusals.js';
import { notify } from '../../observe/notify.js';
import { defined } from '../../util/defined.js';
import { delay } from '../../util/delay.js';
import { asArray, asRecord } from '../../util/guards.js';
import { shortHash } from '../../util/hash.js';
import type { Answering, AnsweringPlace } from '../engine.js';
import type { AnyCallOptions } from '../from-call-options.js';
import { createLearnedRefusals } from '../learned-refusals.js';
import { lookAhead } from '../look-ahead.js';
import { createRefusalHandling } from '../open-despite-refusals.js';
import { keepsState } from './keeps-state.js';
import { itemsOfResult, partsOfResult } from './parts-of-result.js';
import type { StockDialect } from './stock-dialect.js';
import { brokenOff, toStockError, truncated } from './stock-errors.js';
import type { StockModel } from './stock-model.js';
import { toStockOptions } from './stock-options.js';
import { StockRound } from './stock-round.js';
import { toStockPrompt } from './to-stock-prompt.js';

export interface StockAnsweringOptions {
  readonly model: StockModel;
  readonly dialect: StockDialect;
  /** As the AI SDK gave them. */
  readonly given: AnyCallOptions;
}

/**
 * The stock provider as the one who answers the rounds of a call. It is asked for what we would have asked the server:
 * our request is built, and given to it in the words of the AI SDK.
 */
export function answerByStock(call: Call, place: AnsweringPlace, options: StockAnsweringOptions): Answering {
  const { endpoint } = place.model;
  const { given, dialect } = options;
  const names = [...new Set(['openai', options.model.provider.split('.')[0] ?? ''])];
  const builder = createRequestBuilder({
    call,
    profile: endpoint.profile,
    overrides: [],
    defaults: place.defaults,
  });
  const whose = `${shortHash(endpoint.url)}.${shortHash(call.modelId)}.`;
  const told = new Set<string>();
  const despiteRefusals = createRefusalHandling({
    learned: createLearnedRefusals(),
    place: '',
    onRefusal: (message) => notify(place.observer, () => ({ type: 'warning', message })),
    canLeaveOut: isOurs,
  });

  const openOnce = async (body: JsonObject, request: RoundRequest): Promise<Round> => {
    const ids = reasoningIds([...request.prompt, ...request.added]);
    const { prompt, warnings } = toStockPrompt(asArray(body['input']), {
      dialect,
      call,
      names,
      reasoningId: (sealed) => ids.get(sealed),
    });
    const fresh = warnings.filter((warning) => !told.has(warning));
    for (const warning of fresh) told.add(warning);
    const stockOptions = toStockOptions({ body, request, call, given, prompt, names });
    const round = await ask(options.model, stockOptions, { call, request });
    return { ...round, warnings: fresh };
  };

  return {
    warnings: builder.warnings,
    // Nobody knows with which key the stock provider asks.
    metadata: { origin: undefined, stored: call.options['store'] === true },
    openRound: (request) => {
      const replayable = { ...request, prompt: madeHere(request.prompt, whose) };
      const body = builder.build(replayable);
      const open = (): Promise<Round> => despiteRefusals(body, (wanted) => openOnce(wanted, replayable));
      return withRetries(open, { request, call, place });
    },
  };
}

/** What the stock provider can be told to leave out. */
function isOurs(refusal: Refusal): boolean {
  return refusal.kind !== 'field' || refusal.field === 'include';
}

interface Asking {
  readonly call: Call;
  readonly request: RoundRequest;
}

async function ask(model: StockModel, options: object, { call, request }: Asking): Promise<Round> {
  const { index, signal } = request;
  const toError = (failure: unknown): Error => toStockError(failure, index);
  const reader = new StockRound({ ids: request.newIds(), call, toError, truncated: () => truncated(index) });
  try {
    // Each version's options, which we can only know as far as all versions have them in common.
    const answer = call.stream ? await model.doStream(options as never) : await model.doGenerate(options as never);
    const batches =
      'stream' in answer ? readStream(answer.stream, reader, { signal, round: index }) : readResult(answer, reader);
    return {
      batches: await lookAhead(batches),
      ...defined({ requestBody: answer.request?.body, responseHeaders: answer.response?.headers }),
    };
  } catch (error) {
    throw signal.aborted ? error : toError(error);
  }
}

async function* readResult(result: object, reader: StockRound): AsyncGenerator<readonly RoundPart[], void, undefined> {
  const kept = itemsOfResult({ ...result }).flatMap((item) => reader.keep(item));
  yield [...kept, ...partsOfResult({ ...result }).flatMap((part) => reader.take(part)), ...reader.end()];
}

interface Reading {
  readonly signal: AbortSignal;
  readonly round: number;
}

async function* readStream(
  stream: ReadableStream<unknown>,
  reader: StockRound,
  { signal, round }: Reading,
): AsyncGenerator<readonly RoundPart[], void, undefined> {
  const parts = stream.getReader();
  let isOver = false;
  try {
    while (!isOver) {
      const next = await parts.read();
      isOver = next.done;
      const batch = next.done ? [] : reader.take(asRecord(next.value) ?? {});
      if (batch.length > 0) yield batch;
    }
    yield reader.end();
  } catch (error) {
    isOver = true;
    if (signal.aborted) throw error;
    yield reader.end({ outcome: 'reset', error: brokenOff(error, round) });
  } finally {
    // Not awaited: a stream may take its time to let go.
    if (!isOver) parts.cancel().catch(() => {});
  }
}

interface Retrying extends Asking {
  readonly place: AnsweringPlace;
}

/** As with our own rounds: the AI SDK retries the first one itself, by retrying the call; later ones are retried here. */
async function withRetries(open: () => Promise<Round>, { request, call, place }: Retrying): Promise<Round> {
  const { retry: settings, observer } = place;
  const isLater = request.index > 0 || request.isResumed === true;
  for (let retry = 1; ; retry += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isLater || request.signal.aborted || !ApiError.isInstance(error) || !mayRepeat(error, call)) throw error;
      const delayMs = retryDelay(retry, error, settings, { now: Date.now(), random: Math.random });
      if (delayMs === undefined) throw error;
      notify(observer, () => ({
        type: 'retry',
        callNumber: place.callNumber,
        url: error.url,
        round: request.index,
        attempt: retry,
        delayMs,
        reason: error.message,
        ...defined({ status: error.statusCode }),
      }));
      await delay(delayMs, request.signal);
    }
  }
}

/** Where the server keeps state, a request it may have acted on is not sent twice. */
function mayRepeat(error: ApiError, { options }: Call): boolean {
  return error.isRetryable && (error.isReplaySafe || !keepsState(options));
}

/** Sealed reasoning of other servers and models stays out; of which key it is, nobody can compare. */
function madeHere(messages: readonly Message[], whose: string): readonly Message[] {
  return messages.map((message) =>
    message.role === 'assistant'
      ? {
          ...message,
          content: message.content.filter(
            (content) => content.type !== 'reasoning' || (content.origin?.startsWith(whose) ?? true),
          ),
        }
      : message,
  );
}

function reasoningIds(messages: readonly Message[]): ReadonlyMap<string, string> {
  const contents = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []));
  return new Map(
    contents.flatMap((content) =>
      content.type === 'reasoning' && content.encrypted !== undefined && content.itemId !== undefined
        ? [[content.encrypted, content.itemId] as const]
        : [],
    ),
  );
}
