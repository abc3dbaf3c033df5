import { DIFFERENCES } from '../differences.js';
import { FAMILIES } from '../families.js';
import type { RequestScenario } from '../scenarios/requests.js';
import { scenarioOf } from '../scenarios/from-families.js';
import { CONVERSATIONS, ROUNDS } from '../scenarios/recorded.js';
import { FAILED } from '../scenarios/failures.js';
import type { Contract } from '../suite.js';
import { OPEN_RESPONSES_DIFFERENCES } from './open-responses/differences.js';
import { asks, PLAIN_REQUESTS } from './plain-requests.js';

const OPTIONS: readonly RequestScenario[] = [
  ...['low', 'high', 'ducks', 1].map((value) => ['reasoningEffort', value] as const),
  ...['auto', 'concise', 'detailed', 'ducks', 1].map((value) => ['reasoningSummary', value] as const),
].map(([option, value]) => ({ name: `request/option ${option}: ${value}`, call: asks({ [option]: value }) }));

/** Servers that speak the open API have no tools of their own that the package would know. */
const PLAIN = FAMILIES.filter(({ hosted }) => hosted === undefined).map(scenarioOf);

export const OPEN_RESPONSES_CONTRACT: Contract = {
  scenarios: {
    models: [...ROUNDS, ...FAILED, ...PLAIN],
    sdk: [...CONVERSATIONS, ...FAILED, ...PLAIN],
    requests: [...OPTIONS, ...PLAIN_REQUESTS],
    turns: PLAIN,
  },
  differences: OPEN_RESPONSES_DIFFERENCES,
  shared: DIFFERENCES,
};
