import type { OpenDifference } from './open-difference.js';

export const OPEN_RESULTS: readonly OpenDifference[] = [];
