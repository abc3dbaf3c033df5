import type { JsonObject } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import { asId, asRecord } from '../../util/guards.js';

type Part = Readonly<Record<string, unknown>>;

/** Under the provider's name: `openai`, `azure`, or another's. */
export function metadataOf(part: Part): Part {
  const metadata = asRecord(part['providerMetadata']) ?? {};
  return asRecord(metadata['openai']) ?? asRecord(Object.values(metadata)[0]) ?? {};
}

export function sealOf(part: Part): { readonly itemId?: string; readonly encrypted?: string } {
  const { itemId, reasoningEncryptedContent } = metadataOf(part);
  return defined({ itemId: asId(itemId), encrypted: asId(reasoningEncryptedContent) });
}

export function textFacts({ itemId, phase, annotations }: Part) {
  const facts = defined({
    itemId: asId(itemId),
    phase: asId(phase),
    annotations: Array.isArray(annotations) ? (annotations as JsonObject[]) : undefined,
  });
  return Object.keys(facts).length === 0 ? {} : { facts };
}
