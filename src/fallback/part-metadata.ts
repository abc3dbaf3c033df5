import type { CallMembers } from '../core/call-items.js';
import type { JsonObject } from '../core/json.js';
import { fromStockMembers } from '../sdk/prompt/call-members.js';
import { defined } from '../util/defined.js';
import { asId, asRecord } from '../util/guards.js';

/** A part of the stock provider's, or an object within. */
export type Part = Readonly<Record<string, unknown>>;

/** Under the provider's name: `openai`, `azure`, or another's. */
export function metadataOf(part: Part): Part {
  const metadata = asRecord(part['providerMetadata']) ?? {};
  return asRecord(metadata['openai']) ?? asRecord(Object.values(metadata)[0]) ?? {};
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
