import type { BetweenView, RoundChange } from '../loop/between-rounds.js';

/** A setting that acts between rounds, at work in one call. */
export interface Acting {
  before(view: BetweenView): RoundChange | undefined | PromiseLike<RoundChange | undefined>;
  /** The round with the changes is under way. */
  opened?(): void;
  end?(): void;
}
