import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { McpConfig } from 'responses-loop-example-shared/mcp-config.js';
import { fileOAuthProvider } from 'responses-loop/node';
import { hashOf } from 'responses-loop-example-shared/hash.js';

/** Services want to know the page beforehand, so the port is always the same. */
export const CALLBACK = 'http://127.0.0.1:33419/callback';

type Entry = McpConfig[string];

/** Where the tokens of a server lie: in the user's folder, which no tool can read. `undefined`: it is a process. */
export function signInFile(entry: Entry, configDir: string): string | undefined {
  const url = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl'];
  return typeof url === 'string' ? join(configDir, 'mcp-sign-ins', `${hashOf(url)}.json`) : undefined;
}

export function authProviderOf(file: string, open: (page: URL) => void) {
  return fileOAuthProvider(file, { redirectUrl: CALLBACK, open, clientName: 'coder' });
}

/** The servers with the sign-ins that there are. */
export function withSignIns(config: McpConfig, configDir: string): McpConfig {
  const entries = Object.entries(config).map(([name, entry]): [string, Entry] => {
    const file = signInFile(entry, configDir);
    if (file === undefined || !existsSync(file)) return [name, entry];
    // A session does not ask for a browser: the status of the server says what to do.
    return [name, { ...entry, authProvider: authProviderOf(file, () => {}) }];
  });
  return Object.fromEntries(entries);
}
