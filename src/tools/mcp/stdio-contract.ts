import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpStdioConfig } from './server-config.js';

/** A transport before its start, and what only its maker knows about it. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** The process id, while it runs. */
  pid?(): number | undefined;
  /** Returns why the connection ended, if known; the SDK only reports the end. */
  endedBy?(): Error | undefined;
  /** Returns the first and last lines of stderr, with secrets: remove them before any further cut. */
  stderrEnds?(): string;
  /** Ends the session at the server, before the transport closes. */
  endSession?(): Promise<void>;
}

export type OpenStdio = (
  config: McpStdioConfig,
) => Promise<OpenedTransport & Required<Pick<OpenedTransport, 'pid' | 'stderrEnds'>>>;
