import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpStdioConfig } from './server-config.js';

/** A transport that was not started yet, and what only its maker knows about it. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** Of a process: its id while it runs. */
  pid?(): number | undefined;
  /** Why the connection ended, where that is known: the SDK only says that it did. */
  endedBy?(): Error | undefined;
  /** Of a process: the beginning and the last lines of what it wrote to stderr, as they came: secrets have to go before they are cut further. */
  stderrEnds?(): string;
  /** Ends the session at the server, before the transport is closed. */
  endSession?(): Promise<void>;
}

export type OpenStdio = (
  config: McpStdioConfig,
) => Promise<OpenedTransport & Required<Pick<OpenedTransport, 'pid' | 'stderrEnds'>>>;
