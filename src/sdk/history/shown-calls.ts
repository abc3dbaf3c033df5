import type { CallMembers, ServerItem } from '../../core/call-items.js';
import { isJsonObject, type JsonObject, type JsonValue, NAMED_BY_USERS, toSnakeCase } from '../../core/json.js';
import { type HostedTool, wireNameOf } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asRecord, asString, rowOf } from '../../util/guards.js';
import { checkItem } from './check-item.js';

/** A call as a part of a prompt shows it, or its result. */
export interface ShownCall {
  readonly callId: string;
  readonly input: unknown;
  /** The tool of this call to the model that bears its name. */
  readonly tool: HostedTool;
}

/** The item that a part shows, unchecked; `undefined` if it does not say enough. */
type ItemOf = (call: ShownCall) => JsonObject | undefined;

/** What parts show of one kind of tool. */
interface ShownKind {
  /** The type of the item of a call that an output of its own answers. */
  readonly type?: string;
  readonly call?: ItemOf;
  /** Its call brings what only a server, or a client that is believed, may say. */
  readonly needsTrust?: true;
  /** What the server gave, in an item of its own. */
  readonly result?: ItemOf;
}

/** What was done, as a member of the item. */
const doing =
  (name: 'action' | 'operation', facts: JsonObject, item: JsonObject = {}): ItemOf =>
  ({ input }) => {
    const done = wireOf(input)?.[name];
    return isJsonObject(done) ? { ...item, [name]: { ...facts, ...done } } : undefined;
  };

const COMPLETED = { status: 'completed' };

/** What was asked for stands in the result alone. */
const SEARCH: ShownKind = {
  result: ({ input }) => {
    const { action, sources } = wireOf(input) ?? {};
    if (!isJsonObject(action)) return undefined;
    const found = asArray(sources).length === 0 ? {} : { sources: sources as JsonValue };
    return { type: 'web_search_call', ...COMPLETED, action: { ...action, ...found } };
  },
};

/** By the kind of the tool. Calls that the caller has answered, or the server in a container, have results like any other. */
const KINDS: Readonly<Record<string, ShownKind>> = {
  custom: {
    type: 'custom_tool_call',
    call: ({ tool, input }) => ({ name: wireNameOf(tool), input: asString(input) ?? JSON.stringify(input) }),
  },
  local_shell: { type: 'local_shell_call', call: doing('action', { type: 'exec' }) },
  shell: { type: 'shell_call', call: doing('action', {}, COMPLETED) },
  apply_patch: { type: 'apply_patch_call', call: doing('operation', {}, COMPLETED) },
  computer: {
    type: 'computer_call',
    call: ({ input }) => {
      const { actions, pending_safety_checks: checks = [], status = 'completed' } = wireOf(input) ?? {};
      return Array.isArray(actions) ? { status, actions, pending_safety_checks: checks } : undefined;
    },
  },
  computer_use: { type: 'computer_call' },
  computer_use_preview: { type: 'computer_call' },
  tool_search: {
    type: 'tool_search_call',
    needsTrust: true,
    call: ({ input }) => {
      const { call_id: given, arguments: asked = null } = asRecord(input) ?? {};
      const callId = asId(given);
      const execution = callId === undefined ? 'server' : 'client';
      // It came out of a JSON text.
      return { execution, call_id: callId ?? null, ...COMPLETED, arguments: asked as JsonValue };
    },
    result: ({ input }) => {
      const { tools } = asRecord(input) ?? {};
      if (!Array.isArray(tools)) return undefined;
      return {
        type: 'tool_search_output',
        execution: 'server',
        call_id: null,
        ...COMPLETED,
        tools: tools as JsonValue,
      };
    },
  },
  programmatic_tool_calling: {
    needsTrust: true,
    call: ({ callId, input }) => {
      const { code, fingerprint } = wireOf(input) ?? {};
      return code === undefined ? undefined : { type: 'program', call_id: callId, code, ...defined({ fingerprint }) };
    },
    result: ({ callId, input }) => {
      const { result, status = 'completed' } = wireOf(input) ?? {};
      return result === undefined ? undefined : { type: 'program_output', call_id: callId, result, status };
    },
  },
  web_search: SEARCH,
  web_search_preview: SEARCH,
  image_generation: {
    result: ({ input }) => {
      const result = asId(asRecord(input)?.['result']);
      return result === undefined ? undefined : { type: 'image_generation_call', ...COMPLETED, result };
    },
  },
};

/** What is known of how a kind of tool is shown. */
export function shownKind(kind: string): ShownKind {
  return rowOf(KINDS, kind) ?? {};
}

/** The item of a call, as far as it may be sent. */
export function callShown(shown: ShownCall, members: CallMembers | undefined): ServerItem | undefined {
  const { type, call, needsTrust } = shownKind(shown.tool.type);
  const item = call?.(shown);
  return item && checked({ ...(needsTrust ? {} : members), ...defined({ type }), ...item });
}

/** The item of what the server gave; its `input` is the result that is shown. */
export function resultShown(shown: ShownCall): ServerItem | undefined {
  const item = shownKind(shown.tool.type).result?.(shown);
  return item && checked(item);
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
  return checked({ type: 'mcp_approval_request', id: approvalId, server_label: label, name, arguments: text });
}

function mayCall({ args }: HostedTool, name: string): boolean {
  const { allowedTools } = args;
  const names = Array.isArray(allowedTools) ? allowedTools : asRecord(allowedTools)?.['toolNames'];
  return !Array.isArray(names) || names.includes(name);
}

function checked(item: JsonObject): ServerItem | undefined {
  const read = checkItem(item, { place: 'carrier', signed: false });
  return typeof read === 'string' ? undefined : read;
}

function wireOf(input: unknown): JsonObject | undefined {
  // It came out of a JSON text.
  const value = asRecord(input) as JsonObject | undefined;
  return value && (toSnakeCase(value, NAMED_BY_USERS) as JsonObject);
}
