import type { JsonObject, JsonValue } from '../../core/json.js';
import { isClients } from '../../request/convert-tool-output.js';
import { parseJson } from '../../util/json.js';
import { asRecord, asString, isRecord } from '../../util/guards.js';

/** What a member has to be; gives back what may be sent of it, `undefined` if it is something else. */
export type Field = (value: unknown, signed: boolean) => JsonValue | undefined;
type Fields = Readonly<Record<string, Field>>;

/** What a response can hold under one type, and where a history may bring it back. */
export interface ItemRule {
  /** In a carrier, in place of a call that the server ran, in place of a call of the caller's. */
  readonly places: readonly ('carrier' | 'ran' | 'call')[];
  readonly needs: Fields;
  /** May be absent, or `null`, as some servers write it. */
  readonly may?: Fields;
  /** Members that are not listed here stay. */
  readonly open?: boolean;
}

// They come out of JSON: see `isJsonWithin`.
const text: Field = (value) => asString(value);
/** Servers answer 500 to arguments that are no JSON, on every later turn. */
const jsonText: Field = (value) => (typeof value === 'string' && parseJson(value) !== undefined ? value : undefined);
const list: Field = (value) => (Array.isArray(value) ? (value as JsonValue) : undefined);
const object: Field = (value) => (isRecord(value) ? (value as JsonObject) : undefined);
const textOrList: Field = (value, signed) => text(value, signed) ?? list(value, signed);
const any: Field = (value) => value as JsonValue;
const assistant: Field = (value) => (value === 'assistant' ? value : undefined);

/** Text and refusals, and nothing else that a message may hold. */
const answer: Field = (value) => {
  if (!Array.isArray(value)) return undefined;
  const read = value.map((entry): JsonObject | undefined => {
    const { type, text: said, refusal } = asRecord(entry) ?? {};
    if (type === 'output_text' && typeof said === 'string') return { type, text: said, annotations: [] };
    return type === 'refusal' && typeof refusal === 'string' ? { type, refusal } : undefined;
  });
  return read.includes(undefined) ? undefined : (read as JsonObject[]);
};

/** Tools that a search found. What the server itself would run (MCP servers at any URL) only counts if it is signed. */
const foundTools: Field = (value, signed) => {
  if (!Array.isArray(value)) return undefined;
  return signed || value.every(isClients) ? (value as JsonValue) : undefined;
};

const CARRIER = ['carrier'] as const;
const RAN = ['carrier', 'ran'] as const;
const ANYWHERE = ['carrier', 'ran', 'call'] as const;
const status = { status: text };
/** Which of the agents that work together made it; items with all of their members have it by that. */
const agent = { agent: object };

/** Calls and their outputs keep members that are not listed here; other items lose them. */
const open = (places: ItemRule['places'], needs: Fields, may: Fields = {}): ItemRule => ({
  places,
  needs,
  may: { ...status, ...may },
  open: true,
});

/** A call that the caller answers, or that the server runs if the caller has no such tool. */
const callOf = (may: Fields): ItemRule => open(ANYWHERE, {}, { call_id: text, ...may });

/** A tool that the server ran: call and result in one. */
const ranBy = (may: Fields): ItemRule => open(RAN, {}, may);

/** It has to stand behind its call: see `callOfOutput`. */
const outputOf = (needs: Fields): ItemRule => open(CARRIER, needs, { call_id: text });

/** Every type of item that a response can hold and that a history may bring back. */
export const RESPONSE_ITEMS: Readonly<Record<string, ItemRule>> = {
  message: { places: CARRIER, needs: { role: assistant, content: answer }, may: { ...status, ...agent, phase: text } },
  function_call: open(
    ['call'],
    { name: text, arguments: jsonText },
    { call_id: text, namespace: text, caller: object },
  ),
  custom_tool_call: callOf({ name: text, input: text, namespace: text, caller: object }),
  local_shell_call: callOf({ action: object }),
  shell_call: callOf({ action: object, environment: object, caller: object }),
  apply_patch_call: callOf({ operation: object, caller: object }),
  computer_call: callOf({ action: object, actions: list, pending_safety_checks: list }),
  custom_tool_call_output: outputOf({ output: textOrList }),
  local_shell_call_output: outputOf({ output: text }),
  shell_call_output: outputOf({ output: list }),
  apply_patch_call_output: outputOf({}),
  computer_call_output: outputOf({ output: object }),
  web_search_call: ranBy({ action: object, arguments: text, results: list }),
  file_search_call: ranBy({ queries: list, results: list }),
  code_interpreter_call: ranBy({ code: text, container_id: text, outputs: list }),
  // Names of xAI's.
  x_search_call: ranBy({ arguments: text, results: list }),
  code_execution_call: ranBy({ arguments: text, outputs: list }),
  view_image_call: ranBy({ arguments: text }),
  view_x_video_call: ranBy({ arguments: text }),
  image_generation_call: ranBy({ result: text }),
  mcp_call: open(
    RAN,
    { server_label: text, name: text, arguments: text },
    { output: text, error: any, approval_request_id: text },
  ),
  // Made at the server, or for the client to make.
  tool_search_call: callOf({ execution: text, arguments: any }),
  tool_search_output: outputOf({ tools: foundTools }),
  program: { places: RAN, needs: { call_id: text, code: text }, may: { fingerprint: text, ...status, ...agent } },
  program_output: {
    places: CARRIER,
    needs: { call_id: text, result: text },
    may: { ...status, ...agent },
  },
  mcp_list_tools: { places: CARRIER, needs: { server_label: text, tools: list }, may: { error: text, ...agent } },
  // The answer refers to it by its id; all other ids are taken off.
  mcp_approval_request: {
    places: RAN,
    needs: { id: text, server_label: text, name: text, arguments: text },
    may: agent,
  },
  compaction: { places: CARRIER, needs: { encrypted_content: text }, may: agent },
};

/** Types that never count, not even signed, and why. The last two are in no response. */
export const REFUSED_ITEMS: Readonly<Record<string, string>> = {
  reasoning: 'reasoning travels as parts of its own',
  function_call_output: 'outputs travel beside their calls',
  mcp_approval_response: 'only an approval part answers a request',
  additional_tools: 'tools come from the caller',
  item_reference: 'items are not referred to',
  configuration_update: 'settings come from the caller',
};

/** What is signed came from a response, of whatever type: a newer one, or a vendor's own. */
export const SIGNED_ITEM: ItemRule = { places: ANYWHERE, needs: {}, open: true };
