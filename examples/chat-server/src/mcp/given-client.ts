import type { McpConfig } from 'responses-loop-example-shared/mcp-config.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { z } from 'zod';

/** What a service calls this application, if a person registered it there. */
export interface GivenClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

const TEXT = z.string().min(1).max(2_000);

/** As a config file and the settings on the page have it. */
export const CLIENT = z
  .strictObject({ clientId: TEXT, clientSecret: TEXT.optional() })
  .transform(({ clientId, clientSecret }): GivenClient => ({
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  }));

/** The member `oauth` of an entry. @throws SettingsError that names the entry. */
export function clientOf(server: string, { oauth }: McpConfig[string]): GivenClient | undefined {
  if (oauth === undefined) return undefined;
  const read = CLIENT.safeParse(oauth);
  if (read.success) return read.data;
  const form = '{"clientId": "…", "clientSecret": "…"}, and the secret may be left out';
  throw new SettingsError(`--mcp-config: "oauth" of the MCP server "${server}" must be ${form}.`);
}
