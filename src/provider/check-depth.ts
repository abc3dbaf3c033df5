import { DEFAULT_LIMITS } from '../core/limits.js';
import { limitReached } from '../errors/limit-reached.js';
import { isDeeperThan } from '../util/json-depth.js';

/** What a prompt's own form takes: messages, parts, metadata, and the carrier in it. */
const FORM_LEVELS = 32;

/** Apps take histories from browsers, and encoding one that is nested without end would overflow the stack. */
export function checkDepth(prompt: unknown, levels = DEFAULT_LIMITS.jsonDepth): void {
  if (isDeeperThan(prompt, levels + FORM_LEVELS))
    throw limitReached(`The prompt holds JSON that is nested more than ${levels} levels deep`, 'limits.jsonDepth');
}
