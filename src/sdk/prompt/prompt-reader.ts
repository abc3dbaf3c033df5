import type { CacheMarked, UserMessage } from '../../core/message.js';
import type { HostedTool } from '../../core/tool.js';
import { excerpt } from '../../util/excerpt.js';
import { defined } from '../../util/defined.js';
import { HistoryDoor, type HistoryTrust, TRUST_ALL, writersOf } from '../history/door.js';
import type { PromptPart } from '../history/part-metadata.js';
import { ShownParts } from '../history/shown-parts.js';
import { METADATA_KEY } from '../parts/metadata.js';
import type { OptionKeys } from './read-provider-options.js';

export interface PromptReaderOptions {
  /** The trust in the prompt. @default that of unsigned histories */
  readonly trust?: HistoryTrust | undefined;
  readonly keys?: OptionKeys;
  /** Names of the tools of the call, on the wire. */
  readonly tools?: ReadonlySet<string>;
  /** Tools of the API that the call declares. */
  readonly hostedTools?: readonly HostedTool[];
  /** See `Vendor`. @default `false` */
  readonly refusesUnknownValues?: boolean;
}

/**
 * State that the readers of all parts share: the warnings, each with the message it is about, and the door of histories, which
 * only prompts with an answer or with options need.
 */
export class PromptReader {
  readonly #prompt: readonly unknown[];
  readonly options: PromptReaderOptions;
  readonly #warnings: string[] = [];
  readonly #trust: HistoryTrust;
  #index = 0;
  /** Metadata of the message that was not taken. One warning names all of it. */
  #dropped: string[] = [];
  #door: HistoryDoor | undefined;
  #shown: ShownParts | undefined;

  constructor(prompt: readonly unknown[], options: PromptReaderOptions) {
    this.#prompt = prompt;
    this.options = options;
    this.#trust = options.trust ?? TRUST_ALL;
  }

  /** Decides which metadata of a message or a part may be read. */
  get door(): HistoryDoor {
    return (this.#door ??= new HistoryDoor(this.#trust, this.#drop, this.options.keys));
  }

  /** Calls of tools of the API that another provider wrote. */
  get shown(): ShownParts {
    return (this.#shown ??= new ShownParts(this.#prompt, this.options.hostedTools ?? [], this.#trust));
  }

  /** The names that may have the id of an uploaded file. The first present one counts. */
  get idKeys(): readonly string[] {
    const { keys = {} } = this.options;
    return [...new Set([keys.name ?? METADATA_KEY, METADATA_KEY, ...writersOf(keys)])];
  }

  /** Begins to read the message with this index. */
  begin(index: number): void {
    this.#warnOfDropped();
    this.#index = index;
  }

  /** Returns the warnings about all messages. */
  end(): readonly string[] {
    this.#warnOfDropped();
    return this.#warnings;
  }

  /** Adds a warning that begins with the number of the message. */
  warn(what: string): void {
    this.#warnings.push(`Message ${this.#index} of the prompt ${what}; it was left out.`);
  }

  warnAbout(part: PromptPart): void {
    this.warn(`holds a part of type ${JSON.stringify(part['type'])}, which cannot be sent`);
  }

  /** Adds an unchanged warning. */
  note(warning: string): void {
    this.#warnings.push(warning);
  }

  /** Returns the cache mark, an option of `@ai-sdk/openai` on messages and parts. */
  cacheMarkOf(part: PromptPart): CacheMarked {
    return hasOptions(part) ? defined({ cacheBreakpoint: this.door.optionsOf(part).promptCacheBreakpoint }) : {};
  }

  /** Returns the options for other providers on a message or a part of the user's. */
  othersOf(part: PromptPart): Pick<UserMessage, 'otherOptions'> {
    return hasOptions(part) ? defined({ otherOptions: this.door.othersOf(part) }) : {};
  }

  readonly #drop = (where: string, what: string): void => {
    this.#dropped.push(`${excerpt(where, MAX_WHERE)}: ${what}`);
  };

  #warnOfDropped(): void {
    if (this.#dropped.length === 0) return;
    const rest = this.#dropped.length - MAX_NAMED;
    const named = this.#dropped.slice(0, MAX_NAMED).join('; ');
    this.warn(`has metadata that cannot be taken (${rest > 0 ? `${named}; and ${rest} more` : named})`);
    this.#dropped = [];
  }
}

/** The number of names in a warning, which counts the rest. */
const MAX_NAMED = 3;
const MAX_WHERE = 100;

/** Returns whether a call, a message or a part has options or metadata. Plain prompts have none. */
export function hasOptions(value: Readonly<{ providerOptions?: unknown; providerMetadata?: unknown }>): boolean {
  return value.providerOptions !== undefined || value.providerMetadata !== undefined;
}
