import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileOAuthProvider } from '../../node/file-oauth-provider.js';
import { createToolRegistry } from '../../tools/create-tool-registry.js';
import { isStdioConfig, type McpServerConfig } from '../../tools/mcp/server-config.js';
import { raceAbort } from '../../util/abort.js';
import { showControls } from '../../util/control-characters.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { type Terminal, UsageError } from '../command.js';
import { stateFile } from '../state-folder.js';

/** Services want to know the page beforehand, so the port is always the same. */
const PORT = 33_418;
const PATH = '/callback';

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
  return fileOAuthProvider(file, { redirectUrl: `http://127.0.0.1:${PORT}${PATH}`, open });
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
  if (place === undefined) throw new UsageError(`--sign-in: "${key}" is a local process, which wants none.`);
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
    await untilBack(page, { finish, onListening: () => stderr.write(shown), signal });
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

interface BackOptions {
  readonly finish: (url: string) => Promise<void>;
  readonly onListening: () => void;
  readonly signal: AbortSignal;
}

/** Waits for the browser to come back with the answer to this page. */
async function untilBack(page: URL, { finish, onListening, signal }: BackOptions): Promise<void> {
  const state = page.searchParams.get('state');
  const server = createServer();
  const listening = once(server.listen(PORT, '127.0.0.1'), 'listening');
  await listening.catch((error: unknown) => {
    const isTaken = isRecord(error) && error['code'] === 'EADDRINUSE';
    throw new Error(isTaken ? `port ${PORT} is taken: end the other sign-in, then try again.` : errorText(error));
  });
  try {
    const back = new Promise<void>((resolve, reject) => {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const url = request.url ?? '/';
        const { pathname, searchParams } = new URL(url, `http://127.0.0.1:${PORT}`);
        const say = (status: number, text: string): void =>
          void response
            .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
            .end(text);
        // Any page can send a browser here; only the answer to this sign-in counts.
        if (pathname !== PATH || searchParams.get('state') !== state)
          return say(404, 'This is no answer to the sign-in.');
        finish(url).then(
          () => {
            say(200, 'You are signed in. You may close this window.');
            resolve();
          },
          (error: unknown) => {
            say(400, errorText(error));
            reject(error instanceof Error ? error : new Error(errorText(error)));
          },
        );
      });
    });
    onListening();
    await raceAbort(back, signal);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
