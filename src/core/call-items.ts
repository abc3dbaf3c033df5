import type { JsonObject } from './json.js';

/**
 * The members of a call except its name, ids and arguments: `namespace`, `caller`, and future ones. The next request
 * returns them to the server with the call.
 */
export type CallMembers = JsonObject;

/** Members with their own field, and members that no call has. */
const APART: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'name',
  'arguments',
  'status',
  'role',
  '__proto__',
]);

/** Returns the other members of a call's item; `undefined` if they are absent. */
export function membersOfCall(item: Readonly<Record<string, unknown>>): CallMembers | undefined {
  let members: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(item)) {
    if (!APART.has(name) && value !== null && value !== undefined) members = { ...members, [name]: value };
  }
  // They were parsed from JSON with the item.
  return members as CallMembers | undefined;
}

/** The place of a call in a wrapper. The server knows only the wrapper's call. */
export interface WrapperPlace {
  /** The members of the wrapper, as the server sent them. */
  readonly callId: string;
  readonly name: string;
  readonly itemId?: string;
  /** The wrapper's; only its first call has it. */
  readonly arguments?: string;
  readonly index: number;
  readonly count: number;
}

declare const checked: unique symbol;

/**
 * An item of a response, kept to be sent back unchanged. Only the response reader and the check of posted histories
 * create it, because requests send it unchecked.
 */
export type ServerItem = JsonObject & { readonly [checked]: true };

/** Marks an item as one of a response. `test/architecture` lists the callers. */
export function serverItem(item: JsonObject): ServerItem {
  return item as ServerItem;
}

/** Returns the key that a call and its output share: the server's searches and their outputs have no call id. */
export function pairKey(callType: string, { call_id: callId }: JsonObject): string {
  return `${callType} ${typeof callId === 'string' ? callId : ''}`;
}
