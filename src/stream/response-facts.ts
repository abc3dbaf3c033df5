import type { JsonObject, JsonValue } from '../core/json.js';
import type { FinishReason, ResponseFacts, RoundResult } from '../core/part.js';
import type { Usage } from '../core/usage.js';
import { defined } from '../util/defined.js';
import { asNumber, asRecord, asRecords, asString, rowOf } from '../util/guards.js';
import type { WireObject } from './round-state.js';

/** Adds the facts of an event's response to the known ones. */
export function readResponseFacts(response: WireObject, known: ResponseFacts | undefined): ResponseFacts | undefined {
  const withheld = asRecords(response['input_transformations']);
  const said: ResponseFacts = defined({
    serviceTier: asString(response['service_tier']),
    reasoningContext: asString(asRecord(response['reasoning'])?.['context']),
    // They were parsed from JSON; `null` means nothing.
    promptCacheDiagnostics: (response['prompt_cache_diagnostics'] as JsonValue | undefined) ?? undefined,
    moderation: (response['moderation'] as JsonValue | undefined) ?? undefined,
    toolUsage: asRecord(response['tool_usage']) as JsonObject | undefined,
    inputTransformations: withheld.length === 0 ? undefined : (withheld as JsonValue),
  });
  return Object.keys(said).length === 0 ? known : { ...known, ...said };
}

/** Reads each number by itself: servers omit usage, send `null`, or omit the detail objects. */
export function mapUsage(wire: unknown): Usage {
  const usage = asRecord(wire);
  if (usage === undefined) return {};
  const input = asRecord(usage['input_tokens_details']);
  const output = asRecord(usage['output_tokens_details']);
  const written = asRecord(input?.['cache_write_tokens_details']);
  // It was parsed from JSON.
  const mapped: { -readonly [K in keyof Usage]: Usage[K] } = { raw: usage as JsonObject };
  const counts = [
    ['inputTokens', usage['input_tokens']],
    ['outputTokens', usage['output_tokens']],
    ['totalTokens', usage['total_tokens']],
    ['cachedInputTokens', input?.['cached_tokens']],
    ['cacheWriteTokens', input?.['cache_write_tokens']],
    ['cacheWrite30mTokens', written?.['ttl_30m_tokens']],
    ['cacheWrite12hTokens', written?.['ttl_12h_tokens']],
    ['costInUsdTicks', usage['cost_in_usd_ticks']],
    ['reasoningTokens', output?.['reasoning_tokens']],
  ] as const;
  for (const [name, value] of counts) {
    const count = asNumber(value);
    if (count !== undefined) mapped[name] = Math.max(0, count);
  }
  return mapped;
}

const BY_INCOMPLETE_REASON: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
};

/** The reason of an incomplete response, in our words. */
export function mapIncompleteReason(
  response: WireObject,
): Required<Pick<RoundResult, 'finishReason' | 'rawFinishReason'>> {
  const raw = asString(asRecord(response['incomplete_details'])?.['reason']) ?? 'incomplete';
  const known = rowOf(BY_INCOMPLETE_REASON, raw);
  return { finishReason: known ?? 'other', rawFinishReason: raw };
}
