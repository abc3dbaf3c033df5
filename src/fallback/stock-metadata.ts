import type { CallMembers } from '../core/call-items.js';
import type { JsonObject } from '../core/json.js';
import { defined } from '../util/defined.js';
import { fromStockMembers } from '../sdk/prompt/call-members.js';
import { asId, asRecord } from '../util/guards.js';

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

/** Which agent made an item, where several work together: only the items say so, not what the stock provider makes of them. */
export class StockAgents {
  readonly #byItem = new Map<string, JsonObject>();

  /** An item, or nothing. */
  note(value: unknown): void {
    const { id, agent } = asRecord(value) ?? {};
    const made = asRecord(agent);
    // It came from the server, in JSON.
    if (made !== undefined && asId(id) !== undefined) this.#byItem.set(String(id), made as JsonObject);
  }

  of(part: Part): { readonly agent?: JsonObject } {
    return defined({ agent: this.#byItem.get(String(metadataOf(part)['itemId'] ?? part['id'])) });
  }
}

export function textFacts({ itemId, phase, agent, annotations }: Part) {
  const facts = defined({
    itemId: asId(itemId),
    phase: asId(phase),
    agent: asRecord(agent) as JsonObject | undefined,
    annotations: Array.isArray(annotations) ? (annotations as JsonObject[]) : undefined,
  });
  return Object.keys(facts).length === 0 ? {} : { facts };
}
