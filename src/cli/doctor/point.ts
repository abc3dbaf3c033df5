import type { Profile } from '../../core/profile.js';

export type Verdict = 'yes' | 'no' | 'partly' | 'unknown';

/** What a probe demands of one member of a profile. */
export interface Want<T> {
  readonly works: (value: T) => boolean;
  /** The value for a custom profile. */
  readonly best: T;
  /** Another value works, but uses less than the server offers. */
  readonly isBetter?: boolean;
}

export type Wants = { readonly [K in keyof Profile]?: Want<Profile[K]> };

export interface Finding {
  readonly verdict: Verdict;
  readonly detail: string;
  /** What a user cannot do, if the verdict is not `yes`. Absent: nothing is missing. */
  readonly limit?: string;
  readonly wants?: Wants;
}

/** A finding with its name; `skipped` if an earlier one made it pointless. */
export interface Point extends Omit<Finding, 'verdict'> {
  readonly name: string;
  readonly verdict: Verdict | 'skipped';
}
