import { asRecord, rowOf } from '../../util/guards.js';
import { METADATA_KEY, type ProviderMetadata } from '../parts/metadata.js';
import { factsOf, HistorySeal } from './seal.js';

// What signs histories is loaded in one piece.
export { HistorySeal };

/** A part of any version, as far as signing needs it. */
interface SdkPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly providerMetadata?: ProviderMetadata;
}

type Spoken = 'text' | 'reasoning';

/** Starts and ends of what is spoken: the metadata of the end counts, since only then the whole text is known. */
const SPOKEN: Readonly<Record<string, readonly [Spoken, 'start' | 'delta' | 'end']>> = {
  'text-start': ['text', 'start'],
  'text-delta': ['text', 'delta'],
  'text-end': ['text', 'end'],
  'reasoning-start': ['reasoning', 'start'],
  'reasoning-delta': ['reasoning', 'delta'],
  'reasoning-end': ['reasoning', 'end'],
};

/** Signs the metadata of a call's parts on their way out; one for each call. */
export class PartSigner {
  readonly #seal: HistorySeal;
  /** Pieces of the texts that have not ended. */
  readonly #pieces = new Map<string, string[]>();

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
    const spoken = rowOf(SPOKEN, part.type);
    if (spoken === undefined) return this.#withSignature(part, { ...part });
    const [type, place] = spoken;
    const key = `${type} ${part.id ?? ''}`;
    if (place === 'start') {
      this.#pieces.set(key, []);
      return withoutFacts(part);
    }
    const pieces = this.#pieces.get(key) ?? [];
    if (place === 'end') {
      this.#pieces.delete(key);
      return this.#withSignature(part, { type, text: pieces.join('') });
    }
    pieces.push(part.delta ?? '');
    return part;
  }

  #withSignature(part: SdkPart, identity: Readonly<Record<string, unknown>>): SdkPart | Promise<SdkPart> {
    const { providerMetadata } = part;
    if (providerMetadata === undefined || !hasFacts(part, providerMetadata)) return part;
    return this.#seal.sign(identity, providerMetadata).then((signed) => ({ ...part, providerMetadata: signed }));
  }
}

/** A summary of the server's stands under the stock provider's name: it is signed by ours. */
function hasFacts({ type }: SdkPart, metadata: ProviderMetadata): boolean {
  return type === 'custom' || factsOf(metadata[METADATA_KEY] ?? {}).length > 0;
}

/** Options stay, since they need no signature. */
function withoutFacts(part: SdkPart): SdkPart {
  const { providerMetadata } = part;
  const own = asRecord(providerMetadata?.[METADATA_KEY]);
  if (providerMetadata === undefined || own === undefined) return part;
  const facts = new Set(factsOf(own).map(([name]) => name));
  const options = Object.entries(own).filter(([name]) => !facts.has(name));
  const { [METADATA_KEY]: _own, ...others } = providerMetadata;
  const kept = {
    ...others,
    ...(options.length === 0 ? {} : { [METADATA_KEY]: Object.fromEntries(options) as ProviderMetadata[string] }),
  };
  if (Object.keys(kept).length > 0) return { ...part, providerMetadata: kept };
  const { providerMetadata: _metadata, ...rest } = part;
  return rest;
}
