import { existsSync } from 'node:fs';
import { fileOAuthProvider } from '../../node/file-oauth-provider.js';
import { untilSignedIn } from '../../node/until-signed-in.js';
import { createToolRegistry } from '../../tools/create-tool-registry.js';
import { isStdioConfig, type McpServerConfig } from '../../tools/mcp/server-config.js';
import { showControls } from '../../util/control-characters.js';
import { type Terminal, UsageError } from '../command.js';
import { stateFile } from '../state-folder.js';

/** Services want to know the page beforehand, so that it is always the same. */
const CALLBACK = 'http://127.0.0.1:33418/callback';

type HttpConfig = Extract<McpServerConfig, { readonly url: string | URL }>;

/** The user's sign-in at a server, and the server that it belongs to. */
interface Place {
  readonly config: HttpConfig;
  readonly file: string;
}

function placeOf(config: McpServerConfig, env: Terminal['env']): Place | undefined {
  if (isStdioConfig(config) || !('url' in config)) return undefined;
  const file = stateFile('sign-ins', String(config.url), env);
  return file === undefined ? undefined : { config, file };
}

function providerOf(file: string, open: (page: URL) => void): ReturnType<typeof fileOAuthProvider> {
  return fileOAuthProvider(file, { redirectUrl: CALLBACK, open });
}

/** Returns the entry with the tokens of an earlier sign-in, if there is one. They go to this server alone. */
export function withSignIn(config: McpServerConfig, env: Terminal['env']): McpServerConfig {
  const place = placeOf(config, env);
  if (place === undefined || !existsSync(place.file)) return config;
  const open = (): void => {
    throw new Error('the sign-in is over; sign in again with --sign-in');
  };
  return { ...place.config, authProvider: providerOf(place.file, open) };
}

interface SignInOptions {
  readonly key: string;
  readonly config: McpServerConfig;
  readonly timeoutMs: number;
}

/** Sends the user to sign in, and keeps the tokens for the following runs. */
export async function signIn({ key, config, timeoutMs }: SignInOptions, terminal: Terminal): Promise<void> {
  const { env, stderr, signal } = terminal;
  const place = placeOf(config, env);
  if (place === undefined) throw new UsageError(`--sign-in: "${key}" is a local process, which needs no sign-in.`);
  let page: URL | undefined;
  const open = (url: URL): void => {
    page = url;
  };
  const entry = { ...place.config, authProvider: providerOf(place.file, open) };
  const registry = createToolRegistry({ mcpServers: { [key]: entry }, connectTimeoutMs: timeoutMs });
  try {
    const { warnings } = await registry.toolset({ clientNames: [], nameClash: 'rename', signal });
    if (page === undefined) {
      if (warnings.length > 0) throw new Error(warnings.join(' '));
      stderr.write(showControls(`${key}: needs no sign-in now\n`));
      return;
    }
    const shown = showControls(`Open this page, and agree there:\n${page}\n`);
    const finish = (url: string): Promise<void> => registry.finishSignIn(key, url);
    await untilSignedIn(page, { finish, onListening: () => stderr.write(shown), signal });
    stderr.write(showControls(`${key}: signed in\n`));
  } finally {
    await registry.close();
  }
}

/** Forgets the tokens. */
export async function signOut({ key, config }: Omit<SignInOptions, 'timeoutMs'>, terminal: Terminal): Promise<void> {
  const place = placeOf(config, terminal.env);
  if (place === undefined) throw new UsageError(`--sign-out: "${key}" is a local process, which wants no sign-in.`);
  if (existsSync(place.file)) await providerOf(place.file, () => {}).signOut();
  terminal.stderr.write(showControls(`${key}: signed out here; the service may still know the sign-in\n`));
}
