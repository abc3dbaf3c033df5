import type { Call } from '../core/call.js';
import type { Endpoint } from '../request/endpoint.js';
import type { PickedKey } from '../request/key-pool.js';
import { shortHash } from '../util/hash.js';

/** Host, model and key, as far as sealed reasoning depends on them; none of them can be read from it. */
export function originOf(endpoint: Endpoint, modelId: string, key: PickedKey): string {
  return placeOf(endpoint, modelId) + key.fingerprint;
}

/** What origins of the same host and model begin with, whatever the key. */
export function placeOf(endpoint: Endpoint, modelId: string): string {
  return `${shortHash(endpoint.url)}.${shortHash(modelId)}.`;
}

/** The key that the conversation's latest reasoning was sealed for. */
export function sealedFor(call: Call): string | undefined {
  const origins = call.messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((content) => (content.type === 'reasoning' ? (content.origin ?? []) : []))
      : [],
  );
  return origins.at(-1)?.split('.').at(-1);
}
