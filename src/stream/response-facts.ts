import type { JsonValue } from '../core/json.js';
import type { ResponseFacts } from '../core/part.js';
import { defined } from '../util/defined.js';
import { asRecord, asString } from '../util/guards.js';
import type { WireObject } from './handlers/item-handler.js';

/** What an event that holds the response says of it, added to what earlier ones said. */
export function readResponseFacts(response: WireObject, known: ResponseFacts | undefined): ResponseFacts | undefined {
  const said: ResponseFacts = defined({
    serviceTier: asString(response['service_tier']),
    reasoningContext: asString(asRecord(response['reasoning'])?.['context']),
    promptCacheDiagnostics: asJson(response['prompt_cache_diagnostics']),
    moderation: asJson(response['moderation']),
  });
  return Object.keys(said).length === 0 ? known : { ...known, ...said };
}

/** It came out of JSON.parse, so it is JSON; `null` says nothing. */
function asJson(value: unknown): JsonValue | undefined {
  return (value as JsonValue | undefined) ?? undefined;
}
