import type { JsonObject } from '../../core/json.js';
import { asRecord } from '../../util/guards.js';
import { METADATA_KEY } from '../parts/metadata.js';

/** Under which keys of `providerOptions` the options of a provider stand. */
export interface OptionKeys {
  /** Of the AI SDK's own provider for the back end: the first that is there counts, as a whole. Default: `openai`. */
  readonly vendor?: readonly string[] | undefined;
  /** The name that the provider goes by in an app. Default: ours. */
  readonly name?: string | undefined;
}

const OPENAI: readonly string[] = ['openai'];

/**
 * The options an app wrote for us, on a call, a tool, a message or a part, by one rule: what the AI SDK's own provider
 * for the back end would read (`azure`, else `openai`), over it what stands under our own key, over that what stands under
 * the name that the provider goes by. Of one option the last counts.
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
