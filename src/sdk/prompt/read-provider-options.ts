import type { JsonObject } from '../../core/json.js';
import { asRecord, isRecord } from '../../util/guards.js';
import { METADATA_KEY } from '../parts/metadata.js';

/** The keys of `providerOptions` that hold a provider's options. */
export interface OptionKeys {
  /** Of the AI SDK's own provider for the back end: the first present key counts, as a whole. @default `openai` */
  readonly vendor?: readonly string[] | undefined;
  /** The provider's name in an app. @default ours */
  readonly name?: string | undefined;
}

const OPENAI: readonly string[] = ['openai'];

/** The names of settings of the loop that are options of a call. */
export interface LoopOptionNames {
  has(name: string): boolean;
}

/** Returns settings of the loop, which count under our own key or the provider's name only: by name, and in `loop`. */
export function readLoopOptions(
  value: unknown,
  { vendor = OPENAI, name = METADATA_KEY }: OptionKeys,
  names: LoopOptionNames | undefined,
): unknown {
  let found: unknown;
  for (const key of [METADATA_KEY, name].filter((own) => !vendor.includes(own))) {
    const options = asRecord(asRecord(value)?.[key]) ?? {};
    const { loop } = options;
    const byName = Object.entries(options).filter(([option]) => names?.has(option) === true);
    if (loop != null && !isRecord(loop)) return loop;
    if (loop != null || byName.length > 0)
      found = { ...asRecord(found), ...Object.fromEntries(byName), ...asRecord(loop) };
  }
  return found;
}

/**
 * Reads the options that an app wrote for us, on a call, a tool, a message or a part: those of the AI SDK's own
 * provider for the back end (`azure`, else `openai`), then those under our own key, then those under the provider's
 * name. The last value of an option counts.
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
