import type { McpConfig } from 'responses-loop-example-shared/mcp-config.js';
import { untilSignedIn } from 'responses-loop/node';
import { createResponsesProvider, type McpServers } from 'responses-loop/v3';
import { authProviderOf } from './sign-ins.js';

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
    await untilSignedIn(page, {
      finish: (url) => provider.finishSignIn(name, url),
      onListening: () => say(`Open this page, and agree there:\n${page.href}`),
      signal,
    });
    return true;
  } finally {
    await provider.close();
  }
}
