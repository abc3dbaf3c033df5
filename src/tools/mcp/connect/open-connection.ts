import type { McpConnection, OpenConnectionOptions } from './connection.js';
import { openOwnConnection } from './own-connection.js';
import { connectionMark, openReadyConnection } from './ready-connection.js';
import type { ServerAccess } from './server-access.js';
import { isClientConfig, type McpServerConfig } from '../server-config.js';

export async function openConnection(config: McpServerConfig, options: OpenConnectionOptions): Promise<McpConnection> {
  return isClientConfig(config) ? openReadyConnection(config.client, options) : openOwnConnection(config, options);
}

/** Changes when trying again before the pause is over makes sense: a client was connected anew, a sign-in ended. */
export async function readinessMark(config: McpServerConfig, access: ServerAccess): Promise<unknown> {
  return isClientConfig(config) ? connectionMark(config.client) : access.mark();
}
