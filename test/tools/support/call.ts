import type { ObserverEvent } from '../../../src/observe/event.js';
import type { ToolOutput } from '../../../src/core/message.js';
import type { CallScope, ExecuteToolCallOptions, RunLimits } from '../../../src/tools/call/call-scope.js';
import { executeToolCall } from '../../../src/tools/call/execute-tool-call.js';
import type { LoopTool, Toolset, ToolRegistry } from '../../../src/tools/loop-tool.js';

/** The toolset as a call without tools of its own would get it. */
export function toolsetOf(registry: ToolRegistry, signal?: AbortSignal): Promise<Toolset> {
  return registry.toolset({ clientNames: [], nameClash: 'rename', ...(signal === undefined ? {} : { signal }) });
}

export function toolNamed(toolset: Toolset, name: string): LoopTool {
  const tool = toolset.byWireName.get(name);
  if (tool === undefined)
    throw new Error(`not offered: ${name}; offered: ${[...toolset.byWireName.keys()].join(', ')}`);
  return tool;
}

/** Everything in one object, as tests have a few of them each. */
export type CallToolOptions = Partial<Omit<ExecuteToolCallOptions, 'scope'> & Omit<CallScope, 'limits'> & RunLimits>;

export async function callTool(tool: LoopTool, args: unknown, options: CallToolOptions = {}): Promise<ToolOutput> {
  const outcome = await executeToolCall({
    tool,
    callId: 'call_1',
    argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
    signal: new AbortController().signal,
    round: 0,
    ...options,
    scope: { callNumber: 1, now: Date.now, ...options, limits: options },
  });
  if (outcome === 'awaits-user') throw new Error('the call waits for the user');
  return outcome;
}

export function textOf(output: ToolOutput): string {
  return output.content.map((block) => (block.type === 'text' ? block.text : `<${block.mediaType}>`)).join('\n');
}

/** An observer that keeps what it sees. */
export function recorder(): { events: ObserverEvent[]; observer: (event: ObserverEvent) => void } {
  const events: ObserverEvent[] = [];
  return { events, observer: (event) => void events.push(event) };
}
