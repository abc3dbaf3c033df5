import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { McpConfig } from 'responses-loop-example-shared/mcp-config.js';
import { createResponsesProvider, type McpServers } from 'responses-loop/v3';
import { authProviderOf, CALLBACK } from './sign-ins.js';

export interface LoginOptions {
  readonly name: string;
  readonly entry: McpConfig[string];
  readonly file: string;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Sends the user to the page of the service, and keeps the tokens. Resolves to whether a sign-in was needed. */
export async function login({ name, entry, file, say, signal }: LoginOptions): Promise<boolean> {
  const pages: URL[] = [];
  const authProvider = authProviderOf(file, (page) => void pages.push(page));
  const mcpServers = { [name]: { ...entry, authProvider } } as unknown as McpServers;
  const warnings: string[] = [];
  const provider = createResponsesProvider({
    apiKey: 'none',
    mcpServers,
    onEvent: (event) => {
      if (event.type === 'mcp-error') warnings.push(event.message);
    },
  });
  try {
    await provider.tools();
    const [page] = pages;
    if (page === undefined) {
      if (warnings.length > 0) throw new Error(warnings.join(' '));
      return false;
    }
    await untilBack(page, (url) => provider.finishSignIn(name, url), { say, signal });
    return true;
  } finally {
    await provider.close();
  }
}

interface BackOptions extends Pick<LoginOptions, 'say' | 'signal'> {}

async function untilBack(page: URL, finish: (url: string) => Promise<void>, { say, signal }: BackOptions) {
  const { hostname, port } = new URL(CALLBACK);
  const server = createServer();
  server.listen(Number(port), hostname);
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(
      `The page ${CALLBACK} cannot be served (${(error as Error).message}): is another sign-in under way?`,
    );
  });
  try {
    const back = answered(server, page.searchParams.get('state'), finish);
    say(`Open this page, and agree there:\n${page.href}`);
    await Promise.race([back, aborted(signal)]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function answered(server: Server, state: string | null, finish: (url: string) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', CALLBACK);
      const reply = (status: number, text: string): Promise<unknown> =>
        new Promise<void>((sent) => {
          response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
          response.end(text, sent);
        });
      // Any page can send a browser here; only the answer to this sign-in counts.
      if (url.pathname !== new URL(CALLBACK).pathname || url.searchParams.get('state') !== state) {
        void reply(404, 'This is no answer to the sign-in.');
        return;
      }
      finish(url.href).then(
        () => reply(200, 'You are signed in. You may close this window.').then(() => resolve()),
        (error: unknown) => reply(400, 'The sign-in failed: see the terminal.').then(() => reject(error as Error)),
      );
    });
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The sign-in was given up.')), { once: true });
  });
}
