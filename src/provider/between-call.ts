import type { RoundRequest, Round } from '../core/round.js';
import { type BetweenSettings, betweenOf } from '../between/between-ring.js';
import type { Between, RoundChange } from '../loop/between-rounds.js';
import type { RoundSource } from '../rounds/round-source.js';

type Change = Pick<RoundChange, 'modelId' | 'options'>;
type Open = (change: Change) => RoundSource | Promise<RoundSource>;

/**
 * Puts the settings that act between rounds around the source of a call's rounds. `open` creates the source of changed
 * rounds.
 */
export function actBetween(
  settings: BetweenSettings,
  usual: RoundSource,
  open: Open,
): { readonly between: Between; readonly source: RoundSource } {
  const source = new SwitchRounds(usual, open);
  return { between: betweenOf(settings, source.use), source };
}

/** Rounds of a call whose model or options may change from one to the next. */
class SwitchRounds implements RoundSource {
  readonly warnings: RoundSource['warnings'];
  readonly #usual: RoundSource;
  readonly #open: Open;
  #change: Change = {};
  #current: RoundSource;

  constructor(usual: RoundSource, open: Open) {
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
