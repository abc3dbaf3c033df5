import type { Call } from '../core/call.js';
import type { Endpoint } from '../request/endpoint.js';
import { shortHash } from '../util/hash.js';

/**
 * What the origin of sealed reasoning begins with; the fingerprint of the key follows. Whoever reads it learns neither host
 * nor model.
 */
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
