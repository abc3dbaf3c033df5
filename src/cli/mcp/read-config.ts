import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Redactor } from '../../observe/redact.js';
import { isDisabled, type McpServerConfig, toServerConfig } from '../../tools/mcp/server-config.js';
import { validateMcpServers } from '../../tools/mcp/validate-mcp-servers.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { type Terminal, UsageError } from '../command.js';
import { readAll } from '../read-all.js';
import { expandVariables } from './expand-variables.js';

/** What Claude Code looks for in a project, and the name without a dot. */
const DEFAULT_FILES = ['.mcp.json', 'mcp.json'];

export interface ConfiguredServer {
  readonly key: string;
  /** Why it cannot be used; the other servers can. */
  readonly problem?: string;
  readonly isDisabled?: true;
  readonly config?: McpServerConfig;
  /** Out of the environment: what is said of the server may not show them. */
  readonly secrets?: readonly string[];
}

export interface McpFile {
  /** The file, or `standard input`. */
  readonly name: string;
  readonly servers: readonly ConfiguredServer[];
}

type Place = Pick<Terminal, 'cwd' | 'env' | 'stdin' | 'signal'>;

/**
 * Reads `{ "mcpServers": { … } }`, as MCP clients have it; `-` is standard input, no path the usual file of the folder.
 * What is wrong with one server is a problem of that server alone.
 */
export async function readMcpFile(path: string | undefined, place: Place): Promise<McpFile> {
  const [name, content] = await readContent(path, place);
  let config: unknown;
  try {
    config = JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${errorText(error)}`);
  }
  const servers = isRecord(config) ? config['mcpServers'] : undefined;
  if (!isRecord(servers)) throw new UsageError(`${name} has no object "mcpServers"${hintAt(config)}.`);
  return { name, servers: Object.entries(servers).map(([key, entry]) => readServer(key, entry, place.env)) };
}

async function readContent(path: string | undefined, place: Place): Promise<readonly [string, string]> {
  if (path === '-') return ['standard input', await readAll(place)];
  for (const name of path === undefined ? DEFAULT_FILES : [path]) {
    try {
      return [name, withoutMark(await readFile(resolve(place.cwd, name), 'utf8'))];
    } catch (error) {
      if (path !== undefined) throw new UsageError(`--config: ${name} cannot be read: ${errorText(error)}`);
      if (!isMissing(error)) throw new UsageError(`${name} cannot be read: ${errorText(error)}`);
    }
  }
  throw new UsageError(`There is no ${DEFAULT_FILES.join(' and no ')} here; name a file with --config FILE.`);
}

function isMissing(error: unknown): boolean {
  return isRecord(error) && error['code'] === 'ENOENT';
}

/** Editors on Windows begin files with one; JSON has none. */
function withoutMark(content: string): string {
  return content.startsWith('\uFEFF') ? content.slice(1) : content;
}

/** VS Code calls them otherwise. */
function hintAt(config: unknown): string {
  return isRecord(config) && isRecord(config['servers'])
    ? ' (what it calls "servers" has to be called "mcpServers")'
    : ', such as {"mcpServers": {"files": {"command": "npx", "args": ["…"]}}}';
}

function readServer(key: string, entry: unknown, env: Place['env']): ConfiguredServer {
  if (isRecord(entry) && isDisabled(entry)) return { key, isDisabled: true };
  const { value, missing, secrets } = expandVariables(entry, env);
  if (missing.length > 0) return { key, problem: missingText(missing) };
  try {
    validateMcpServers({ [key]: value });
  } catch (error) {
    return { key, problem: Redactor.of(() => secrets).text(errorText(error)) };
  }
  // Was just checked.
  return { key, ...(secrets.length > 0 && { secrets }), config: toServerConfig(value as McpServerConfig) };
}

function missingText(names: readonly string[]): string {
  const list = names.map((name) => `"${name}"`).join(', ');
  return `The environment has no ${list}; set it, or write a default: \${${names[0]}:-default}.`;
}
