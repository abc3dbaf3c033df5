import { KnownItems } from '../../history/known-items.js';
import { answeredKind } from '../../items/kinds.js';
import type { JsonObject } from '../../core/json.js';
import { DEFAULT_LIMITS } from '../../core/limits.js';
import { defined } from '../../util/defined.js';
import { asRecord, asString } from '../../util/guards.js';
import { isJsonWithin } from '../../util/json.js';
import type { AssistantContent } from '../../core/message.js';
import { METADATA_KEY } from '../parts/metadata.js';
import { type OptionKeys, readProviderOptions } from '../prompt/read-provider-options.js';
import {
  CALLER_OPTIONS,
  type Members,
  OWN_MEMBERS,
  type PartMetadata,
  type PromptPart,
  type ReadBy,
  VENDOR_MEMBERS,
  type VendorMetadata,
} from './part-metadata.js';
import type { Reading } from './readers.js';

/** The trust in a history. */
export interface HistoryTrust {
  /** Carriers, and items of tools that the server ran, are read. */
  readonly carriers: boolean;
  /** The parts with a valid signature of ours. `undefined` without a secret, which needs no signatures. */
  readonly signed?: ReadonlySet<object> | undefined;
}

export const TRUST_ALL: HistoryTrust = { carriers: true };

/** Limits of the metadata of one part as JSON. The largest value is a picture by the server. */
export const METADATA_BOUNDS = { depth: DEFAULT_LIMITS.jsonDepth, chars: 64_000_000 };

const TOO_MUCH = 'deeper or larger than anything we wrote';

const NOTHING: PartMetadata = { own: {}, vendor: {} };

/**
 * The only reader of the metadata of a prompt's parts. The client sends histories, so it checks each member. Valid
 * members are those that a response can have caused.
 */
export class HistoryDoor {
  readonly #trust: HistoryTrust;
  readonly #drop: Reading['drop'];
  readonly #keys: OptionKeys;
  readonly #writers: readonly string[];

  /** Items of the prompt up to this part. */
  readonly #known = new KnownItems();

  /** `keys`: the keys of `providerOptions` with options of the caller. */
  constructor(trust: HistoryTrust, drop: Reading['drop'], keys: OptionKeys = {}) {
    this.#trust = trust;
    this.#drop = drop;
    this.#keys = keys;
    this.#writers = writersOf(keys);
  }

  /** Returns the checked metadata of a part of an answer, or of a result. */
  metadataOf(part: PromptPart): PartMetadata {
    const { own, vendor, writer } = recordsOf(part, this.#writers);
    if (own === undefined && vendor === undefined) return NOTHING;
    const isSigned = this.#trust.signed?.has(part) === true;
    const isWithin = isJsonWithin(own, METADATA_BOUNDS);
    if (!isWithin) this.#drop(METADATA_KEY, TOO_MUCH);
    return {
      own: isWithin ? this.#read(own ?? {}, OWN_MEMBERS, isSigned) : {},
      vendor: this.#opened(this.#read(vendor ?? {}, VENDOR_MEMBERS, isSigned), writer),
    };
  }

  /** Drops what another back end sealed, because this one cannot open it. */
  #opened(read: VendorMetadata, writer: string | undefined): VendorMetadata {
    const { vendor, name } = this.#keys;
    if (vendor === undefined || writer === undefined || writer === name || vendor.includes(writer)) return read;
    const { reasoningEncryptedContent: _reasoning, encryptedContent: _compaction, ...open } = read;
    return open;
  }

  /** Returns the options that callers may set on any message or part. */
  optionsOf(part: PromptPart): ReadBy<typeof CALLER_OPTIONS> {
    return this.#read(this.given(part), CALLER_OPTIONS, false);
  }

  /** Returns the options for other providers on a part of the user's. A user can post them, so they need full trust. */
  othersOf({ providerOptions }: PromptPart): JsonObject | undefined {
    const { carriers, signed } = this.#trust;
    const others = Object.entries(asRecord(providerOptions) ?? {}).filter(
      ([key]) => key !== METADATA_KEY && !this.#writers.includes(key),
    );
    if (!carriers || signed !== undefined || others.length === 0) return undefined;
    // The AI SDK types provider options as JSON.
    return isJsonWithin(others, METADATA_BOUNDS) ? (Object.fromEntries(others) as JsonObject) : undefined;
  }

  /** Returns tools of a result. We never write any, so no signature covers them. */
  toolsBehind(result: PromptPart): unknown {
    const { additionalTools } = this.given(result);
    if (additionalTools === undefined || additionalTools === null) return undefined;
    const problem = this.#problemOfTools(additionalTools);
    if (problem === undefined) return additionalTools;
    this.#drop('additionalTools', problem);
    return undefined;
  }

  #problemOfTools(tools: unknown): string | undefined {
    if (!this.#trust.carriers) return 'with `carrier: "none"`';
    if (this.#trust.signed !== undefined) return 'not signed for this part';
    return isJsonWithin(tools, METADATA_BOUNDS) ? undefined : TOO_MUCH;
  }

  /** Drops outputs without an earlier call. Must read the answers of a prompt in order. */
  withoutLoose(contents: readonly AssistantContent[]): readonly AssistantContent[] {
    return contents.filter((content) => {
      if (content.type !== 'item') return true;
      const type = asString(content.item['type']) ?? '';
      const [entry] = this.#known.place({ ...content, at: 0 });
      this.#known.endTurn([]);
      if (answeredKind(type) === undefined) return true;
      if (entry?.fault !== undefined) this.#drop(type, 'an output without its call');
      return entry !== undefined && entry.fault === undefined;
    });
  }

  /** Returns options unchecked, such as those of the caller's system message. Their reader checks them. */
  given(part: PromptPart): JsonObject {
    return readProviderOptions(part['providerOptions'] ?? part['providerMetadata'], this.#keys);
  }

  /** Reads the members of a table. Drops unsigned ones if they need a signature and there is a secret. */
  #read<Table extends Members>(record: PromptPart, members: Table, isSigned: boolean): ReadBy<Table> {
    const isBelieved = isSigned || this.#trust.signed === undefined;
    const reading: Reading = { signed: isSigned, carriers: this.#trust.carriers, drop: this.#drop };
    const read: Record<string, unknown> = {};
    const withheld: string[] = [];
    for (const [name, member] of Object.entries(members)) {
      if (!Object.hasOwn(record, name) || record[name] === undefined) continue;
      if (member.needsSignature && !isBelieved) withheld.push(name);
      else read[name] = member.read(record[name], reading, name);
    }
    if (withheld.length > 0) this.#drop(withheld.join(', '), 'not signed for this part');
    // The reader of its name has read each.
    return defined(read) as ReadBy<Table>;
  }
}

/** Returns the unread objects under our name and under the first other present name. */
export function recordsOf(part: PromptPart, writers: readonly string[] = WRITERS) {
  const options = asRecord(part['providerOptions']) ?? asRecord(part['providerMetadata']);
  const writer = options === undefined ? undefined : writers.find((name) => asRecord(options[name]) !== undefined);
  return {
    own: asRecord(options?.[METADATA_KEY]),
    vendor: writer === undefined ? undefined : asRecord(options?.[writer]),
    writer,
  };
}

/** The AI SDK's providers of the Responses API, by the names they write under. */
export const WRITERS: readonly string[] = ['openai', 'azure', 'xai'];

/** A history may have been written before an app changed its back end; `@ai-sdk/open-responses` writes under any name. */
export function writersOf({ vendor = [], name }: OptionKeys = {}): readonly string[] {
  return [...new Set([...vendor, ...WRITERS, ...(name === undefined || name === METADATA_KEY ? [] : [name])])];
}
