import type { ToolDeclaration } from '../core/tool.js';
import type { LoopOptions } from './loop-options.js';

/** Returns the tools that a call has from its beginning. The next turn may have other opened tools. */
export function offeredAtFirst({ toolset, call }: LoopOptions): readonly ToolDeclaration[] {
  const opened = new Set(toolset.opened);
  const ours = toolset.tools.filter((tool) => !opened.has(tool));
  return [...ours.map((tool) => tool.declaration), ...call.clientTools];
}
