import type { ResponseFormat } from '../core/call.js';
import type { ToolDeclaration, ToolNamespace } from '../core/tool.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { defined } from '../util/defined.js';
import type { TextFormat } from '../wire/text-format.js';
import type { FunctionTool, NamespaceTool } from '../wire/tool.js';

/**
 * Functions as the wire has them; those of one namespace stand together, where its first one stands.
 *
 * @throws ResponsesLoopError `invalid-options`: a namespace with two descriptions
 */
export function convertFunctions(functions: readonly ToolDeclaration[]): (FunctionTool | NamespaceTool)[] {
  const namespaces = new Map<string, { readonly description: string; readonly tools: FunctionTool[] }>();
  return functions.flatMap((tool): (FunctionTool | NamespaceTool)[] => {
    if (tool.omitFromRequestTools === true) return [];
    const { namespace } = tool;
    if (namespace === undefined) return [convertFunction(tool)];
    const known = namespaces.get(namespace.name);
    if (known !== undefined && known.description !== namespace.description) throw twoDescriptions(tool.name, namespace);
    const { description, tools } = known ?? { description: namespace.description, tools: [] };
    tools.push(convertFunction(tool));
    if (known !== undefined) return [];
    namespaces.set(namespace.name, { description, tools });
    return [{ type: 'namespace', name: namespace.name, description, tools }];
  });
}

function twoDescriptions(tool: string, { name }: ToolNamespace): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'invalid-options',
    message: `The tool "${tool}" describes its namespace "${name}" otherwise than the tools before it; a namespace has one description.`,
  });
}

/** `strict` is always said: servers take a schema as strict where they are told nothing (vercel/ai#6925). */
function convertFunction(tool: ToolDeclaration): FunctionTool {
  const { deferLoading, allowedCallers, outputSchema, async } = tool;
  return {
    type: 'function',
    name: tool.name,
    ...defined({ description: tool.description }),
    parameters: tool.inputSchema,
    strict: tool.strict ?? false,
    ...defined({
      async,
      defer_loading: deferLoading,
      allowed_callers: allowedCallers === undefined ? undefined : [...allowedCallers],
      output_schema: outputSchema,
    }),
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
