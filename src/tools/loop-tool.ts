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
  /** Of a call that began in another process, where the tool said something else of itself then. */
  readonly recorded?: RecordedTool;
}

/** A tool as an earlier attempt at the call offered it. */
export interface RecordedTool {
  /** A run that was cut is made again: decides which steps a run has. */
  readonly mayRepeat: boolean;
  /** The tool as it was offered. */
  readonly offered: SourceTool;
}

/** The tools that a call offers the model: in stable order, so that the bytes of `tools` are the same every time. */
export interface Toolset {
  readonly tools: readonly LoopTool[];
  readonly byWireName: ReadonlyMap<string, LoopTool>;
  /** Dead servers, dropped tools, renamed tools: said once per call, never thrown. */
  readonly warnings: readonly string[];
  /** Options of tools that the server does not know. */
  readonly leftOut?: readonly Unsupported[];
  /** What servers with tools among these want every model to know; only where the settings ask for it. */
  readonly instructions: readonly ServerInstructions[];
  /** The names of all tools there are, also of sources that cannot be reached. Unset: some source has never been listed. */
  readonly knownNames?: readonly string[] | undefined;
  /** Opens further tools for calls that the model has made. */
  readonly opens?: OpenTools | undefined;
  /** Tools that are there, and not offered yet. */
  readonly keptBack?: KeptBack | undefined;
  /** Tools among `tools` that calls have opened: a request has them behind the caller's tools. */
  readonly opened?: readonly LoopTool[] | undefined;
}

/** Tools that the model may call once they were opened. */
export interface KeptBack {
  readonly byWireName: ReadonlyMap<string, LoopTool>;
  /** Returns what the model reads that calls one of them before. */
  readonly refusal: (name: string) => string;
}

/** A call of a loop tool that has its output. */
export interface OpeningCall {
  readonly call: { readonly name: string };
  readonly output: ToolOutput;
}

/**
 * Returns the tools that these calls open. Depends on nothing but the calls, because a call that goes on in another process
 * asks again.
 */
export type OpenTools = (calls: readonly OpeningCall[]) => Promise<readonly LoopTool[]>;

export interface ServerInstructions {
  readonly source: string;
  readonly text: string;
}

export interface ToolsetOptions {
  /** Names of the caller's own tools; they keep them (`rename`) or give them up (`loop`). */
  readonly clientNames: readonly string[];
  readonly nameClash: 'rename' | 'loop';
  /** Options of declarations that the server and its model know; others are left out with a warning. @default all */
  readonly knownOptions?: ReadonlySet<keyof FunctionOptions> | undefined;
  /** Keys of the sources whose tools are offered; others are not asked, and keep their claim on names. @default all */
  readonly servers?: ReadonlySet<string> | undefined;
  /** Rejects the toolset when it fires; connections that other calls wait for go on. */
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
  /** Ends the sign-in that a person was sent to for an MCP server. */
  finishSignIn(key: string, callbackUrl: string | URL): Promise<void>;
  /** What the sources were given in confidence; the same array until it changes. */
  readonly secrets: () => readonly string[];
  /** Ends processes, connections and timers; calling it again waits for the same end. */
  close(): Promise<void>;
}
