import { DIFFERENCES } from '../differences.js';
import type { Difference } from '../differences/difference.js';
import { OPEN_DIFFERENCES } from '../differences/open.js';
import { OPENAI_SCENARIOS } from '../run.js';
import type { Contract } from '../suite.js';

export const AZURE_DIFFERENCES: readonly Difference[] = [];

/** The same model code as that of `@ai-sdk/openai`, with URLs, keys and a namespace of its own. */
export const AZURE_CONTRACT: Contract = {
  scenarios: OPENAI_SCENARIOS,
  differences: AZURE_DIFFERENCES,
  shared: [...DIFFERENCES, ...OPEN_DIFFERENCES],
};
