import type { CallMembers } from '../core/call-items.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import type { FinishReason, RoundResult } from '../core/part.js';
import type { Usage } from '../core/usage.js';
import { defined } from '../util/defined.js';
import { asId, asNumber, asRecord, asString, rowOf } from '../util/guards.js';
import { fromVendorMembers } from '../sdk/prompt/call-members.js';

/** A part of the stock provider's, or an object within. */
export type Part = Readonly<Record<string, unknown>>;

/** Under the provider's name: `openai`, `azure`, or another's. */
export function metadataOf(part: Part): Part {
  const metadata = asRecord(part['providerMetadata']) ?? {};
  return asRecord(metadata['openai']) ?? asRecord(Object.values(metadata)[0]) ?? {};
}

/** What the server said of a call, as far as the part has it. */
export function callMembers(part: Part): CallMembers | undefined {
  const { namespace, async: isAsync, caller } = metadataOf(part);
  return fromVendorMembers(
    defined({
      namespace: asId(namespace),
      async: typeof isAsync === 'boolean' ? isAsync : undefined,
      // It came from the server, in JSON.
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
  // V2 has a word for not knowing.
  const isUnnamed = finishReason === 'other' && rawFinishReason === undefined;
  return {
    finishReason,
    ...defined({ rawFinishReason }),
    usage: read,
    logprobs: Array.isArray(logprobs) ? (logprobs as JsonValue[]) : undefined,
    /** The stock provider ends every stream with a finish, also one that broke off: then it knows neither reason nor usage. */
    isTruncated: isUnnamed && !isMeasured,
    /** It ended in order, and does not say why. */
    isUnknown: isUnnamed && isMeasured && reason !== 'other',
  };
}

/** How the round ended, if nothing speaks against the stock provider's word. */
export function endingOf(
  { finishReason, rawFinishReason, isUnknown }: StockFinish,
  { calls, refused }: { readonly calls: boolean; readonly refused: boolean },
): Pick<RoundResult, 'outcome' | 'finishReason' | 'rawFinishReason'> {
  // Some never say why they end; whole calls say it.
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

/** What the finish says of the response, in the words of the wire. */
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
    // The stock provider had it from a JSON text.
    raw: asRecord(usage['raw']) as JsonObject | undefined,
  });
}

/** V2 has a number there. */
function countsOf(tokens: unknown): Part {
  return asRecord(tokens) ?? { total: tokens };
}
