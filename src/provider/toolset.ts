import type { LoopTool, ToolsetOptions, Toolset, ToolRegistry } from '../tools/loop-tool.js';

/** The toolset of a call without loop tools. */
export const NO_TOOLS: Toolset = {
  tools: [],
  byWireName: new Map<string, LoopTool>(),
  warnings: [],
  instructions: [],
};

/** The options that all calls share. */
export type FixedToolsetOptions = Pick<ToolsetOptions, 'nameClash'>;

/** A registry with one fact that is known at once. */
export interface KnownRegistry extends ToolRegistry {
  /** The settings name no tools, so no wait is needed. */
  readonly isEmpty: boolean;
}
