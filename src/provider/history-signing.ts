import type { HistorySeal, PartSigner } from '../sdk/history/seal.js';
import { type AbortLike, raceAbort } from '../util/abort.js';
import type { HmacKey } from '../util/hash.js';

interface Loaded {
  readonly seal: HistorySeal;
  readonly PartSigner: typeof PartSigner;
}

/** Signs what travels in histories, of a provider that has a secret for it; the code is loaded with the first call. */
export class HistorySigning {
  readonly #key: HmacKey;
  #loaded: Loaded | undefined;

  constructor(key: HmacKey) {
    this.#key = key;
  }

  /** What of a prompt is signed: known before anything of it is read. */
  async signedParts(prompt: readonly unknown[], end: AbortLike): Promise<ReadonlySet<object>> {
    const { seal } = await this.#load();
    return raceAbort(seal.signedParts(prompt), end);
  }

  /** Of a call whose prompt was read. */
  get seal(): HistorySeal | undefined {
    return this.#loaded?.seal;
  }

  /** For the parts of one call, whose prompt was read. */
  partSigner(): PartSigner | undefined {
    return this.#loaded && new this.#loaded.PartSigner(this.#loaded.seal);
  }

  async #load(): Promise<Loaded> {
    const { HistorySeal, PartSigner } = await import('../sdk/history/seal.js');
    return (this.#loaded ??= { seal: new HistorySeal(this.#key), PartSigner });
  }
}
