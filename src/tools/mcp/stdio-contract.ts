import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpStdioConfig } from './server-config.js';

/** A child process about to be started, and what there is to know about it. */
export interface StdioHandle {
  readonly transport: Transport;
  /** The process id while the process runs. */
  pid(): number | undefined;
  /** The last lines it wrote to stderr; they usually say why it died. */
  stderrTail(): string;
}

export type OpenStdio = (config: McpStdioConfig) => Promise<StdioHandle>;
