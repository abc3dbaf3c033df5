import { isJsonObject, type JsonValue } from '../core/json.js';
import type { HostedTool, ToolChoice, ToolDeclaration } from '../core/tool.js';
import type { AllowedTool, HostedToolChoice, ToolChoice as WireToolChoice } from '../wire/tool.js';

/** `auto` is every server's default and goes unsaid. */
export function convertToolChoice(choice: ToolChoice, hosted: readonly HostedTool[]): WireToolChoice | undefined {
  if (choice.type === 'tool') return chooseTool(choice.name, hosted);
  return choice.type === 'auto' ? undefined : choice.type;
}

/** A hosted tool is chosen by its kind, a custom one by kind and name, a server by its label. */
function chooseTool(name: string, hosted: readonly HostedTool[]): WireToolChoice {
  const tool = hosted.find((candidate) => candidate.name === name);
  if (tool === undefined) return { type: 'function', name };
  if (tool.type === 'custom') return { type: 'custom', name };
  if (tool.type === 'mcp') return { type: 'mcp', server_label: labelOf(tool) };
  // The server knows more kinds than any list of ours.
  return { type: tool.type } as HostedToolChoice;
}

/** The option `allowedTools: { toolNames, mode? }`: narrows the choice and leaves `tools`, and so the prompt cache, alone. */
export function convertAllowedTools(
  option: JsonValue | undefined,
  functions: readonly ToolDeclaration[],
  hosted: readonly HostedTool[],
): WireToolChoice | undefined {
  if (!isJsonObject(option) || !Array.isArray(option['toolNames'])) return undefined;
  const tools = option['toolNames']
    .filter((name) => typeof name === 'string')
    .map((name) => allowedTool(name, functions, hosted));
  return { type: 'allowed_tools', mode: option['mode'] === 'required' ? 'required' : 'auto', tools };
}

function labelOf({ args, name }: HostedTool): string {
  return typeof args['serverLabel'] === 'string' ? args['serverLabel'] : name;
}

function allowedTool(name: string, functions: readonly ToolDeclaration[], hosted: readonly HostedTool[]): AllowedTool {
  const tool = functions.some((declared) => declared.name === name)
    ? undefined
    : hosted.find((candidate) => candidate.name === name);
  if (tool === undefined) return { type: 'function', name };
  if (tool.type === 'mcp') return { type: 'mcp', server_label: labelOf(tool) };
  return tool.type === 'custom' ? { type: 'custom', name } : { type: tool.type };
}
