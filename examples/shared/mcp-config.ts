import { SettingsError } from './settings-error.js';

type Entry = Readonly<Record<string, unknown>>;

/** MCP servers by name, as they stand in the file of an MCP client. */
export type McpConfig = Readonly<Record<string, Entry>>;

export interface McpConfigOptions {
  /** How errors call it, such as the path of the file. */
  readonly name: string;
  /** A Worker cannot start programs: then an entry with a `command` is refused. */
  readonly urlsOnly?: boolean | undefined;
}

/**
 * Reads the text of the usual `{"mcpServers": {…}}`. What a server's other fields may say is checked by the provider.
 *
 * @throws SettingsError that names the file and the entry.
 */
export function parseMcpConfig(text: string, options: McpConfigOptions): McpConfig {
  const { name } = options;
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const servers = isRecord(config) ? config['mcpServers'] : undefined;
  if (!isRecord(servers)) {
    throw new SettingsError(
      `${name} has no object "mcpServers", such as {"mcpServers": {"files": {"command": "npx", "args": ["…"]}}}.`,
    );
  }
  return checkMcpServers(servers, options);
}

/** The object behind `mcpServers`: each entry has to say how its server is reached. */
export function checkMcpServers(servers: Entry, { name, urlsOnly = false }: McpConfigOptions): McpConfig {
  for (const [server, entry] of Object.entries(servers)) {
    const problem = isRecord(entry) ? (nameProblem(server) ?? problemOf(entry, urlsOnly)) : 'is not an object';
    if (problem !== undefined) throw new SettingsError(`${name}: the MCP server "${server}" ${problem}.`);
  }
  return servers as McpConfig;
}

/** Each server that is a program starts in this folder, unless its entry names one. */
export function startedIn(cwd: string | undefined, servers: McpConfig): McpConfig {
  if (cwd === undefined) return servers;
  const entries = Object.entries(servers).map(([name, entry]) => [
    name,
    entry['command'] === undefined ? entry : { cwd, ...entry },
  ]);
  return Object.fromEntries(entries) as McpConfig;
}

/** Whoever decides about a call is told `local` for tools of this process: what they may do, a server must not pass for. */
function nameProblem(server: string): string | undefined {
  return server === 'local' ? 'has the name of the tools in this process: give it another one' : undefined;
}

function problemOf(entry: Entry, urlsOnly: boolean): string | undefined {
  const { command } = entry;
  const url = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl'];
  if (command !== undefined && urlsOnly) return 'has a "command", and no program can be started here: give it a "url"';
  if (command !== undefined && url !== undefined) return 'has both a "command" and a "url": keep one of them';
  if (command !== undefined) return isText(command) ? undefined : 'has a "command" that is not a text';
  if (url === undefined) return 'has neither a "command" nor a "url"';
  return isText(url) && isHttp(url) ? undefined : 'has a "url" that is not an http or https address';
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
