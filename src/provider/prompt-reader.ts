import type { JsonObject } from '../core/json.js';
import type { CacheMarked } from '../core/message.js';
import { asRecord, asString } from '../util/guards.js';
import { METADATA_KEY } from './metadata.js';
import { type OptionKeys, readProviderOptions } from './read-provider-options.js';

/** Collects what could not be read, saying where it stood. */
export interface PromptReader {
  at(messageIndex: number): void;
  /** "Message 3 …". */
  warn(what: string): void;
  warnAbout(part: Readonly<Record<string, unknown>>): void;
  /** A sentence of its own. */
  note(warning: string): void;
  /** What the caller asks for beside a message or part; for what was written there by a provider see `optionsOf`. */
  options(part: Readonly<Record<string, unknown>>): JsonObject;
  /** Whether the call has a tool of this name. */
  declares(tool: string): boolean;
  readonly refusesUnknownValues: boolean;
  /** Under which names an id of an uploaded file may stand; the first that is there counts. */
  readonly idKeys: readonly string[];
  readonly warnings: readonly string[];
}

export interface PromptReaderOptions {
  readonly keys?: OptionKeys;
  /** Names of the tools of the call, on the wire. */
  readonly tools?: ReadonlySet<string>;
  /** See `Vendor`. Default `false`. */
  readonly refusesUnknownValues?: boolean;
}

export function createPromptReader({
  keys,
  tools,
  refusesUnknownValues = false,
}: PromptReaderOptions = {}): PromptReader {
  const warnings: string[] = [];
  let index = 0;
  const warn = (what: string): void => {
    warnings.push(`Message ${index} of the prompt ${what}; it was left out.`);
  };
  return {
    warnings,
    at(messageIndex) {
      index = messageIndex;
    },
    warn,
    note: (warning) => void warnings.push(warning),
    refusesUnknownValues,
    idKeys: [...new Set([METADATA_KEY, ...(keys?.vendor ?? []), 'openai', 'azure'])],
    options: (part) => readProviderOptions(part['providerOptions'] ?? part['providerMetadata'], keys),
    declares: (tool) => tools?.has(tool) === true,
    warnAbout: (part) => warn(`holds a part of type ${JSON.stringify(part['type'])}, which cannot be sent`),
  };
}

const NOTHING = { own: {}, openai: {} };

/** What we or the stock provider wrote beside a part. */
export function optionsOf(part: Readonly<Record<string, unknown>>): {
  readonly own: Readonly<Record<string, unknown>>;
  readonly openai: Readonly<Record<string, unknown>>;
} {
  const options = asRecord(part['providerOptions']) ?? asRecord(part['providerMetadata']);
  if (options === undefined) return NOTHING;
  return {
    own: asRecord(options[METADATA_KEY]) ?? {},
    openai: asRecord(options['openai']) ?? asRecord(options['azure']) ?? {},
  };
}

/** The stock provider's option on messages and parts. */
export function cacheMarkOf(part: Readonly<Record<string, unknown>>, reader: PromptReader): CacheMarked {
  const cacheBreakpoint = asRecord(reader.options(part)['promptCacheBreakpoint']);
  // The AI SDK types provider options as JSON.
  return cacheBreakpoint === undefined ? {} : { cacheBreakpoint: cacheBreakpoint as JsonObject };
}

export function phaseOf(part: Readonly<Record<string, unknown>>): { phase?: string } {
  const { own, openai } = optionsOf(part);
  const phase = asString(own['phase']) ?? asString(openai['phase']);
  return phase === undefined ? {} : { phase };
}
