import type { ToolOutput } from '../core/message.js';
import type { FunctionOptions, ToolDeclaration } from '../core/tool.js';
import type { Unsupported } from '../core/warning.js';
import type { SourceTool, ToolSource } from './tool-source.js';
import type { AbortLike } from '../util/abort.js';

/**
 * A tool of a source, ready to be offered: legal unique name, acceptable schema, and the way back to its source. For a list
 * to show to people: `declaration.name` (wire), `source.key`, `tool.name` (original), `tool.title`, `tool.readOnly`.
 */
export interface LoopTool {
  readonly declaration: ToolDeclaration;
  readonly source: ToolSource;
  readonly tool: SourceTool;
  /** The tool's earlier form, if its call began in another process with other annotations. */
  readonly recorded?: RecordedTool;
}

/** A tool in the form that an earlier attempt at the call offered. */
export interface RecordedTool {
  /** Whether an interrupted run is repeated, which decides the steps of a run. */
  readonly mayRepeat: boolean;
  /** The tool as it was offered. */
  readonly offered: SourceTool;
}

/** The tools that a call offers the model: in stable order, so that the bytes of `tools` never change. */
export interface Toolset {
  readonly tools: readonly LoopTool[];
  readonly byWireName: ReadonlyMap<string, LoopTool>;
  /** Dead servers, dropped tools, renamed tools: reported once per call, never thrown. */
  readonly warnings: readonly string[];
  /** Tool options that the server does not support. */
  readonly leftOut?: readonly Unsupported[];
  /** Instructions of the servers of these tools for every model; only if the settings enable it. */
  readonly instructions: readonly ServerInstructions[];
  /** The names of all tools, also of unreachable sources. Unset: a source was never listed. */
  readonly knownNames?: readonly string[] | undefined;
  /** Opens further tools for calls that the model has made. */
  readonly opens?: OpenTools | undefined;
  /** Tools that exist but are not offered yet. */
  readonly keptBack?: KeptBack | undefined;
  /** Tools among `tools` that calls have opened; a request lists them after the caller's tools. */
  readonly opened?: readonly LoopTool[] | undefined;
}

/** Tools that the model may call once they are open. */
export interface KeptBack {
  readonly byWireName: ReadonlyMap<string, LoopTool>;
  /** Returns the output for a model that calls one too early. */
  readonly refusal: (name: string) => string;
}

/** A call of a loop tool, with its output. */
export interface OpeningCall {
  readonly call: { readonly name: string };
  readonly output: ToolOutput;
}

/**
 * Returns the tools that these calls open. Depends only on the calls, because a call that continues in another process
 * needs them again.
 */
export type OpenTools = (calls: readonly OpeningCall[]) => Promise<readonly LoopTool[]>;

export interface ServerInstructions {
  readonly source: string;
  readonly text: string;
}

export interface ToolsetOptions {
  /** Names of the caller's own tools; they keep them (`rename`) or lose them (`loop`). */
  readonly clientNames: readonly string[];
  readonly nameClash: 'rename' | 'loop';
  /** Declaration options that the server and its model support; others are omitted with a warning. @default all */
  readonly knownOptions?: ReadonlySet<keyof FunctionOptions> | undefined;
  /** Keys of the sources whose tools are offered; others are not listed, and keep their claim on names. @default all */
  readonly servers?: ReadonlySet<string> | undefined;
  /** Rejects the toolset when it fires; connections for other calls continue. */
  readonly signal?: AbortLike;
}

/** A source with a live client behind it: an MCP server. */
export type ServerSource = ToolSource & Required<Pick<ToolSource, 'client'>>;

/** All tool sources of a provider: MCP servers first, then local functions. */
export interface ToolRegistry {
  /** Rejects only when `signal` fires (its abort error) or the registry was closed (`ResponsesLoopError`, `closed`). */
  toolset(options: ToolsetOptions): Promise<Toolset>;
  /** The source of an MCP server. Rejects for an unknown key. */
  source(key: string): Promise<ServerSource>;
  /** Completes the user's sign-in for an MCP server. */
  finishSignIn(key: string, callbackUrl: string | URL): Promise<void>;
  /** The secrets of the sources; the same array until they change. */
  readonly secrets: () => readonly string[];
  /** Ends processes, connections and timers; a second call waits for the same end. */
  close(): Promise<void>;
}
