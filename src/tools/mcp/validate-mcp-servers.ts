import { invalidSettings } from '../../errors/invalid-settings.js';
import { isRecord } from '../../util/guards.js';
import { isClientLike } from './connect/client-like.js';
import { foreignClash, inForeignWords, isDisabled, translateForeignFields } from './server-config.js';
import { clientChecks, commonChecks, httpChecks, stdioChecks, type Check, type Config } from './server-checks.js';

/** What tells the kinds of servers apart, and what has to hold for each. */
const KINDS = [
  { member: 'command', checks: stdioChecks },
  { member: 'url', checks: httpChecks },
  { member: 'client', checks: clientChecks },
] as const;

/**
 * Refuses server settings that cannot work, naming the server; called when the provider is created. Fields of other clients
 * are translated where their meaning is certain (`serverUrl`, `disabledTools`) and else let through (`autoApprove`,
 * `description`, …), except names under which people look for ours.
 *
 * @throws ResponsesLoopError `invalid-settings`
 */
export function validateMcpServers(servers: unknown): void {
  if (servers === undefined) return;
  if (!isRecord(servers)) throw invalidSettings('`mcpServers` has to be an object of servers by key.');
  for (const [key, entry] of Object.entries(servers)) {
    const complaint = isRecord(entry) ? complain(entry) : 'has to be an object with `command`, `url` or `client`';
    if (complaint !== undefined) throw invalidSettings(`mcpServers["${key}"] ${complaint}.`);
  }
}

function complain(entry: Config): string | undefined {
  if (isClientLike(entry) || isDisabled(entry)) return undefined;
  const complaint = foreignClash(entry) ?? complainTranslated(translateForeignFields(entry));
  return complaint === undefined ? undefined : inForeignWords(complaint, entry);
}

function complainTranslated(entry: Config): string | undefined {
  const [kind, other] = KINDS.filter(({ member }) => entry[member] !== undefined);
  if (other !== undefined) return `has both \`${kind?.member}\` and \`${other.member}\`; keep one of them`;
  return firstComplaint(entry, [...commonChecks(), ...(kind?.checks() ?? [nothingToGoBy])]);
}

function firstComplaint(entry: Config, checks: readonly Check[]): string | undefined {
  for (const check of checks) {
    const complaint = check(entry);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function nothingToGoBy(entry: Config): string {
  return 'tools' in entry && typeof entry['tools'] === 'function'
    ? 'is a client without `listTools` and `callTool`; hand in one of the MCP SDK, or a newer one of `@ai-sdk/mcp`'
    : 'has neither `command` (a local process) nor `url` (an HTTP server) nor `client` (one that is connected already)';
}
