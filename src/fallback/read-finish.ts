import type { FinishReason, ResponseFacts } from '../core/part.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import type { Usage } from '../core/usage.js';
import { defined } from '../util/defined.js';
import { asId, asNumber, asRecord, asString } from '../util/guards.js';
import { metadataOf } from './stock-metadata.js';

type Facts = Readonly<Record<string, unknown>>;

export interface StockFinish {
  readonly finishReason: FinishReason;
  readonly rawFinishReason?: string;
  readonly usage: Usage;
  /** The stock provider ends every stream with a finish, also one that broke off: then it knows neither reason nor usage. */
  readonly isTruncated: boolean;
  /** It ended in order, and does not say why. */
  readonly isUnknown: boolean;
}

const REASONS: ReadonlySet<string> = new Set<FinishReason>(['stop', 'length', 'content-filter', 'tool-calls', 'error']);

/** The end of a stock answer, flat (V2) or nested (V3 and later). */
export function readFinish(part: Facts): StockFinish {
  const { finishReason: reason, usage } = part;
  const nested = asRecord(reason);
  const name = asString(nested?.['unified']) ?? asString(reason) ?? '';
  const known = REASONS.has(name) ? (name as FinishReason) : 'other';
  const rawFinishReason = asString(nested?.['raw']);
  const read = readUsage(asRecord(usage) ?? {}, metadataOf(part)['costInUsdTicks']);
  const isMeasured = Object.keys(read).length > 0;
  // V2 has a word for not knowing.
  const isUnnamed = known === 'other' && rawFinishReason === undefined;
  return {
    finishReason: known,
    ...defined({ rawFinishReason }),
    usage: read,
    isTruncated: isUnnamed && !isMeasured,
    isUnknown: isUnnamed && isMeasured && reason !== 'other',
  };
}

/** Under the names that the finish metadata has here too. */
export function factsOfFinish(part: Facts): ResponseFacts {
  const { serviceTier, reasoningContext, promptCacheDiagnostics } = metadataOf(part);
  return defined({
    serviceTier: asId(serviceTier),
    reasoningContext: asId(reasoningContext),
    // The stock provider had it from a JSON text.
    promptCacheDiagnostics: promptCacheDiagnostics as JsonValue | undefined,
  });
}

function readUsage(usage: Facts, costInUsdTicks: unknown): Usage {
  const input = countsOf(usage['inputTokens']);
  const output = countsOf(usage['outputTokens']);
  const inputTokens = asNumber(input['total']);
  const outputTokens = asNumber(output['total']);
  const sum = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return defined({
    inputTokens,
    outputTokens,
    totalTokens: asNumber(usage['totalTokens']) ?? sum,
    reasoningTokens: asNumber(output['reasoning'] ?? usage['reasoningTokens']),
    cachedInputTokens: asNumber(input['cacheRead'] ?? usage['cachedInputTokens']),
    cacheWriteTokens: asNumber(input['cacheWrite']),
    costInUsdTicks: asNumber(costInUsdTicks),
    // The stock provider had it from a JSON text.
    raw: asRecord(usage['raw']) as JsonObject | undefined,
  });
}

/** V2 has a number there. */
function countsOf(tokens: unknown): Facts {
  return asRecord(tokens) ?? { total: tokens };
}
