import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { FunctionOptions, ToolArguments } from '../core/tool.js';
import type { Audience } from './mcp/apps/extension.js';
import type { McpLiveClient } from './mcp/connect/client-like.js';
import type { AbortLike } from '../util/abort.js';

/** The key by which `approve`, events and names know the functions in `tools`. */
export const LOCAL_SOURCE_KEY = 'local';

/** A tool as its source names and describes it. */
export interface SourceTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** As the source published it; made acceptable later. */
  readonly inputSchema: JsonObject;
  /** Characters of it as JSON; references are not replaced by what they refer to where that would make it longer. */
  readonly maxSchemaChars?: number;
  /** May run while the model still streams, beside others. */
  readonly readOnly: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  /** Reaches things outside this program: the web, other people. */
  readonly openWorld?: boolean;
  /** The page that an app can show for it, as MCP Apps have it: `{ resourceUri, … }`. */
  readonly ui?: JsonObject;
  /** Names the only caller; absent: the model and pages of its server. */
  readonly audience?: Audience;
  /** Idle limit of one call in milliseconds; absent means the call's default. */
  readonly timeoutMs?: number;
  /** Longest duration of one call in milliseconds, progress or not; absent means ten times the idle limit. */
  readonly totalTimeoutMs?: number;
  /** Characters of an output that the model is given at once; absent means the call's default. */
  readonly maxOutputChars?: number;
  /** The tool itself says whether it needs approval with these arguments. */
  needsApproval?(args: ToolArguments, callId: string): boolean | PromiseLike<boolean>;
  /**
   * What does not fit in these arguments, as a sentence for the model; `undefined` if they fit. Called before
   * approval is asked for: a call that cannot run needs none. Never rejects, runs nothing, and `execute` checks
   * again, since much time may pass in between. Absent if there is no check.
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

/** Where a call of a tool comes from. */
export interface CallOrigin {
  /** The same object for everything that belongs to one call of the model. */
  readonly owner: object;
  /** Unknown for a call that an earlier turn asked for. */
  readonly responseId: string | undefined;
  readonly round: number;
  /** The same for every attempt at the call, and for no other call. Unset if there is one attempt. */
  readonly seed?: string | undefined;
}

export interface ExecuteOptions {
  readonly callId: string;
  /** The tool as it was offered. One that was changed since is not run. */
  readonly offered?: SourceTool | undefined;
  readonly origin?: CallOrigin | undefined;
  /** The span that the tool runs in, in the words of W3C trace context. */
  readonly traceparent?: string | undefined;
  readonly signal: AbortSignal;
  /** Called for every sign of life; each one starts the idle limit anew. */
  readonly onProgress?: (progress: ToolProgress) => void;
  /** Longest silence, in milliseconds. A source that talks to others passes it on. */
  readonly timeoutMs?: number;
  /** Longest duration in all, in milliseconds. */
  readonly totalTimeoutMs?: number;
  /** Called with the result as an MCP server sent it. */
  readonly onResult?: (result: Record<string, unknown>) => void;
}

/** The requests that pages of an MCP server may make of it. Each rejects while the server cannot be reached. */
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
 * Where executable tools come from: an MCP server, functions of this process. `execute` may throw; what it throws becomes
 * an error output for the model.
 */
export interface ToolSource {
  /** The server's key in the settings, or `local`. */
  readonly key: string;
  /** MCP sources come before local ones where both claim a name. `own`: of this package. Absent means `local`. */
  readonly kind?: 'mcp' | 'local' | 'own';
  /** Cheap when nothing changed: the same array is handed out again. Rejects while the source is unavailable. */
  list(signal?: AbortLike): Promise<readonly SourceTool[]>;
  execute(name: string, args: ToolArguments, options: ExecuteOptions): Promise<ToolOutput>;
  /** What the latest listing left out and why; each sentence is handed out once. */
  takeWarnings?(): readonly string[];
  /** What the server wants every model to know that uses its tools; only where the settings ask for it. */
  instructions?(): string | undefined;
  /** The live client behind it, for what this package does not use: resources, prompts. Connects if need be. */
  client?(signal?: AbortLike): Promise<McpLiveClient>;
  /** Absent if the settings do not open the server to its pages. */
  readonly pages?: PageAccess;
  /** Ends the sign-in that a person was sent to; absent if the source needs no sign-in. */
  readonly finishSignIn?: (callbackUrl: string | URL) => Promise<void>;
  /** What it was given in confidence, and what was sent on its behalf; the same array until it changes. */
  readonly secrets?: () => readonly string[];
  close(): Promise<void>;
}
