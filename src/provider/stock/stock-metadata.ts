import type { CallMembers } from '../../core/call-members.js';
import type { JsonObject } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import { fromStockMembers } from '../call-members.js';
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

/** What it tells of what the server said of a call. */
export function callMembers(part: Part): CallMembers | undefined {
  const { namespace, async: isAsync, caller } = metadataOf(part);
  return fromStockMembers(
    defined({
      namespace: asId(namespace),
      async: typeof isAsync === 'boolean' ? isAsync : undefined,
      // It came from the server, in JSON.
      caller: asRecord(caller) as JsonObject | undefined,
    }),
  );
}

export function textFacts({ itemId, phase, annotations }: Part) {
  const facts = defined({
    itemId: asId(itemId),
    phase: asId(phase),
    annotations: Array.isArray(annotations) ? (annotations as JsonObject[]) : undefined,
  });
  return Object.keys(facts).length === 0 ? {} : { facts };
}
