import { OPEN_CALLS } from './open/calls.js';
import type { OpenDifference } from './open/open-difference.js';
import { OPEN_OPTIONS } from './open/options.js';
import { OPEN_RESULTS } from './open/results.js';

/** What the two do differently and we are wrong about. The aim is an empty list. */
export const OPEN_DIFFERENCES: readonly OpenDifference[] = [...OPEN_CALLS, ...OPEN_OPTIONS, ...OPEN_RESULTS];
