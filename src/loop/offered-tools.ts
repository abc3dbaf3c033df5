import type { ToolDeclaration } from '../core/tool.js';
import type { LoopOptions } from './loop-options.js';

/** Returns the tools that a call has from its beginning. Tools that calls have opened may be others in the next turn. */
export function offeredAtFirst({ toolset, call }: LoopOptions): readonly ToolDeclaration[] {
  const opened = new Set(toolset.opened);
  const ours = toolset.tools.filter((tool) => !opened.has(tool));
  return [...ours.map((tool) => tool.declaration), ...call.clientTools];
}
