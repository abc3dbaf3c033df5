import { isOldRule } from 'responses-loop-example-shared/command-rules.js';
import type { Grant } from '../types.js';

/** Grants of a chat, kept in its `session.json`. */
export interface GrantStore {
  list(sessionId: string): Promise<readonly Grant[]>;
  add(sessionId: string, grant: Grant): Promise<void>;
  remove(sessionId: string, grants: readonly Grant[]): Promise<void>;
}

/** The rules for commands among the grants. */
export function commandRules(grants: readonly Grant[]): string[] {
  return grants.flatMap((grant) => (grant.kind === 'command' ? [grant.rule] : []));
}

/** Grants of an earlier version, which allowed any option of a program. They allow nothing now. */
export function outdatedGrants(grants: readonly Grant[]): Grant[] {
  return grants.filter((grant) => grant.kind === 'command' && isOldRule(grant.rule));
}

/** Whether this very grant was given: the tool, the MCP tool of that server, the rule of the command. */
export function isGranted(grants: readonly Grant[], wanted: Grant): boolean {
  const key = describeGrant(wanted);
  return grants.some((grant) => describeGrant(grant) === key);
}

/** For the person, before it is given. Different grants read differently. */
export function describeGrant(grant: Grant): string {
  if (grant.kind === 'tool') return `tool: ${grant.tool}`;
  if (grant.kind === 'web') return `web: ${grant.host}`;
  if (grant.kind === 'browser') return `browser: ${grant.origin}`;
  if (grant.kind === 'mcp') return `mcp: ${grant.server}/${grant.tool}`;
  return `shell: ${grant.rule}`;
}
