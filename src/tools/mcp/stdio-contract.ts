import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpStdioConfig } from './server-config.js';

/** A child process about to be started, and what there is to know about it. */
export interface StdioHandle {
  readonly transport: Transport;
  /** The process id while the process runs. */
  pid(): number | undefined;
  /** Why it was ended, if that was for something it did. */
  endedBy(): Error | undefined;
  /** The beginning and the last lines of what it wrote to stderr, as they came: secrets have to go before they are cut further. */
  stderrEnds(): string;
}

export type OpenStdio = (config: McpStdioConfig) => Promise<StdioHandle>;
