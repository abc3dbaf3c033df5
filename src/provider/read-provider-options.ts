import type { JsonObject } from '../core/json.js';
import { asRecord } from '../util/guards.js';
import { METADATA_KEY } from './metadata.js';

/**
 * The stock provider's options are ours too; what stands under our own name wins, and under the name that the provider
 * goes by in an app.
 */
export function readProviderOptions(value: unknown, name = METADATA_KEY): JsonObject {
  const options = asRecord(value);
  if (options === undefined) return {};
  // The AI SDK types provider options as JSON.
  return {
    ...(asRecord(options['openai']) as JsonObject | undefined),
    ...(asRecord(options[METADATA_KEY]) as JsonObject | undefined),
    ...(asRecord(options[name]) as JsonObject | undefined),
  };
}
