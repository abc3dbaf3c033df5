import type { JsonObject } from '../core/json.js';
import type { CacheMarked } from '../core/message.js';
import { asRecord, asString } from '../util/guards.js';
import { METADATA_KEY } from './metadata.js';

/** Collects what could not be read, saying where it stood. */
export interface PromptReader {
  at(messageIndex: number): void;
  /** "Message 3 …". */
  warn(what: string): void;
  warnAbout(part: Readonly<Record<string, unknown>>): void;
  readonly warnings: readonly string[];
}

export function createPromptReader(): PromptReader {
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
export function cacheMarkOf(part: Readonly<Record<string, unknown>>): CacheMarked {
  const { own, openai } = optionsOf(part);
  const cacheBreakpoint = asRecord(own['promptCacheBreakpoint']) ?? asRecord(openai['promptCacheBreakpoint']);
  // The AI SDK types provider options as JSON.
  return cacheBreakpoint === undefined ? {} : { cacheBreakpoint: cacheBreakpoint as JsonObject };
}

export function phaseOf(part: Readonly<Record<string, unknown>>): { phase?: string } {
  const { own, openai } = optionsOf(part);
  const phase = asString(own['phase']) ?? asString(openai['phase']);
  return phase === undefined ? {} : { phase };
}
