import type { ResponseFormat } from '../core/call.js';
import type { HostedTool, ToolDeclaration } from '../core/tool.js';
import type { TextFormat } from '../wire/request.js';
import type { FunctionTool, Tool } from '../wire/tool.js';
import { convertHostedTool } from './convert-hosted-tool.js';
import { defined } from '../util/defined.js';

export function convertTools(functions: readonly ToolDeclaration[], hosted: readonly HostedTool[]): Tool[] {
  return [...functions.map(convertFunctionTool), ...hosted.map(convertHostedTool)];
}

/** `strict` is always said: servers take a schema as strict where they are told nothing (vercel/ai#6925). */
function convertFunctionTool(tool: ToolDeclaration): FunctionTool {
  return {
    type: 'function',
    name: tool.name,
    ...defined({ description: tool.description }),
    parameters: tool.inputSchema,
    strict: tool.strict ?? false,
  };
}

export function convertResponseFormat(format: ResponseFormat, strict: boolean): TextFormat | undefined {
  if (format.type === 'text') return undefined;
  if (format.schema === undefined) return { type: 'json_object' };
  return {
    type: 'json_schema',
    name: format.name ?? 'response',
    ...defined({ description: format.description }),
    schema: format.schema,
    strict,
  };
}
