import type { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** What is used of `@modelcontextprotocol/client`. */
export interface ModernSdk {
  readonly Client: typeof Client;
  readonly auth: typeof auth;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
}

export type LoadModernSdk = () => Promise<ModernSdk | undefined>;

/** In two parts, so that no bundler looks for a package that may not be there: most take that for an error. */
const PACKAGE = ['@modelcontextprotocol', 'client'].join('/');

/** The SDK for revision 2026-07-28 of MCP and later, an optional peer; `undefined` where it is not installed. */
export const loadModernSdk: LoadModernSdk = async () => {
  try {
    const found = (await import(/* webpackIgnore: true */ /* @vite-ignore */ PACKAGE)) as Partial<ModernSdk>;
    const { Client, StreamableHTTPClientTransport, auth } = found;
    if (Client === undefined || StreamableHTTPClientTransport === undefined || auth === undefined) return undefined;
    return { Client, StreamableHTTPClientTransport, auth };
  } catch {
    return undefined;
  }
};
