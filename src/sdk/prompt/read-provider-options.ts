import type { JsonObject } from '../../core/json.js';
import { asRecord } from '../../util/guards.js';
import { METADATA_KEY } from '../parts/metadata.js';

/** The keys of `providerOptions` that hold a provider's options. */
export interface OptionKeys {
  /** Of the AI SDK's own provider for the back end: the first that is there counts, as a whole. Default: `openai`. */
  readonly vendor?: readonly string[] | undefined;
  /** The name that the provider goes by in an app. Default: ours. */
  readonly name?: string | undefined;
}

const OPENAI: readonly string[] = ['openai'];

/**
 * Reads the options that an app wrote for us, on a call, a tool, a message or a part: those of the AI SDK's own
 * provider
 * for the back end (`azure`, else `openai`), then those under our own key, then those under
 * the provider's name. The last value of an option wins.
 */
export function readProviderOptions(
  value: unknown,
  { vendor = OPENAI, name = METADATA_KEY }: OptionKeys = {},
): JsonObject {
  const options = asRecord(value);
  if (options === undefined) return {};
  const ofVendor = vendor.find((key) => asRecord(options[key]) !== undefined);
  // The AI SDK types provider options as JSON.
  return {
    ...(ofVendor === undefined ? {} : (asRecord(options[ofVendor]) as JsonObject)),
    ...(asRecord(options[METADATA_KEY]) as JsonObject | undefined),
    ...(asRecord(options[name]) as JsonObject | undefined),
  };
}
