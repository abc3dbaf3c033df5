import type { ObserverEvent } from '../../../src/observe/event.js';
import type { ToolOutput } from '../../../src/core/message.js';
import { executeToolCall, type ExecuteToolCallOptions } from '../../../src/tools/call/execute-tool-call.js';
import type { LoopTool, ToolOffer, ToolRegistry } from '../../../src/tools/loop-tool.js';

/** An offer as a call without tools of its own would get it. */
export function offerOf(registry: ToolRegistry, signal?: AbortSignal): Promise<ToolOffer> {
  return registry.offer({ clientNames: [], nameClash: 'rename', ...(signal === undefined ? {} : { signal }) });
}

export function toolNamed(offer: ToolOffer, name: string): LoopTool {
  const tool = offer.byWireName.get(name);
  if (tool === undefined) throw new Error(`not offered: ${name}; offered: ${[...offer.byWireName.keys()].join(', ')}`);
  return tool;
}

export async function callTool(
  tool: LoopTool,
  args: unknown,
  options: Partial<ExecuteToolCallOptions> = {},
): Promise<ToolOutput> {
  const outcome = await executeToolCall({
    tool,
    callId: 'call_1',
    argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
    signal: new AbortController().signal,
    callNumber: 1,
    round: 0,
    ...options,
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
