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
import type {
  FunctionTool,
  HostedToolChoice,
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
  const name = [tool.id, tool.type].find((known) => Object.hasOwn(SPECIAL, known));
  const special = name === undefined ? undefined : SPECIAL[name];
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
