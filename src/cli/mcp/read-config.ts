import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Redactor } from '../../observe/redact.js';
import { isDisabled, type McpServerConfig, toServerConfig } from '../../tools/mcp/server-config.js';
import { validateMcpServers } from '../../tools/mcp/validate-mcp-servers.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { type Terminal, UsageError } from '../command.js';
import { readAll } from '../read-all.js';
import { askFirst } from './ask-first.js';
import { expandVariables } from './expand-variables.js';
import { withSignIn } from './sign-in.js';

/** The file that Claude Code reads in a project, and its name without the dot. */
const DEFAULT_FILES = ['.mcp.json', 'mcp.json'];

const MAX_FILE_BYTES = 1_000_000;

export interface ConfiguredServer {
  readonly key: string;
  /** Why this server cannot be used; the others can. */
  readonly problem?: string;
  readonly isDisabled?: true;
  readonly config?: McpServerConfig;
  /** Secrets from the environment, to hide in texts about the server. */
  readonly secrets?: readonly string[];
}

export interface McpFile {
  /** The file, or `standard input`. */
  readonly name: string;
  readonly servers: readonly ConfiguredServer[];
}

/**
 * Reads `{ "mcpServers": { … } }`, as MCP clients have it; `-` is standard input. A path is the user's own word. Without one
 * it is the usual file of the folder, and the user is asked first, before a variable of the environment is read for it.
 * What is wrong with one server is a problem of that server alone.
 */
export async function readMcpFile(
  path: string | undefined,
  terminal: Terminal,
  { isAllowed = false }: { readonly isAllowed?: boolean } = {},
): Promise<McpFile> {
  const [name, content] = await readContent(path, terminal);
  let config: unknown;
  try {
    config = JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${errorText(error)}`);
  }
  const servers = isRecord(config) ? config['mcpServers'] : undefined;
  if (!isRecord(servers)) throw new UsageError(`${name} has no object "mcpServers"${hintAt(config)}.`);
  if (path === undefined) await askFirst({ name, content, servers }, { terminal, isAllowed });
  return { name, servers: Object.entries(servers).map(([key, entry]) => readServer(key, entry, terminal.env)) };
}

async function readContent(path: string | undefined, terminal: Terminal): Promise<readonly [string, string]> {
  if (path === '-') return ['standard input', await readAll(terminal)];
  for (const name of path === undefined ? DEFAULT_FILES : [path]) {
    try {
      const file = resolve(terminal.cwd, name);
      if (path === undefined) await checkPlain(file);
      return [name, withoutMark(await readFile(file, 'utf8'))];
    } catch (error) {
      if (path !== undefined) throw new UsageError(`--config: ${name} cannot be read: ${errorText(error)}`);
      if (!isMissing(error)) throw new UsageError(`${name} cannot be read: ${errorText(error)}`);
    }
  }
  throw new UsageError(`There is no ${DEFAULT_FILES.join(' and no ')} here; name a file with --config FILE.`);
}

/** The author of the folder is unknown: a pipe would block, and a device may be endless. */
async function checkPlain(file: string): Promise<void> {
  const stats = await stat(file);
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > MAX_FILE_BYTES) throw new Error(`it has more than ${MAX_FILE_BYTES} bytes`);
}

function isMissing(error: unknown): boolean {
  return isRecord(error) && error['code'] === 'ENOENT';
}

/** Editors on Windows write this mark in front of files; JSON forbids it. */
function withoutMark(content: string): string {
  return content.startsWith('\uFEFF') ? content.slice(1) : content;
}

/** VS Code has another name for the member. */
function hintAt(config: unknown): string {
  return isRecord(config) && isRecord(config['servers'])
    ? ' (rename "servers" to "mcpServers")'
    : ', such as {"mcpServers": {"files": {"command": "npx", "args": ["…"]}}}';
}

function readServer(key: string, entry: unknown, env: Terminal['env']): ConfiguredServer {
  if (isRecord(entry) && isDisabled(entry)) return { key, isDisabled: true };
  const { value, missing, secrets } = expandVariables(entry, env);
  if (missing.length > 0) return { key, problem: missingText(missing) };
  try {
    validateMcpServers({ [key]: value });
  } catch (error) {
    return { key, problem: Redactor.of(() => secrets).text(errorText(error)) };
  }
  // It was checked just above.
  const config = withSignIn(toServerConfig(value as McpServerConfig), env);
  return { key, ...(secrets.length > 0 && { secrets }), config };
}

function missingText(names: readonly string[]): string {
  const list = names.map((name) => `"${name}"`).join(', ');
  return `The environment has no ${list}; set it, or write a default: \${${names[0]}:-default}.`;
}
