import { DEFAULT_LIMITS } from '../../core/limits.js';
import { limitReached } from '../../errors/limit-reached.js';
import { isDeeperThan } from '../../util/json.js';

/** What a prompt's own form takes: messages, parts and results in them. */
const FORM_LEVELS = 32;
/** A prompt, a message, its list of parts, a part. */
const OUTER_LEVELS = 4;
/** The door of histories leaves out what is too deep in there, with a warning. */
const METADATA: ReadonlySet<string> = new Set(['providerOptions', 'providerMetadata']);

/** Apps take histories from browsers, and encoding one that is nested without end would overflow the stack. */
export function checkPromptDepth(prompt: unknown, levels = DEFAULT_LIMITS.jsonDepth): void {
  if (isTooDeep(prompt, OUTER_LEVELS, levels + FORM_LEVELS))
    throw limitReached(`The prompt holds JSON that is nested more than ${levels} levels deep`, {
      name: 'limits.jsonDepth',
      value: levels,
    });
}

function isTooDeep(value: unknown, outer: number, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (outer === 0) return isDeeperThan(value, levels);
  if (ArrayBuffer.isView(value)) return false;
  return Object.entries(value).some(([name, member]) => !METADATA.has(name) && isTooDeep(member, outer - 1, levels));
}
