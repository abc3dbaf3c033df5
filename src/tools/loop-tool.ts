import type { ToolDeclaration } from '../core/tool.js';
import type { SourceTool, ToolSource } from './tool-source.js';

/** A tool of a source, ready to be offered: legal unique name, acceptable schema, and the way back to its source. */
export interface LoopTool {
  readonly declaration: ToolDeclaration;
  readonly source: ToolSource;
  readonly tool: SourceTool;
}

/** What a call may offer the model: in stable order, so that the bytes of `tools` are the same every time. */
export interface ToolOffer {
  readonly tools: readonly LoopTool[];
  readonly byWireName: ReadonlyMap<string, LoopTool>;
  /** Dead servers, dropped tools, renamed tools: said once per call, never thrown. */
  readonly warnings: readonly string[];
}

export interface OfferOptions {
  /** Names of the caller's own tools; they keep them (`rename`) or give them up (`loop`). */
  readonly clientNames: readonly string[];
  readonly nameClash: 'rename' | 'loop';
  readonly signal?: AbortSignal;
}

/** All tool sources of a provider: MCP servers first, then local functions. */
export interface ToolRegistry {
  offer(options: OfferOptions): Promise<ToolOffer>;
  close(): Promise<void>;
}
