import type { Call } from '../core/call.js';
import { type HostedTool, wireNameOf } from '../core/tool.js';
import { toolOfStep } from '../items/kinds.js';
import type { LoopTool } from '../tools/loop-tool.js';
import type { LoopOptions } from './loop-options.js';

export type OwnershipOptions = Pick<LoopOptions, 'call' | 'toolset' | 'onUnknownTool'>;

interface Ownership {
  readonly origin: 'loop' | 'client';
  /** There is such a tool. */
  readonly known: boolean;
  readonly tool?: LoopTool;
}

/**
 * A loop tool's name is ours, a name among the caller's tools is theirs. Any other goes where the settings send it, else to
 * the side that has tools.
 */
export function ownershipOf(name: string, { call, toolset, onUnknownTool }: OwnershipOptions): Ownership {
  const tool = toolset.byWireName.get(name);
  if (tool !== undefined) return { origin: 'loop', known: true, tool };
  if (call.clientTools.some((declaration) => declaration.name === name)) return { origin: 'client', known: true };
  const isOurs = onUnknownTool === undefined ? toolset.tools.length > 0 : onUnknownTool !== 'client';
  return { origin: isOurs ? 'loop' : 'client', known: false };
}

/**
 * The caller's declaration of a tool that the server knows by its kind, or by a name of its own where the caller gave it
 * one; kinds come with dates and `_preview`.
 */
export function hostedTool(kind: string, { hostedTools }: Call): HostedTool | undefined {
  return (
    hostedTools.find((tool) => wireNameOf(tool) === kind) ??
    hostedTools.find((tool) => tool.name === kind) ??
    hostedTools.find((tool) => tool.type === kind || tool.type.startsWith(`${kind}_`)) ??
    hostedTools.find((tool) => tool.type === toolOfStep(kind))
  );
}

/** Whether a call of a tool that is not there is ours to answer: then calls of ours may come in any round. */
export function answersUnknown(options: OwnershipOptions): boolean {
  return ownershipOf('', options).origin === 'loop';
}

/** A call of a tool that does not exist acts on nothing, so it may be answered at any time. */
export function mayOverlap(tool: LoopTool | undefined): boolean {
  return tool?.tool.readOnly ?? true;
}

const WRAPPERS: ReadonlySet<string> = new Set(['parallel', 'multi_tool_use.parallel']);

/** A tool that models make up for several calls; see `ParallelCalls`. */
export function isParallelWrapper(name: string): boolean {
  return WRAPPERS.has(name);
}
