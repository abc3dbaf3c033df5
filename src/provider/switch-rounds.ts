import type { RoundRequest, Round } from '../core/round.js';
import type { RoundChange } from '../loop/between-rounds.js';
import type { RoundSource } from '../rounds/round-source.js';

type Change = Pick<RoundChange, 'modelId' | 'options'>;

/** Rounds of a call whose model or options may change from one to the next. */
export class SwitchRounds implements RoundSource {
  readonly warnings: RoundSource['warnings'];
  readonly #usual: RoundSource;
  readonly #open: (change: Change) => RoundSource | Promise<RoundSource>;
  #change: Change = {};
  #current: RoundSource;

  /** `open` makes the source of rounds that are changed. */
  constructor(usual: RoundSource, open: (change: Change) => RoundSource | Promise<RoundSource>) {
    this.#usual = usual;
    this.#open = open;
    this.#current = usual;
    this.warnings = usual.warnings;
  }

  /** Applies to the next round. */
  readonly use = (change: Change): void => {
    this.#change = change;
  };

  readonly openRound = async (request: RoundRequest): Promise<Round> => {
    const { modelId, options } = this.#change;
    const isUsual = modelId === undefined && options === undefined;
    this.#current = isUsual ? this.#usual : await this.#open(this.#change);
    return this.#current.openRound(request);
  };

  /** Reasoning belongs to the model that made it. */
  readonly metadata: RoundSource['metadata'] = this.#metadata();

  #metadata(): RoundSource['metadata'] {
    const current = (): RoundSource['metadata'] => this.#current.metadata;
    return {
      get origin() {
        return current().origin;
      },
      get stored() {
        return current().stored;
      },
      get vendor() {
        return current().vendor;
      },
    };
  }
}
