import { ANSWER_DIFFERENCES } from './differences/answers.js';
import type { Difference } from './differences/difference.js';
import { FAMILY_DIFFERENCES } from './differences/families.js';
import { FAILURE_DIFFERENCES } from './differences/failures.js';
import { HISTORY_DIFFERENCES } from './differences/histories.js';
import { LATER_DIFFERENCES } from './differences/later.js';
import { LATER_FAILURE_DIFFERENCES } from './differences/later-failures.js';
import { LENIENT_DIFFERENCES } from './differences/lenient.js';
import { OPTION_DIFFERENCES } from './differences/options.js';
import { REQUEST_DIFFERENCES } from './differences/requests.js';

/** Everything the two do differently. What is not here is a mistake, and so is what no longer shows. */
export const DIFFERENCES: readonly Difference[] = [
  ...ANSWER_DIFFERENCES,
  ...LENIENT_DIFFERENCES,
  ...FAILURE_DIFFERENCES,
  ...REQUEST_DIFFERENCES,
  ...OPTION_DIFFERENCES,
  ...HISTORY_DIFFERENCES,
  ...FAMILY_DIFFERENCES,
  ...LATER_DIFFERENCES,
  ...LATER_FAILURE_DIFFERENCES,
];
