import type { ResponseFormat } from '../core/call.js';
import type { HostedTool, ToolChoice, ToolDeclaration } from '../core/tool.js';
import type { TextFormat } from '../wire/request.js';
import type { FunctionTool, Tool, ToolChoice as WireToolChoice } from '../wire/tool.js';

export function convertTools(functions: readonly ToolDeclaration[], hosted: readonly HostedTool[]): Tool[] {
  return [
    ...functions.map(
      (tool): FunctionTool => ({
        type: 'function',
        name: tool.name,
        ...(tool.description === undefined ? {} : { description: tool.description }),
        parameters: tool.inputSchema,
        strict: tool.strict ?? false,
      }),
    ),
    ...hosted.map((tool): Tool => ({ ...tool.body, type: tool.type })),
  ];
}

/** `auto` is every server's default and goes unsaid. */
export function convertToolChoice(choice: ToolChoice): WireToolChoice | undefined {
  if (choice.type === 'tool') return { type: 'function', name: choice.name };
  return choice.type === 'auto' ? undefined : choice.type;
}

export function convertResponseFormat(format: ResponseFormat, strict: boolean): TextFormat | undefined {
  if (format.type === 'text') return undefined;
  if (format.schema === undefined) return { type: 'json_object' };
  return {
    type: 'json_schema',
    name: format.name ?? 'response',
    ...(format.description === undefined ? {} : { description: format.description }),
    schema: format.schema,
    strict,
  };
}
