import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Round, RoundRequest } from '../core/round.js';
import { createRequestBuilder } from '../request/build-request.js';
import type { Refusal } from '../request/refusals.js';
import { writesAs } from '../request/vendors.js';
import { secretsOf } from '../observe/redact.js';
import { asArray } from '../util/guards.js';
import { lazy } from '../util/lazy.js';
import { askThrough } from '../rounds/layers.js';
import type { RoundSource, RoundContext } from '../rounds/round-source.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { LearnedRefusals } from '../rounds/learned-refusals.js';
import { originOf } from '../rounds/wire-source.js';
import { timeoutsOf } from '../settings/model-limits.js';
import { askStock } from './ask-model.js';
import { STOCK_DIALECTS } from './prompt-dialect.js';
import type { StockModel } from './model.js';
import { toStockOptions } from './options.js';
import { toStockPrompt } from './write-prompt.js';

export interface StockSourceOptions {
  readonly model: StockModel;
  readonly version: VersionName;
  /** The caller's options as the AI SDK passed them. */
  readonly given: AnyCallOptions;
}

/**
 * Makes the rounds that the stock provider answers. It gets the primary's request as call options of the AI SDK.
 */
export async function answerByStock(
  call: Call,
  context: RoundContext,
  options: StockSourceOptions,
): Promise<RoundSource> {
  const { endpoint, settings } = context.model;
  const { model, given } = options;
  const names = [...new Set(['openai', model.provider.split('.')[0] ?? ''])];
  const shortening = await context.rings.shortening(context);
  const builder = createRequestBuilder({
    call: { ...call, options: { ...call.options, body: null } },
    profile: endpoint.profile,
    // Drops sealed reasoning of other servers and models. Keys cannot be compared.
    origin: originOf(endpoint, call.modelId),
    overrides: [],
    defaults: context.defaults,
    shorten: shortening?.shorten,
  });
  const warned = new Set<string>();
  const { CallRefusals, withoutRefused, withRetries } = await import('../rounds/after-failure.js');
  const refusals = new CallRefusals(new LearnedRefusals(), '');

  const openOnce = async (body: JsonObject, request: RoundRequest): Promise<Round> => {
    const { prompt, warnings } = toStockPrompt(asArray(body['input']), {
      dialect: STOCK_DIALECTS[options.version],
      call,
      names,
      isKept: body['store'] === true,
    });
    const fresh = warnings.filter((warning) => !warned.has(warning));
    for (const warning of fresh) warned.add(warning);
    const round = await askStock({
      model,
      options: toStockOptions({ body, request, call, given, prompt, names }),
      call,
      request,
      timeouts: timeoutsOf(settings),
      forBodies: context.redactor,
      redactor: context.redactor.and(lazy(() => secretsOf({ url: '', headers: call.headers, body }))),
    });
    return { ...round, warnings: [...(shortening?.takeWarnings() ?? []), ...fresh, ...refusals.accepted()] };
  };

  return {
    // The stock provider itself warns about parts that it cannot send.
    warnings: call.options['body'] === undefined ? [] : [BODY_LOST],
    // The stock provider's key is not known.
    metadata: { origin: undefined, stored: call.options['store'] === true, vendor: writesAs(endpoint.profile) },
    openRound: (request) => {
      const whole = builder.build(request);
      const layers = async () => [withRetries(context), withoutRefused(refusals, context, isOurs)];
      return askThrough(request, layers, (ask) => {
        ask.body = refusals.strip(whole);
        ask.sent = ask.body;
        return openOnce(ask.body, request);
      });
    },
  };
}

const BODY_LOST = 'The provider option "body" does not reach the stock provider; it was not sent.';

/** Refusals that the stock provider's request can leave out. */
function isOurs(refusal: Refusal): boolean {
  return refusal.kind !== 'field' || refusal.field === 'include';
}
