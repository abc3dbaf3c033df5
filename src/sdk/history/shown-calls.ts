import type { CallMembers, ServerItem } from '../../core/call-items.js';
import { isJsonObject, type JsonObject, type JsonValue, NAMED_BY_USERS, toSnakeCase } from '../../core/json.js';
import { type HostedTool, wireNameOf } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asRecord, asString, rowOf } from '../../util/guards.js';
import { checkItem } from './check-item.js';

/** A call as a part of a prompt shows it. */
export interface ShownCall {
  readonly callId: string;
  readonly input: unknown;
  /** The tool of this call to the model that bears its name. */
  readonly tool: HostedTool;
}

/** The item that a part shows, unchecked. */
type ItemOf = (call: ShownCall) => JsonObject | undefined;

/** Calls that the caller has answered, or the server in a container: their outputs are results like any other. */
const CALLS: Readonly<Record<string, ItemOf>> = {
  custom: ({ tool, input }) => ({
    type: 'custom_tool_call',
    name: wireNameOf(tool),
    input: asString(input) ?? JSON.stringify(input),
  }),
  local_shell: ({ input }) => {
    const action = wireMember(input, 'action');
    return action === undefined ? undefined : { type: 'local_shell_call', action: { type: 'exec', ...action } };
  },
  shell: ({ input }) => {
    const action = wireMember(input, 'action');
    return action === undefined ? undefined : { type: 'shell_call', status: 'completed', action };
  },
  apply_patch: ({ input }) => {
    const operation = wireMember(input, 'operation');
    return operation === undefined ? undefined : { type: 'apply_patch_call', status: 'completed', operation };
  },
  computer: ({ input }) => {
    const shown = wireOf(input);
    if (!Array.isArray(shown?.['actions'])) return undefined;
    const { actions, pending_safety_checks: checks = [], status = 'completed' } = shown;
    return { type: 'computer_call', status, actions, pending_safety_checks: checks };
  },
};

/** Types of the items of calls that outputs of their own answer, by the kind of the tool. */
export const CALL_TYPES: Readonly<Record<string, string>> = {
  custom: 'custom_tool_call',
  local_shell: 'local_shell_call',
  shell: 'shell_call',
  apply_patch: 'apply_patch_call',
  computer: 'computer_call',
  computer_use: 'computer_call',
  computer_use_preview: 'computer_call',
  tool_search: 'tool_search_call',
};

/** Calls that bring what only a server, or a client that is believed, may say. */
const BELIEVED: Readonly<Record<string, ItemOf>> = {
  tool_search: ({ input }) => {
    const { call_id: callId, arguments: given = null } = asRecord(input) ?? {};
    const execution = asId(callId) === undefined ? 'server' : 'client';
    // It came out of a JSON text.
    return {
      type: 'tool_search_call',
      execution,
      call_id: asId(callId) ?? null,
      status: 'completed',
      arguments: given as JsonValue,
    };
  },
  programmatic_tool_calling: ({ callId, input }) => {
    const { code, fingerprint } = wireOf(input) ?? {};
    return code === undefined ? undefined : { type: 'program', call_id: callId, code, ...defined({ fingerprint }) };
  },
};

/** What the server gave for them, in items of their own. */
const RESULTS: Readonly<Record<string, ItemOf>> = {
  tool_search: ({ input }) => {
    const { tools } = asRecord(input) ?? {};
    if (!Array.isArray(tools)) return undefined;
    return {
      type: 'tool_search_output',
      execution: 'server',
      call_id: null,
      status: 'completed',
      tools: tools as JsonValue,
    };
  },
  programmatic_tool_calling: ({ callId, input }) => {
    const { result, status = 'completed' } = wireOf(input) ?? {};
    return result === undefined ? undefined : { type: 'program_output', call_id: callId, result, status };
  },
  web_search: searchOf,
  web_search_preview: searchOf,
  image_generation: ({ input }) => {
    const { result } = asRecord(input) ?? {};
    return asId(result) === undefined
      ? undefined
      : { type: 'image_generation_call', status: 'completed', result: result as string };
  },
};

/** The item of a call, as far as it may be sent; `undefined` if the part does not say enough. */
export function callShown(call: ShownCall, members: CallMembers | undefined): ServerItem | undefined {
  const { type } = call.tool;
  const item = rowOf(CALLS, type)?.(call);
  return item === undefined ? undefined : checked({ ...members, ...item }, 'call');
}

/** The same of a call whose items count only where histories are believed. */
export function believedCallShown(call: ShownCall): ServerItem | undefined {
  const { type } = call.tool;
  const item = rowOf(BELIEVED, type)?.(call);
  return item === undefined ? undefined : checked(item, item['type'] === 'program' ? 'carrier' : 'call');
}

/** The item of what the server gave; its `input` is the result that is shown. */
export function resultShown(call: ShownCall): ServerItem | undefined {
  const { type } = call.tool;
  const item = rowOf(RESULTS, type)?.(call);
  return item === undefined ? undefined : checked(item, 'carrier');
}

/** A request of the server's to call a tool of its own MCP server. */
export function requestShown(
  approvalId: string,
  { name, input }: { readonly name: string; readonly input: unknown },
  tools: readonly HostedTool[],
): ServerItem | undefined {
  const labels = tools.flatMap((tool) =>
    tool.type === 'mcp' && mayCall(tool, name) ? (asId(tool.args['serverLabel']) ?? []) : [],
  );
  const [label] = labels;
  // With two servers it is not known which one it was.
  if (label === undefined || labels.length > 1) return undefined;
  const text = asString(input) ?? JSON.stringify(input ?? {});
  return checked({ type: 'mcp_approval_request', id: approvalId, server_label: label, name, arguments: text }, 'ran');
}

function mayCall({ args }: HostedTool, name: string): boolean {
  const { allowedTools } = args;
  const names = Array.isArray(allowedTools) ? allowedTools : asRecord(allowedTools)?.['toolNames'];
  return !Array.isArray(names) || names.includes(name);
}

function checked(item: JsonObject, place: 'call' | 'carrier' | 'ran'): ServerItem | undefined {
  const read = checkItem(item, { place, signed: false });
  return typeof read === 'string' ? undefined : read;
}

function wireOf(input: unknown): JsonObject | undefined {
  // It came out of a JSON text.
  const value = asRecord(input) as JsonObject | undefined;
  return value === undefined ? undefined : (toSnakeCase(value, NAMED_BY_USERS) as JsonObject);
}

function wireMember(input: unknown, name: string): JsonObject | undefined {
  const member = wireOf(input)?.[name];
  return isJsonObject(member) ? member : undefined;
}

/** What was asked for stands in the result alone. */
function searchOf({ input }: ShownCall): JsonObject | undefined {
  const result = wireOf(input);
  const action = result?.['action'];
  if (result === undefined || !isJsonObject(action)) return undefined;
  const { sources } = result;
  const found = asArray(sources).length === 0 ? {} : { sources: sources as JsonValue };
  return { type: 'web_search_call', status: 'completed', action: { ...action, ...found } };
}
