import { existsSync, readFileSync } from 'node:fs';
import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { type McpConfig, parseMcpConfig } from 'responses-loop-example-shared/mcp-config.js';
import type { LoginOptions } from '../mcp/login.js';
import { authProviderOf, signInFile } from '../mcp/sign-ins.js';
import { CommandError, EXIT, type ExitCode } from './exit-codes.js';
import { settingsOf } from './load-options.js';
import type { GlobalOptions } from './options.js';
import { say, write } from './say.js';
import { onStopSignals } from './signals.js';

/** The servers of the config, and who is signed in there. */
export function mcpList(options: GlobalOptions): ExitCode {
  const { config, configDir } = serversOf(options);
  for (const [name, entry] of Object.entries(config)) {
    const file = signInFile(entry, configDir);
    const state = file === undefined ? 'a local process' : existsSync(file) ? 'signed in' : 'not signed in';
    write(`${spelledLine(name)}: ${state}\n`);
  }
  return EXIT.done;
}

/** Signs in at a server, in a browser. */
export async function mcpLogin(name: string, options: GlobalOptions): Promise<ExitCode> {
  const stop = new AbortController();
  const signals = onStopSignals(() => stop.abort());
  try {
    const done = await signIn(name, options, { say, signal: stop.signal });
    say(`coder: ${done}`);
    return EXIT.done;
  } catch (error) {
    if (signals.code !== undefined) return signals.code;
    throw error;
  } finally {
    signals.end();
  }
}

/** Forgets the tokens of a server. */
export async function mcpLogout(name: string, options: GlobalOptions): Promise<ExitCode> {
  const done = await signOut(name, options);
  say(`coder: ${done}`);
  return EXIT.done;
}

/** Resolves with what became of it, in words. */
export async function signIn(
  name: string,
  options: GlobalOptions,
  how: Pick<LoginOptions, 'say' | 'signal'>,
): Promise<string> {
  const { entry, file } = serverOf(name, options);
  const { login } = await import('../mcp/login.js');
  const wasNeeded = await login({ name, entry, file, ...how });
  return `${spelledLine(name)}: ${wasNeeded ? 'signed in' : 'no sign-in is needed now'}`;
}

/** Resolves with what became of it, in words. */
export async function signOut(name: string, options: GlobalOptions): Promise<string> {
  const { file } = serverOf(name, options);
  const { rm } = await import('node:fs/promises');
  if (existsSync(file)) await authProviderOf(file, () => {}).signOut();
  await rm(file, { force: true });
  return `${spelledLine(name)}: signed out here; the service may still know the sign-in`;
}

function serverOf(name: string, options: GlobalOptions) {
  const { config, configDir } = serversOf(options);
  const entry = Object.hasOwn(config, name) ? config[name] : undefined;
  if (entry === undefined) {
    const known = Object.keys(config).map(spelledLine).join(', ');
    throw new CommandError(EXIT.usage, `Unknown MCP server "${spelledLine(name)}". Known: ${known || 'none'}.`);
  }
  const file = signInFile(entry, configDir);
  if (file === undefined) throw new CommandError(EXIT.usage, `"${name}" is a local process, which wants no sign-in.`);
  return { entry, file };
}

function serversOf(options: GlobalOptions): { readonly config: McpConfig; readonly configDir: string } {
  const { settings } = settingsOf(options);
  const { mcpConfig: path, configDir } = settings;
  if (path === undefined) throw new CommandError(EXIT.usage, 'No MCP servers: name their file with --mcp-config.');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(EXIT.usage, `--mcp-config: ${path} cannot be read: ${(error as Error).message}`);
  }
  return { config: parseMcpConfig(text, { name: path }), configDir };
}
