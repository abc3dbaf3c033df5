import type { CallMembers } from '../core/call-items.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import type { FinishReason, RoundResult } from '../core/part.js';
import type { Usage } from '../core/usage.js';
import { defined } from '../util/defined.js';
import { asId, asNumber, asRecord, asString, rowOf } from '../util/guards.js';
import { fromVendorMembers } from '../sdk/prompt/call-members.js';

/** A part of the stock model's stream, or an object in it. */
export type Part = Readonly<Record<string, unknown>>;

/** Metadata under the provider's name: `openai`, `azure`, or another. */
export function metadataOf(part: Part): Part {
  const metadata = asRecord(part['providerMetadata']) ?? {};
  return asRecord(metadata['openai']) ?? asRecord(Object.values(metadata)[0]) ?? {};
}

/** Members of a call that its part has. */
export function callMembers(part: Part): CallMembers | undefined {
  const { namespace, async: isAsync, caller } = metadataOf(part);
  return fromVendorMembers(
    defined({
      namespace: asId(namespace),
      async: typeof isAsync === 'boolean' ? isAsync : undefined,
      // Parsed from the server's JSON.
      caller: asRecord(caller) as JsonObject | undefined,
    }),
  );
}

export type StockFinish = ReturnType<typeof readFinish>;

const REASONS: ReadonlySet<string> = new Set<FinishReason>(['stop', 'length', 'content-filter', 'tool-calls', 'error']);

/** The end of a stock answer, flat (V2) or nested (V3 and later). */
export function readFinish({ finishReason: reason, usage, ...rest }: Part) {
  const nested = asRecord(reason);
  const name = asString(nested?.['unified']) ?? asString(reason) ?? '';
  const finishReason: FinishReason = REASONS.has(name) ? (name as FinishReason) : 'other';
  const rawFinishReason = asString(nested?.['raw']);
  const { costInUsdTicks, logprobs } = metadataOf(rest);
  const read = readUsage(asRecord(usage) ?? {}, costInUsdTicks);
  const isMeasured = Object.keys(read).length > 0;
  // V2 has its own value for an unknown reason.
  const isUnnamed = finishReason === 'other' && rawFinishReason === undefined;
  return {
    finishReason,
    ...defined({ rawFinishReason }),
    usage: read,
    logprobs: Array.isArray(logprobs) ? (logprobs as JsonValue[]) : undefined,
    /** The stock provider ends every stream with a finish. After a break it has neither reason nor usage. */
    isTruncated: isUnnamed && !isMeasured,
    /** The stream ended in order without a reason. */
    isUnknown: isUnnamed && isMeasured && reason !== 'other',
  };
}

/** The end of the round by the finish alone. */
export function endingOf(
  { finishReason, rawFinishReason, isUnknown }: StockFinish,
  { calls, refused }: { readonly calls: boolean; readonly refused: boolean },
): Pick<RoundResult, 'outcome' | 'finishReason' | 'rawFinishReason'> {
  // A few models never send a reason; complete calls count as one.
  if (isUnknown && calls) return { outcome: 'completed', finishReason: 'tool-calls' };
  const outcome = rowOf(OUTCOMES, finishReason) ?? 'completed';
  const isRefusal = finishReason === 'stop' && refused;
  return { outcome, finishReason: isRefusal ? 'content-filter' : finishReason, ...defined({ rawFinishReason }) };
}

const OUTCOMES: Readonly<Record<string, RoundResult['outcome']>> = {
  length: 'incomplete',
  'content-filter': 'incomplete',
  other: 'incomplete',
};

/** Facts about the response in the finish, under their names on the wire. */
export function responseOf(part: Part): Part {
  const { serviceTier, reasoningContext: context, promptCacheDiagnostics } = metadataOf(part);
  return { service_tier: serviceTier, reasoning: { context }, prompt_cache_diagnostics: promptCacheDiagnostics };
}

function readUsage(usage: Part, costInUsdTicks: unknown): Usage {
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
    // Parsed from the server's JSON.
    raw: asRecord(usage['raw']) as JsonObject | undefined,
  });
}

/** V2 has a number here. */
function countsOf(tokens: unknown): Part {
  return asRecord(tokens) ?? { total: tokens };
}
