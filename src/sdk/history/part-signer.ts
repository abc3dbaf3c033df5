import { asRecord, asRecords, asString, rowOf } from '../../util/guards.js';
import type { HmacKey } from '../../util/hash.js';
import { isJsonWithin, stableJson } from '../../util/json.js';
import { METADATA_KEY, type ProviderMetadata } from '../parts/metadata.js';
import { SpokenTexts } from '../parts/spoken.js';
import { METADATA_BOUNDS, WRITERS } from './door.js';
import { isCallerOption, type PromptPart } from './part-metadata.js';

/** The member with the signature, among the members that it signs. */
const SIGNATURE = 'sig';

/**
 * Signs the metadata of a part together with what identifies the part: its text, or the id and the name of its call. Does not
 * sign the input of a call, because frameworks convert and complete it; the metadata has the model's own text if it matters.
 * Does not sign options of the caller, who may set them later.
 */
export class HistorySeal {
  readonly #key: HmacKey;

  constructor(key: HmacKey) {
    this.#key = key;
  }

  /** The metadata of a part with a signature in it. */
  async sign(part: PromptPart, metadata: ProviderMetadata): Promise<ProviderMetadata> {
    const own = metadata[METADATA_KEY] ?? {};
    const signed = signedText(part, { ...metadata, [METADATA_KEY]: own });
    if (signed === undefined) return metadata;
    return { ...metadata, [METADATA_KEY]: { ...own, [SIGNATURE]: await this.#key.sign(signed) } };
  }

  /** The parts of a prompt whose metadata is signed with this key. */
  async signedParts(prompt: readonly unknown[]): Promise<ReadonlySet<object>> {
    const parts = asRecords(prompt).flatMap(({ content }) => asRecords(content));
    const signed = await Promise.all(parts.map(async (part) => ((await this.#holds(part)) ? [part] : [])));
    return new Set(signed.flat());
  }

  async #holds(part: PromptPart): Promise<boolean> {
    const metadata = asRecord(part['providerOptions']) ?? asRecord(part['providerMetadata']) ?? {};
    const own = asRecord(metadata[METADATA_KEY]);
    const signature = asString(own?.[SIGNATURE]);
    if (signature === undefined || !isJsonWithin(own, METADATA_BOUNDS)) return false;
    const signed = signedText(part, metadata);
    return signed !== undefined && this.#key.holds(signed, signature);
  }
}

/** The members of a part that signing needs, in any version. */
type SdkPart = {
  readonly type: string;
  readonly providerMetadata?: ProviderMetadata;
};

/** Signs the metadata of a call's parts on their way out; one for each call. */
export class PartSigner {
  readonly #seal: HistorySeal;
  readonly #texts = new SpokenTexts();

  constructor(seal: HistorySeal) {
    this.#seal = seal;
  }

  /** Returns the outgoing parts; a promise only if a part needs a signature. */
  sign<Part extends { type: string }>(parts: readonly Part[]): readonly Part[] | Promise<readonly Part[]> {
    // All versions spell these members alike.
    const signed = parts.map((part) => this.#signOne(part as SdkPart) as Part | Promise<Part>);
    if (!signed.some((part) => part instanceof Promise)) return signed as Part[];
    return Promise.all(signed.map(async (part) => part));
  }

  #signOne(part: SdkPart): SdkPart | Promise<SdkPart> {
    const said = this.#texts.take(part);
    if (said === undefined) return this.#withSignature(part, part);
    if (said.place === 'start') return withoutFacts(part);
    // The metadata of the end counts, because only then the whole text is known.
    return said.place === 'end' ? this.#withSignature(part, said.spoken) : part;
  }

  #withSignature(part: SdkPart, identity: object): SdkPart | Promise<SdkPart> {
    const { providerMetadata } = part;
    if (providerMetadata === undefined || !hasFacts(part, providerMetadata)) return part;
    return this.#seal.sign({ ...identity }, providerMetadata).then((signed) => ({ ...part, providerMetadata: signed }));
  }
}

/** A summary by the server is under the vendor's name. Our signature covers it. */
function hasFacts({ type }: SdkPart, metadata: ProviderMetadata): boolean {
  return type === 'custom' || factsOf(metadata[METADATA_KEY] ?? {}).length > 0;
}

/** Options stay, because they need no signature. */
function withoutFacts({ providerMetadata, ...part }: SdkPart): SdkPart {
  const { [METADATA_KEY]: own = {}, ...kept } = providerMetadata ?? {};
  const facts = new Set(factsOf(own).map(([name]) => name));
  const options = Object.entries(own).filter(([name]) => !facts.has(name));
  if (options.length > 0) kept[METADATA_KEY] = Object.fromEntries(options);
  return Object.keys(kept).length === 0 ? part : { ...part, providerMetadata: kept };
}

/** The facts of a part that only we may write. */
function factsOf(own: PromptPart): [string, unknown][] {
  return Object.entries(own).filter(([name]) => name !== SIGNATURE && !isCallerOption(name));
}

/** By the type of the part; a call's result may contain the metadata of the call. */
const IDENTITIES: Readonly<Record<string, (part: PromptPart, metadata: PromptPart) => readonly unknown[]>> = {
  text: ({ text }) => ['text', text],
  reasoning: ({ text }) => ['reasoning', text],
  'tool-call': ({ toolCallId, toolName }) => ['tool', toolCallId, toolName],
  'tool-result': ({ toolCallId, toolName }) => ['tool', toolCallId, toolName],
  // The back end decides which name is read, so all are signed; we write one.
  custom: ({ kind }, metadata) => ['custom', kind, ...WRITERS.flatMap((name) => sealedIn(metadata[name]))],
};

function sealedIn(vendor: unknown): unknown[] {
  const { encryptedContent } = asRecord(vendor) ?? {};
  return encryptedContent === undefined ? [] : [encryptedContent];
}

function signedText(part: PromptPart, metadata: PromptPart): string | undefined {
  const type = String(part['type']);
  const identify = rowOf(IDENTITIES, type);
  const facts = Object.fromEntries(factsOf(asRecord(metadata[METADATA_KEY]) ?? {}));
  if (identify === undefined) return undefined;
  // Nothing else that is signed with the secret begins like this. All of an identity is text: a client may post anything there.
  const identity = identify(part, metadata).map((value) => asString(value) ?? null);
  return `responses-loop history 1\n${stableJson([identity, facts])}`;
}
