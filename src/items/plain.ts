import type { JsonObject } from '../core/json.js';
import { asId } from '../util/guards.js';
import { answer, assistant, type Fields, jsonText, list, object, text } from './fields.js';

/** An item that belongs to no tool family. */
export interface PlainKind {
  readonly type: string;
  /** Where a posted history may bring it back. Unset: nowhere. */
  readonly places?: readonly ('carrier' | 'ran' | 'call')[];
  readonly needs?: Fields;
  readonly may?: Fields;
  /** Keeps members that are not listed. */
  readonly isOpen?: true;
  /** Why a history never brings it back, not even signed. */
  readonly refused?: string;
  /** Only the caller writes it, so a continued response may take it. */
  readonly isCallers?: true;
}

const status = { status: text };
/** The agent that made the item, in responses of several agents. */
const agent = { agent: object };

export const FUNCTION_CALL = 'function_call';
export const FUNCTION_OUTPUT = 'function_call_output';
const REQUEST = 'mcp_approval_request';
const RESPONSE = 'mcp_approval_response';

export const PLAIN_KINDS: readonly PlainKind[] = [
  {
    type: 'message',
    places: ['carrier'],
    needs: { role: assistant, content: answer },
    may: { ...status, ...agent, phase: text },
  },
  { type: 'reasoning', refused: 'reasoning travels as parts of its own' },
  {
    type: FUNCTION_CALL,
    places: ['call'],
    needs: { name: text, arguments: jsonText },
    may: { ...status, call_id: text, namespace: text, caller: object },
    isOpen: true,
  },
  { type: FUNCTION_OUTPUT, refused: 'outputs travel beside their calls' },
  {
    type: 'mcp_list_tools',
    places: ['carrier'],
    needs: { server_label: text, tools: list },
    may: { error: text, ...agent },
  },
  // Keeps its id, which the answer names. Other items lose theirs.
  {
    type: REQUEST,
    places: ['carrier', 'ran'],
    needs: { id: text, server_label: text, name: text, arguments: text },
    may: agent,
  },
  { type: RESPONSE, refused: 'only an approval part answers a request', isCallers: true },
  { type: 'compaction', places: ['carrier'], needs: { encrypted_content: text }, may: agent },
  { type: 'compaction_trigger', isCallers: true },
  { type: 'additional_tools', refused: 'tools come from the caller', isCallers: true },
  { type: 'item_reference', refused: 'items are not referred to' },
  { type: 'configuration_update', refused: 'settings come from the caller', isCallers: true },
];

const CALLERS: ReadonlySet<unknown> = new Set(PLAIN_KINDS.flatMap(({ type, isCallers }) => (isCallers ? [type] : [])));

/** Whether only the caller writes items of this type. */
export function isWrittenByCaller(type: unknown): boolean {
  return CALLERS.has(type);
}

/** Returns the id of a server's request to call a tool of its own MCP server. `undefined` for any other item. */
export function approvalRequestId(item: Readonly<Record<string, unknown>>): string | undefined {
  return item['type'] === REQUEST ? asId(item['id']) : undefined;
}

export function isApprovalRequest(type: unknown): boolean {
  return type === REQUEST;
}

/** Writes a request as the server would. */
export function approvalRequest(
  id: string,
  facts: { server_label: string; name: string; arguments: string },
): JsonObject {
  return { type: REQUEST, id, ...facts };
}
