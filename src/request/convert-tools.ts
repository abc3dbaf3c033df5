import { ownWords } from '../core/clean-text.js';
import { type JsonObject, toSnakeCase } from '../core/json.js';
import {
  type HostedTool,
  type ToolChoice,
  type ToolDeclaration,
  type ToolNamespace,
  wireNameOf,
} from '../core/tool.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { kindOfTool } from '../items/kinds.js';
import { defined } from '../util/defined.js';
import { asString } from '../util/guards.js';
import type {
  FunctionTool,
  HostedToolChoice,
  McpToolChoice,
  NamedToolChoice,
  NamespaceTool,
  Tool,
  ToolChoice as WireToolChoice,
} from '../wire/tool.js';

/**
 * Returns functions in the wire's form; those of a namespace are together, at the place of its first.
 *
 * @throws ResponsesLoopError `invalid-options`: a namespace with two descriptions
 */
export function convertFunctions(functions: readonly ToolDeclaration[]): (FunctionTool | NamespaceTool)[] {
  const namespaces = new Map<string, { readonly description: string; readonly tools: FunctionTool[] }>();
  return functions.flatMap((tool): (FunctionTool | NamespaceTool)[] => {
    const { namespace } = tool;
    if (tool.omitFromRequestTools === true) return [];
    if (namespace === undefined) return [convertFunction(tool)];
    const { name, description } = namespace;
    const known = namespaces.get(name);
    if (known === undefined) {
      const tools = [convertFunction(tool)];
      namespaces.set(name, { description, tools });
      return [{ type: 'namespace', name, description, tools }];
    }
    if (known.description !== description) throw twoDescriptions(tool.name, namespace);
    known.tools.push(convertFunction(tool));
    return [];
  });
}

function twoDescriptions(tool: string, { name }: ToolNamespace): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'invalid-options',
    message: ownWords(`The tool "${tool}" describes its namespace "${name}" differently from the tools before it.`),
  });
}

/** Always sends `strict`: without it, servers take a schema as strict (vercel/ai#6925). */
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

/** Members whose keys are the user's data, not API names. */
const AS_THEY_ARE: ReadonlySet<string> = new Set([
  'headers',
  'filters',
  'schema',
  'parameters',
  'variables',
  'providerReference',
]);

/**
 * Writes the declaration of a hosted tool: the caller's arguments in snake case. `keys`: the providers whose ids of a skill
 * this back end knows.
 *
 * @throws ResponsesLoopError `invalid-options`: a skill that has no id for this back end
 */
export function convertHostedTool(tool: HostedTool, keys: readonly string[]): Tool {
  const body = toSnakeCase(tool.args, AS_THEY_ARE) as JsonObject;
  return { ...(kindOfTool(tool.type)?.declare?.(body, tool, keys) ?? body), type: tool.type };
}

/** Omits `auto`, which is every server's default. */
export function convertToolChoice(choice: ToolChoice, hosted: readonly HostedTool[]): WireToolChoice | undefined {
  if (choice.type !== 'tool') return choice.type === 'auto' ? undefined : choice.type;
  const tool = hosted.find(({ name }) => name === choice.name);
  return tool === undefined ? { type: 'function', name: choice.name } : chooseHosted(tool);
}

/** A hosted tool is chosen by its kind, a custom one by kind and name, a server by its label. */
export function chooseHosted(tool: HostedTool): NamedToolChoice | McpToolChoice | HostedToolChoice {
  const { type, name, args } = tool;
  if (type === 'custom') return { type, name: wireNameOf(tool) };
  if (type === 'mcp') return { type, server_label: asString(args['serverLabel']) ?? name };
  // The server may support more kinds than our list has.
  return { type } as HostedToolChoice;
}
