import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { FunctionOptions, ToolArguments } from '../core/tool.js';
import type { Audience } from './mcp/apps/extension.js';
import type { McpLiveClient } from './mcp/connect/client-like.js';
import type { AbortLike } from '../util/abort.js';

/** The key by which `approve`, events and names know the functions in `tools`. */
export const LOCAL_SOURCE_KEY = 'local';

/** A tool in the form of its source. */
export interface SourceTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Unchanged; it is made acceptable later. */
  readonly inputSchema: JsonObject;
  /** Its maximum length as JSON; references stay if their targets would exceed it. */
  readonly maxSchemaChars?: number;
  /** May run while the model still streams, parallel to others. */
  readonly readOnly: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  /** Reaches things outside this program: the web, other people. */
  readonly openWorld?: boolean;
  /** The page that an app can show for it, in the form of MCP Apps: `{ resourceUri, … }`. */
  readonly ui?: JsonObject;
  /** Names the only caller; absent: the model and pages of its server. */
  readonly audience?: Audience;
  /** Idle limit of one call in milliseconds; absent means the call's default. */
  readonly timeoutMs?: number;
  /** Longest duration of one call in milliseconds, progress or not; absent means ten times the idle limit. */
  readonly totalTimeoutMs?: number;
  /** Characters of an output that the model is given at once; absent means the call's default. */
  readonly maxOutputChars?: number;
  /** Whether the tool itself requires approval for these arguments. */
  needsApproval?(args: ToolArguments, callId: string): boolean | PromiseLike<boolean>;
  /**
   * Returns the faults of the arguments, as a sentence for the model; `undefined` if they fit. Called before approval,
   * because a call that cannot run needs none. Never rejects and runs nothing. `execute` checks again, because much
   * time may pass in between. Absent: no check.
   */
  checkArguments?(args: ToolArguments): Promise<string | undefined>;
  readonly strict?: boolean;
  /** Further options of its declaration. */
  readonly options?: FunctionOptions;
}

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** Returns the value that a generator function yielded, as an output. */
  readonly output?: () => Promise<ToolOutput>;
}

/** The origin of a tool call. */
export interface CallOrigin {
  /** The same object for everything that belongs to one call of the model. */
  readonly owner: object;
  /** Unknown for a call of an earlier turn. */
  readonly responseId: string | undefined;
  readonly round: number;
  /** The same for every attempt at the call, and for no other call. Unset if there is one attempt. */
  readonly seed?: string | undefined;
}

export interface ExecuteOptions {
  readonly callId: string;
  /** The tool as it was offered. A tool that has changed since does not run. */
  readonly offered?: SourceTool | undefined;
  readonly origin?: CallOrigin | undefined;
  /** The span of the tool's run, in the form of W3C trace context. */
  readonly traceparent?: string | undefined;
  readonly signal: AbortSignal;
  /** Called for every sign of life; each one starts the idle limit anew. */
  readonly onProgress?: (progress: ToolProgress) => void;
  /** Longest silence, in milliseconds. Sources that call other servers pass it on. */
  readonly timeoutMs?: number;
  /** Longest duration in all, in milliseconds. */
  readonly totalTimeoutMs?: number;
  /** Called with the unchanged result of an MCP server. */
  readonly onResult?: (result: Record<string, unknown>) => void;
}

/** The requests that an MCP server's pages may send to it. Each rejects while the server is unreachable. */
export interface PageAccess {
  /** Returns a tool that pages may call. */
  tool(name: string, signal: AbortSignal): Promise<SourceTool | undefined>;
  /** Sends `resources/read` and returns the raw result. */
  read(uri: string, options: ReadOptions): Promise<Record<string, unknown>>;
}

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Longest duration in milliseconds, for a server whose entry sets none. */
  readonly timeoutMs?: number | undefined;
}

/**
 * A source of executable tools: an MCP server, functions of this process. An error that `execute` throws becomes an
 * error output for the model.
 */
export interface ToolSource {
  /** The server's key in the settings, or `local`. */
  readonly key: string;
  /** MCP sources precede local ones if both claim a name. `own`: of this package. Absent means `local`. */
  readonly kind?: 'mcp' | 'local' | 'own';
  /** Returns the same array until the tools change. Rejects while the source is unavailable. */
  list(signal?: AbortLike): Promise<readonly SourceTool[]>;
  execute(name: string, args: ToolArguments, options: ExecuteOptions): Promise<ToolOutput>;
  /** Returns warnings about tools that the latest listing omitted, each once. */
  takeWarnings?(): readonly string[];
  /** The server's instructions for models that use its tools; only if the settings enable it. */
  instructions?(): string | undefined;
  /** Returns its live client, for features that this package does not use: resources, prompts. Connects if needed. */
  client?(signal?: AbortLike): Promise<McpLiveClient>;
  /** Absent unless the settings open the server to its pages. */
  readonly pages?: PageAccess;
  /** Completes the user's sign-in; absent if the source needs no sign-in. */
  readonly finishSignIn?: (callbackUrl: string | URL) => Promise<void>;
  /** Its secrets, from the settings and from its requests; the same array until they change. */
  readonly secrets?: () => readonly string[];
  close(): Promise<void>;
}
