import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { ToolArguments } from '../core/tool.js';

/** A tool as its source names and describes it. */
export interface SourceTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** As the source published it; made acceptable later. */
  readonly inputSchema: JsonObject;
  /** May run while the model still streams, beside others. */
  readonly readOnly: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly timeoutMs?: number;
  readonly strict?: boolean;
}

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ExecuteOptions {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ToolProgress) => void;
}

/**
 * Where executable tools come from: an MCP server, functions of this process. `execute` may throw; what it throws becomes
 * an error output for the model.
 */
export interface ToolSource {
  /** The server's key in the settings, or `local`. */
  readonly key: string;
  list(signal?: AbortSignal): Promise<readonly SourceTool[]>;
  execute(name: string, args: ToolArguments, options: ExecuteOptions): Promise<ToolOutput>;
  close(): Promise<void>;
}
