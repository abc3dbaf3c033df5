import { isJsonObject, type JsonObject, type JsonValue, toSnakeCase } from '../core/json.js';
import {
  type HostedTool,
  type ToolChoice,
  type ToolDeclaration,
  type ToolNamespace,
  wireNameOf,
} from '../core/tool.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { defined } from '../util/defined.js';
import { asString, rowOf } from '../util/guards.js';
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
 * Functions as the wire has them; those of one namespace stand together, where its first one stands.
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
    message: `The tool "${tool}" describes its namespace "${name}" otherwise than the tools before it; a namespace has one description.`,
  });
}

/** `strict` is always said: servers take a schema as strict if nothing is said (vercel/ai#6925). */
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

/** Members whose keys are data of the user's, not names of the API's. */
const AS_THEY_ARE: ReadonlySet<string> = new Set([
  'headers',
  'filters',
  'schema',
  'parameters',
  'variables',
  'providerReference',
]);

/** Under which names an id for this back end may stand. */
type Keys = readonly string[];

/** Where the wire says more, or something else, than the AI SDK's arguments in snake case; by id, else by kind. */
const SPECIAL: Readonly<Record<string, (body: JsonObject, tool: HostedTool, keys: Keys) => JsonObject>> = {
  file_search: ({ ranking, ...body }) => ({ ...body, ...(ranking === undefined ? {} : { ranking_options: ranking }) }),
  web_search: (body, { args }) =>
    isJsonObject(args['filters']) ? { ...body, filters: toSnakeCase(args['filters']) } : body,
  code_interpreter: (body) => ({ ...body, container: containerOf(body['container']) }),
  // Under this name it runs at xAI, which has no containers to choose from.
  'xai.code_execution': (body) => body,
  custom: (body, tool) => ({ ...body, name: wireNameOf(tool) }),
  // The server's own default is to ask for every call.
  'openai.mcp': (body) => ({ ...body, require_approval: approvalOf(body['require_approval']) }),
  shell: ({ environment, ...body }, { name }, keys) =>
    isJsonObject(environment) ? { ...body, environment: environmentOf(environment, name, keys) } : body,
};

/**
 * A tool the server runs, as the wire has it: the caller's arguments in snake case.
 *
 * @throws ResponsesLoopError `invalid-options`: a skill that has no id for this back end
 */
export function convertHostedTool(tool: HostedTool, keys: Keys): Tool {
  const body = toSnakeCase(tool.args, AS_THEY_ARE) as JsonObject;
  const special = rowOf(SPECIAL, tool.id) ?? rowOf(SPECIAL, tool.type);
  return { ...(special === undefined ? body : special(body, tool, keys)), type: tool.type };
}

/** A container's id, or a new one with files in it. */
function containerOf(container: JsonValue | undefined): JsonValue {
  if (typeof container === 'string') return container;
  return isJsonObject(container) && container['type'] !== undefined
    ? container
    : { type: 'auto', ...(isJsonObject(container) ? container : {}) };
}

/** A filter that names nothing is no answer. */
function approvalOf(value: JsonValue | undefined): JsonValue {
  const saysNothing = isJsonObject(value) && Object.values(value).every((list) => list === undefined || list === null);
  return value === undefined || value === null || saysNothing ? 'never' : value;
}

/** Where commands run; with no type, it is the caller's machine. */
function environmentOf({ skills, ...environment }: JsonObject, tool: string, keys: Keys): JsonObject {
  return {
    type: 'local',
    ...environment,
    ...(Array.isArray(skills) ? { skills: skills.map((skill) => skillOf(skill, tool, keys)) } : {}),
  };
}

/** A skill that was uploaded before: each provider's id of it. */
function skillOf(skill: JsonValue, tool: string, keys: Keys): JsonValue {
  if (!isJsonObject(skill)) return skill;
  const { provider_reference: reference, ...rest } = skill;
  if (!isJsonObject(reference)) return skill;
  const id = keys.map((key) => reference[key]).find((found) => typeof found === 'string');
  if (id === undefined)
    throw new ResponsesLoopError({
      code: 'invalid-options',
      message: `A skill of the tool "${tool}" has no id for ${keys.join(' or ')}: its providerReference names ${Object.keys(reference).join(', ') || 'nobody'}. Upload it there first.`,
    });
  return { version: 'latest', ...rest, skill_id: id };
}

/** `auto` is every server's default and goes unsaid. */
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
  // The server knows more kinds than any list of ours.
  return { type } as HostedToolChoice;
}
