import type { Difference } from '../difference.js';

/** What will be mended, and where it is written down: a cause of the list of gaps, or a point of the issue about them. */
export type Cause = `cause ${number}` | 'cause 7a' | `D${number}` | `item ${number}`;

/**
 * A difference that is going to be mended: nothing for the documents. Whoever mends it deletes the row; until then the
 * suite says when a part of it no longer shows.
 */
export interface OpenDifference extends Pick<Difference, 'what' | 'right' | 'why' | 'seen'> {
  readonly open: Cause;
}
