import type { Grant } from '../types.js';

/** Grants of a chat, kept in its `session.json`. */
export interface GrantStore {
  list(sessionId: string): Promise<readonly Grant[]>;
  add(sessionId: string, grant: Grant): Promise<void>;
}

/** Whether this very grant was given: the tool, the MCP tool of that server, the rule of the command. */
export function isGranted(grants: readonly Grant[], wanted: Grant): boolean {
  const key = describeGrant(wanted);
  return grants.some((grant) => describeGrant(grant) === key);
}

/** For the person, before it is given. Different grants read differently. */
export function describeGrant(grant: Grant): string {
  if (grant.kind === 'tool') return `tool: ${grant.tool}`;
  if (grant.kind === 'mcp') return `mcp: ${grant.server}/${grant.tool}`;
  return `shell: ${grant.rule}`;
}
