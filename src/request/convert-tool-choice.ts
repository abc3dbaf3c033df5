import { type HostedTool, type ToolChoice, wireNameOf } from '../core/tool.js';
import type { HostedToolChoice, ToolChoice as WireToolChoice } from '../wire/tool.js';

/** `auto` is every server's default and goes unsaid. */
export function convertToolChoice(choice: ToolChoice, hosted: readonly HostedTool[]): WireToolChoice | undefined {
  if (choice.type === 'tool') return chooseTool(choice.name, hosted);
  return choice.type === 'auto' ? undefined : choice.type;
}

/** A hosted tool is chosen by its kind, a custom one by kind and name, a server by its label. */
function chooseTool(name: string, hosted: readonly HostedTool[]): WireToolChoice {
  const tool = hosted.find((candidate) => candidate.name === name);
  if (tool === undefined) return { type: 'function', name };
  if (tool.type === 'custom') return { type: 'custom', name: wireNameOf(tool) };
  if (tool.type === 'mcp') return { type: 'mcp', server_label: labelOf(tool) };
  // The server knows more kinds than any list of ours.
  return { type: tool.type } as HostedToolChoice;
}

export function labelOf({ args, name }: HostedTool): string {
  return typeof args['serverLabel'] === 'string' ? args['serverLabel'] : name;
}
