import { isJsonObject, type JsonValue } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import { asId } from '../../util/guards.js';
import { any, text } from '../fields.js';
import type { HostedKind } from '../kind.js';
import { argumentsOf, oneOf, pick, texts } from '../members.js';

/** `@ai-sdk/openai`'s prefix for names of tools of a server's own MCP server. */
export const MCP_PREFIX = 'mcp.';

const SERVER = {
  serverUrl: 'string',
  serverLabel: 'string',
  serverDescription: 'string',
  headers: 'object',
  authorization: 'string',
} as const;

/** Names, in either spelling, of the places where an MCP server can be. */
const PLACES = ['serverUrl', 'connectorId', 'tunnelId', 'server_url', 'connector_id', 'tunnel_id'];

/** A tool of an MCP server that the model's server connects to. */
export const mcp = {
  type: 'mcp_call',
  tool: 'mcp',
  arguments: {
    'openai.mcp': {
      members: {
        ...SERVER,
        connectorId: 'string',
        tunnelId: 'string',
        allowedTools: { either: [texts, 'object'] },
        requireApproval: { either: [oneOf('always', 'never'), 'object'] },
      },
      needs: { oneOf: PLACES, allowed: 'an object with serverUrl, connectorId or tunnelId' },
    },
    'xai.mcp': { members: { ...SERVER, allowedTools: texts }, required: ['serverUrl'] },
  },
  // OpenAI's own default asks the user about each call.
  declare: (body, { id }) =>
    id === 'openai.mcp' ? { ...body, require_approval: approvalOf(body['require_approval']) } : body,
  nameOf: (item) => {
    const name = asId(item['name']);
    return name === undefined ? undefined : MCP_PREFIX + name;
  },
  input: (item) => argumentsOf(item['arguments']),
  result: ({ server_label: serverLabel, ...item }) => ({
    type: 'call',
    ...defined({ serverLabel }),
    ...pick(item, ['name', 'arguments', 'output', 'error', 'status']),
  }),
  needs: { server_label: text, name: text, arguments: text },
  may: { output: text, error: any, approval_request_id: text },
} as const satisfies HostedKind;

/** Returns `never` for a filter without names, which answers nothing. */
function approvalOf(value: JsonValue | undefined): JsonValue {
  const isEmpty = isJsonObject(value) && Object.values(value).every((names) => names === undefined || names === null);
  return value === undefined || value === null || isEmpty ? 'never' : value;
}
