import { invalidSettings } from '../../errors/invalid-settings.js';
import { brokenRule, misnamed } from '../../util/check.js';
import { isRecord } from '../../util/guards.js';
import { isClientLike } from './client-like.js';
import { foreignClash, inForeignWords, translateForeignFields } from './foreign-fields.js';
import { isDisabled } from './server-config.js';
import { commonRules, SERVER_KINDS, serverNames } from './server-checks.js';

type Config = Record<string, unknown>;

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
  const [kind, other] = SERVER_KINDS.filter(({ member }) => entry[member] !== undefined);
  if (other !== undefined) return `has both \`${kind?.member}\` and \`${other.member}\`; keep one of them`;
  const problem = wrongName(entry) ?? brokenRule(entry, commonRules());
  if (problem !== undefined) return problem;
  return kind === undefined ? nothingToGoBy(entry) : (brokenRule(entry, kind.rules()) ?? wrongType(entry, kind));
}

function wrongName(entry: Config): string | undefined {
  const name = misnamed(entry, serverNames());
  if (name === undefined) return undefined;
  const unit = name.meant.endsWith('Ms') ? ' (milliseconds)' : '';
  const why = name.typed === 'timeout' ? '? Some clients count it in seconds, others in milliseconds' : '';
  return `has \`${name.typed}\`; did you mean \`${name.meant}\`${unit}${why}`;
}

function wrongType(entry: Config, { types, wrongType: problem }: (typeof SERVER_KINDS)[number]): string | undefined {
  const type = entry['type'] ?? entry['transport'];
  const isFine = types === undefined || type === undefined || types.some((known) => known === type);
  return isFine ? undefined : problem(JSON.stringify(type));
}

function nothingToGoBy(entry: Config): string {
  return 'tools' in entry && typeof entry['tools'] === 'function'
    ? 'is a client without `listTools` and `callTool`; hand in one of the MCP SDK, or a newer one of `@ai-sdk/mcp`'
    : 'has neither `command` (a local process) nor `url` (an HTTP server) nor `client` (one that is connected already)';
}
