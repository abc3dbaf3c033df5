import { isJsonObject, type JsonObject, type JsonValue, toSnakeCase } from '../core/json.js';
import { type HostedTool, wireNameOf } from '../core/tool.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { Tool } from '../wire/tool.js';

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
