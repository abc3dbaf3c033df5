import type { JsonValue } from '../../core/json.js';
import { asArray, asId, asRecord } from '../../util/guards.js';
import type { HostedTool } from '../../wire/tool.js';
import { any, type Field, text } from '../fields.js';
import type { CallKind } from '../kind.js';
import { COMPLETED, objectOf, oneOf, pick, textOf } from '../members.js';

const CLIENT_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

/**
 * Returns whether only the client runs a tool. A namespace may contain tools at any depth, and each has to be the
 * client's.
 */
export function isClients(tool: unknown): tool is HostedTool {
  const { type, tools } = asRecord(tool) ?? {};
  return CLIENT_TOOLS.has(type) && asArray(tools).every(isClients);
}

/** Tools that a search found. Tools that the server would run (an MCP server at any URL) count only if signed. */
const foundTools: Field = (value, signed) => {
  if (!Array.isArray(value)) return undefined;
  return signed || value.every(isClients) ? (value as JsonValue) : undefined;
};

/** A search for tools, which the server makes or the client. */
export const toolSearch = {
  type: 'tool_search_call',
  tool: 'tool_search',
  arguments: {
    'openai.tool_search': {
      members: { execution: oneOf('server', 'client'), description: 'string', parameters: 'object' },
    },
  },
  runsAt: ({ execution }) => (execution === 'client' ? 'client' : 'server'),
  // `@ai-sdk/openai` takes a call with an id for the client's.
  input: (item) => ({
    ...pick(item, ['arguments']),
    call_id: item['execution'] === 'client' ? (item['call_id'] ?? null) : null,
  }),
  streaming: { frame: () => ({ opening: '', closing: '' }) },
  fromPart: ({ input }) => {
    const { call_id: given, arguments: asked = null } = asRecord(input) ?? {};
    const callId = asId(given);
    const execution = callId === undefined ? 'server' : 'client';
    // JSON.parse made it.
    return { execution, call_id: callId ?? null, ...COMPLETED, arguments: asked as JsonValue };
  },
  needsTrust: true,
  missingInAiSdk: true,
  may: { execution: text, arguments: any },
  output: {
    type: 'tool_search_output',
    // The API's own declarations, in its spelling.
    result: ({ tools }) => ({ tools: [...asArray(tools)] as JsonValue[] }),
    fromPart: ({ input }) => {
      const { tools } = asRecord(input) ?? {};
      if (!Array.isArray(tools)) return undefined;
      return { execution: 'server', call_id: null, ...COMPLETED, tools: tools as JsonValue };
    },
    write: (output) => ({
      execution: 'client',
      ...COMPLETED,
      // Only the settings of a call may declare tools that the server runs.
      tools: asArray(objectOf(textOf(output))['tools']).filter(isClients) as unknown as JsonValue[],
    }),
    needs: { tools: foundTools },
  },
} as const satisfies CallKind;
