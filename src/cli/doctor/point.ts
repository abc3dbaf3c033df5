import type { Profile } from '../../core/profile.js';

export type Verdict = 'yes' | 'no' | 'partly' | 'unknown';

/** What a probe asks of one member of a profile. */
export interface Want<T> {
  readonly works: (value: T) => boolean;
  /** Goes into a profile of one's own. */
  readonly best: T;
  /** A profile with another value works, but does less than the server can. */
  readonly isBetter?: boolean;
}

export type Wants = { readonly [K in keyof Profile]?: Want<Profile[K]> };

export interface Finding {
  readonly verdict: Verdict;
  readonly detail: string;
  /** What a user cannot do, if the verdict is not `yes`. Absent: nothing is missed. */
  readonly limit?: string;
  readonly wants?: Wants;
}

/** A finding under its name; `skipped` where an earlier one made it senseless. */
export interface Point extends Omit<Finding, 'verdict'> {
  readonly name: string;
  readonly verdict: Verdict | 'skipped';
}
