import { DIFFERENCES } from '../differences.js';
import type { Contract } from '../suite.js';
import { scenarioOf } from '../scenarios/from-families.js';
import { XAI_DIFFERENCES } from './xai/differences.js';
import { XAI_FAMILIES } from './xai/families.js';
import { XAI_REQUESTS } from './xai/requests.js';
import { CONVERSATIONS, ROUNDS } from '../scenarios/recorded.js';
import { FAILED } from '../scenarios/failures.js';

const OF_XAI = XAI_FAMILIES.map(scenarioOf);
const PLAIN =
  /^(openai-|one-tool|no-tool|reasoning-and-tool|several-|refusal|incomplete|failed-at-once|error-in-stream|aimock-text|aimock-reasoning)/;
const recorded = ({ name }: { readonly name: string }): boolean => PLAIN.test(name);

export const XAI_CONTRACT: Contract = {
  scenarios: {
    models: [...ROUNDS.filter(recorded), ...FAILED, ...OF_XAI],
    sdk: [...CONVERSATIONS.filter(recorded), ...FAILED, ...OF_XAI],
    requests: XAI_REQUESTS,
    turns: OF_XAI,
  },
  differences: XAI_DIFFERENCES,
  shared: DIFFERENCES,
};
