import { DEFAULT_LIMITS } from '../core/limits.js';
import { limitReached } from '../errors/limit-reached.js';
import { isRecord } from '../util/guards.js';
import { isDeeperThan } from '../util/json-depth.js';

/** What a prompt's own form takes: messages, parts and results in them. */
const FORM_LEVELS = 32;
/** The door of histories leaves out what is too deep in there, with a warning. */
const METADATA: ReadonlySet<string> = new Set(['providerOptions', 'providerMetadata']);

/** Apps take histories from browsers, and encoding one that is nested without end would overflow the stack. */
export function checkPromptDepth(prompt: unknown, levels = DEFAULT_LIMITS.jsonDepth): void {
  const parts = membersOf(prompt).flatMap(membersOf).flatMap(membersOf).flatMap(membersOf);
  if (parts.some((member) => isDeeperThan(member, levels + FORM_LEVELS)))
    throw limitReached(`The prompt holds JSON that is nested more than ${levels} levels deep`, 'limits.jsonDepth');
}

/** What stands in a message, a list of parts or a part, but for its metadata. */
function membersOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value) || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => (METADATA.has(name) ? [] : [member]));
}
