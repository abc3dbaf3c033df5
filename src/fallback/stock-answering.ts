import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Message } from '../core/message.js';
import type { Round, RoundRequest } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { createRequestBuilder } from '../request/build-request.js';
import { retryDelay } from '../request/retry-delay.js';
import type { Refusal } from '../request/refusals.js';
import { writesAs } from '../request/vendors.js';
import { notify } from '../observe/notify.js';
import { secretsOf } from '../observe/redact.js';
import { delay } from '../util/timers.js';
import { asArray } from '../util/guards.js';
import { lazy } from '../util/lazy.js';
import { announceRetry } from '../rounds/announce-retry.js';
import type { Answering, AnsweringPlace } from '../rounds/answering.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { createLearnedRefusals } from '../rounds/learned-refusals.js';
import { RefusalHandling } from '../rounds/open-despite-refusals.js';
import { limitsOf, timeoutsOf } from '../settings/model-limits.js';
import { RequestBudget } from '../rounds/request-budget.js';
import { placeOf } from '../rounds/reasoning-origin.js';
import { askStock } from './ask-stock.js';
import { keepsState } from './keeps-state.js';
import type { StockDialect } from './stock-dialect.js';
import type { StockModel } from './stock-model.js';
import { toStockOptions } from './stock-options.js';
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
  const whose = placeOf(endpoint, call.modelId);
  const told = new Set<string>();
  const refusals = new RefusalHandling({
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
      isKept: body['store'] === true,
    });
    const fresh = warnings.filter((warning) => !told.has(warning));
    for (const warning of fresh) told.add(warning);
    const stockOptions = toStockOptions({ body, request, call, given, prompt, names });
    const round = await askStock({
      model: options.model,
      options: stockOptions,
      call,
      request,
      timeouts: timeoutsOf(place.model.settings),
      forBodies: place.redactor,
      redactor: place.redactor.and(lazy(() => secretsOf({ url: '', headers: call.headers, body }))),
    });
    return { ...round, warnings: fresh };
  };

  return {
    // What our request could not hold is for the stock provider to say of its own.
    warnings: call.options['body'] === undefined ? [] : [BODY_LOST],
    // Nobody knows with which key the stock provider asks.
    metadata: { origin: undefined, stored: call.options['store'] === true, vendor: writesAs(endpoint.profile) },
    openRound: (request) => {
      const replayable = { ...request, prompt: madeHere(request.prompt, whose) };
      const body = builder.build(replayable);
      const budget = new RequestBudget(limitsOf(place.model).requestsPerRound);
      const openOne = (wanted: JsonObject): Promise<Round> => {
        budget.spend();
        return openOnce(wanted, replayable);
      };
      return withRetries(() => refusals.open(body, openOne, budget), { request, call, place, budget });
    },
  };
}

const BODY_LOST = 'The provider option "body" does not reach the stock provider; it was not sent.';

/** What the stock provider can be told to leave out. */
function isOurs(refusal: Refusal): boolean {
  return refusal.kind !== 'field' || refusal.field === 'include';
}

interface Retrying {
  readonly call: Call;
  readonly request: RoundRequest;
  readonly place: AnsweringPlace;
  readonly budget: RequestBudget;
}

/** As with our own rounds: the AI SDK retries the first one itself, by retrying the call; later ones are retried here. */
async function withRetries(open: () => Promise<Round>, { request, call, place, budget }: Retrying): Promise<Round> {
  const isLater = request.index > 0 || request.isResumed === true;
  for (let retry = 1; ; retry += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isLater || request.signal.aborted || !ApiError.isInstance(error) || !mayRepeat(error, call)) throw error;
      const delayMs = retryDelay(retry, error, place.retry, { now: Date.now(), random: Math.random });
      if (delayMs === undefined) throw error;
      budget.allowAnother(error);
      announceRetry(error, { round: request.index, attempt: retry, delayMs }, place);
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
