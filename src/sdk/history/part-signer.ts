import { METADATA_KEY, type ProviderMetadata } from '../parts/metadata.js';
import { SpokenTexts } from '../parts/spoken.js';
import { factsOf, HistorySeal } from './seal.js';

// What signs histories is loaded in one piece.
export { HistorySeal };

/** A part of any version, as far as signing needs it. */
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

  /** The parts as they go out; a promise only if one of them has to be signed. */
  sign<Part extends { type: string }>(parts: readonly Part[]): readonly Part[] | Promise<readonly Part[]> {
    // Whatever the version, the members that are looked at are spelled alike.
    const signed = parts.map((part) => this.#signOne(part as SdkPart) as Part | Promise<Part>);
    if (!signed.some((part) => part instanceof Promise)) return signed as Part[];
    return Promise.all(signed.map(async (part) => part));
  }

  #signOne(part: SdkPart): SdkPart | Promise<SdkPart> {
    const said = this.#texts.take(part);
    if (said === undefined) return this.#withSignature(part, part);
    if (said.place === 'start') return withoutFacts(part);
    // The metadata of the end counts, since only then the whole text is known.
    return said.place === 'end' ? this.#withSignature(part, said.spoken) : part;
  }

  #withSignature(part: SdkPart, identity: object): SdkPart | Promise<SdkPart> {
    const { providerMetadata } = part;
    if (providerMetadata === undefined || !hasFacts(part, providerMetadata)) return part;
    return this.#seal.sign({ ...identity }, providerMetadata).then((signed) => ({ ...part, providerMetadata: signed }));
  }
}

/** A summary of the server's stands under the stock provider's name: it is signed by ours. */
function hasFacts({ type }: SdkPart, metadata: ProviderMetadata): boolean {
  return type === 'custom' || factsOf(metadata[METADATA_KEY] ?? {}).length > 0;
}

/** Options stay, since they need no signature. */
function withoutFacts({ providerMetadata, ...part }: SdkPart): SdkPart {
  const { [METADATA_KEY]: own = {}, ...kept } = providerMetadata ?? {};
  const facts = new Set(factsOf(own).map(([name]) => name));
  const options = Object.entries(own).filter(([name]) => !facts.has(name));
  if (options.length > 0) kept[METADATA_KEY] = Object.fromEntries(options);
  return Object.keys(kept).length === 0 ? part : { ...part, providerMetadata: kept };
}
