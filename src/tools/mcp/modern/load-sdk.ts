import type { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The members of `@modelcontextprotocol/client` that are used. */
export interface ModernSdk {
  readonly Client: typeof Client;
  readonly auth: typeof auth;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
}

export type LoadModernSdk = () => Promise<ModernSdk | undefined>;

/** Split, so that no bundler looks for a package that may be missing: most treat that as an error. */
const PACKAGE = ['@modelcontextprotocol', 'client'].join('/');

/** Loads the SDK for revision 2026-07-28 of MCP and later, an optional peer; `undefined` if it is not installed. */
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
