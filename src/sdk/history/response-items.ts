import { answer, assistant, type Fields, jsonText, list, object, text } from '../../items/fields.js';
import { HOSTED_KINDS } from '../../items/hosted.js';
import type { CallKind } from '../../items/kind.js';
import { CALL_KINDS } from '../../items/kinds.js';

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

/** It has to stand behind its call. */
const outputOf = ({ output, isClosed }: CallKind): ItemRule =>
  isClosed === true
    ? { places: CARRIER, needs: output.needs, may: { ...status, ...agent } }
    : open(CARRIER, output.needs, { call_id: text });

/** A call that the caller answers, or that the server runs if the caller has no such tool. */
const callOf = ({ needs = {}, may = {}, isClosed }: CallKind): ItemRule =>
  isClosed === true
    ? { places: RAN, needs, may: { ...status, ...may } }
    : open(ANYWHERE, needs, { call_id: text, ...may });

/** Every type of item that a response can hold and that a history may bring back. */
export const RESPONSE_ITEMS: Readonly<Record<string, ItemRule>> = {
  message: { places: CARRIER, needs: { role: assistant, content: answer }, may: { ...status, ...agent, phase: text } },
  function_call: open(
    ['call'],
    { name: text, arguments: jsonText },
    { call_id: text, namespace: text, caller: object },
  ),
  ...Object.fromEntries(CALL_KINDS.map((kind) => [kind.type, callOf(kind)])),
  ...Object.fromEntries(CALL_KINDS.map((kind) => [kind.output.type, outputOf(kind)])),
  // Call and result in one.
  ...Object.fromEntries(HOSTED_KINDS.map(({ type, needs = {}, may }) => [type, open(RAN, needs, may)])),
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
