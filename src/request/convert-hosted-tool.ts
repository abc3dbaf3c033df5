import { isJsonObject, type JsonObject, type JsonValue, toSnakeCase } from '../core/json.js';
import type { HostedTool } from '../core/tool.js';
import type { Tool } from '../wire/tool.js';

/** Members whose keys are data of the user's, not names of the API's. */
const AS_THEY_ARE: ReadonlySet<string> = new Set(['headers', 'filters', 'schema', 'parameters', 'variables']);

/** Where the wire says more, or something else, than the AI SDK's arguments in snake case. */
const SPECIAL: Readonly<Record<string, (body: JsonObject, tool: HostedTool) => JsonObject>> = {
  file_search: ({ ranking, ...body }) => ({ ...body, ...(ranking === undefined ? {} : { ranking_options: ranking }) }),
  web_search: (body, { args }) =>
    isJsonObject(args['filters']) ? { ...body, filters: toSnakeCase(args['filters']) } : body,
  code_interpreter: (body) => ({ ...body, container: containerOf(body['container']) }),
  custom: (body, { name }) => ({ name, ...body }),
};

/** A tool the server runs, as the wire has it: the caller's arguments in snake case. */
export function convertHostedTool(tool: HostedTool): Tool {
  const body = toSnakeCase(tool.args, AS_THEY_ARE) as JsonObject;
  const special = Object.hasOwn(SPECIAL, tool.type) ? SPECIAL[tool.type] : undefined;
  return { ...(special === undefined ? body : special(body, tool)), type: tool.type };
}

/** A container's id, or a new one with files in it. */
function containerOf(container: JsonValue | undefined): JsonValue {
  if (typeof container === 'string') return container;
  return isJsonObject(container) && container['type'] !== undefined
    ? container
    : { type: 'auto', ...(isJsonObject(container) ? container : {}) };
}
