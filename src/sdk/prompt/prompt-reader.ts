import type { CacheMarked, TextContent } from '../../core/message.js';
import type { JsonObject } from '../../core/json.js';
import type { HostedTool } from '../../core/tool.js';
import { excerpt } from '../../util/excerpt.js';
import { defined } from '../../util/defined.js';
import { HistoryDoor, type HistoryTrust, TRUST_ALL, WRITERS } from '../history/door.js';
import { ShownParts } from '../history/shown-parts.js';
import type { CallerOptions, PartMetadata } from '../history/part-metadata.js';
import { METADATA_KEY } from '../parts/metadata.js';
import type { OptionKeys } from './read-provider-options.js';

/** Reads the parts of a prompt, and collects what could not be read, saying where it stood. */
export interface PromptReader {
  at(messageIndex: number): void;
  /** "Message 3 …". */
  warn(what: string): void;
  warnAbout(part: Readonly<Record<string, unknown>>): void;
  /** A sentence of its own. */
  note(warning: string): void;
  /** Something in the metadata of this message was not taken: one warning for all of it. */
  drop(where: string, what: string): void;
  /** What stands beside a part, as far as it may count. */
  metadataOf(part: Readonly<Record<string, unknown>>): PartMetadata;
  /** What the caller asks for beside a message or a part. */
  optionsOf(part: Readonly<Record<string, unknown>>): CallerOptions;
  /** What the caller has changed by a system message, unchecked. */
  controlsOf(message: Readonly<Record<string, unknown>>): JsonObject;
  /** Tools that the result of another one brings, unchecked. */
  toolsBehind(result: Readonly<Record<string, unknown>>): unknown;
  /** Calls of tools of the API that somebody else wrote. */
  readonly shown: ShownParts;
  /** Whether the call has a tool of this name. */
  declares(tool: string): boolean;
  readonly refusesUnknownValues: boolean;
  /** Under which names an id of an uploaded file may stand; the first that is there counts. */
  readonly idKeys: readonly string[];
  /** There is no more to read. */
  end(): readonly string[];
}

export interface PromptReaderOptions {
  /** How far the prompt is believed. Default: as far as nothing is signed. */
  readonly trust?: HistoryTrust | undefined;
  readonly keys?: OptionKeys;
  /** Names of the tools of the call, on the wire. */
  readonly tools?: ReadonlySet<string>;
  /** Tools of the API that the call declares. */
  readonly hostedTools?: readonly HostedTool[];
  /** See `Vendor`. Default `false`. */
  readonly refusesUnknownValues?: boolean;
}

export function createPromptReader(
  prompt: readonly unknown[],
  { trust = TRUST_ALL, keys, tools, hostedTools = [], refusesUnknownValues = false }: PromptReaderOptions = {},
): PromptReader {
  const warnings: string[] = [];
  let index = 0;
  let dropped: string[] = [];
  const warn = (what: string): void => {
    warnings.push(`Message ${index} of the prompt ${what}; it was left out.`);
  };
  const drop = (where: string, what: string): void => {
    dropped.push(`${excerpt(where, MAX_WHERE)}: ${what}`);
  };
  const settle = (): void => {
    if (dropped.length > 0) warn(`has metadata that cannot be taken (${listed(dropped)})`);
    dropped = [];
  };
  const door = new HistoryDoor(trust, drop, keys);
  return {
    at(messageIndex) {
      settle();
      index = messageIndex;
    },
    warn,
    note: (warning) => void warnings.push(warning),
    refusesUnknownValues,
    shown: new ShownParts({ hostedTools, trust, prompt }),
    idKeys: [...new Set([keys?.name ?? METADATA_KEY, METADATA_KEY, ...(keys?.vendor ?? []), ...WRITERS])],
    declares: (tool) => tools?.has(tool) === true,
    warnAbout: (part) => warn(`holds a part of type ${JSON.stringify(part['type'])}, which cannot be sent`),
    drop,
    metadataOf: (part) => door.metadataOf(part),
    optionsOf: (part) => door.optionsOf(part),
    controlsOf: (message) => door.controlsOf(message),
    toolsBehind: (result) => door.toolsBehind(result),
    end() {
      settle();
      return warnings;
    },
  };
}

/** So many are named, the rest is counted: a history may hold any number of them. */
const MAX_NAMED = 3;
const MAX_WHERE = 100;

function listed(entries: readonly string[]): string {
  const rest = entries.length - MAX_NAMED;
  const named = entries.slice(0, MAX_NAMED).join('; ');
  return rest > 0 ? `${named}; and ${rest} more` : named;
}

/** The stock provider's option on messages and parts. */
export function cacheMarkOf({ promptCacheBreakpoint }: CallerOptions): CacheMarked {
  return defined({ cacheBreakpoint: promptCacheBreakpoint });
}

/** What the server said of a text. */
export function labelsOf({ own, stock }: PartMetadata): Pick<TextContent, 'phase' | 'agent' | 'itemId'> {
  return defined({ phase: own.phase ?? stock.phase, agent: own.agent, itemId: own.itemId ?? stock.itemId });
}
