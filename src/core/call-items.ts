import type { JsonObject } from './json.js';

/**
 * The members of a call beside its name, its ids and its arguments: `namespace`, `caller`, and future ones. They travel
 * with the call and go back to the server with it.
 */
export type CallMembers = JsonObject;

/** Members that have a place of their own, and what no call has. */
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

/** Returns the other members of a call's item; `undefined` if it has none. */
export function membersOfCall(item: Readonly<Record<string, unknown>>): CallMembers | undefined {
  let members: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(item)) {
    if (!APART.has(name) && value !== null && value !== undefined) members = { ...members, [name]: value };
  }
  // They came out of JSON, as all of an item does.
  return members as CallMembers | undefined;
}

/** The place of a call in a wrapper, which is the call that the server knows. */
export interface WrapperPlace {
  /** The members of the wrapper, as the server sent them. */
  readonly callId: string;
  readonly name: string;
  readonly itemId?: string;
  /** Of the wrapper; on its first call. */
  readonly arguments?: string;
  readonly index: number;
  readonly count: number;
}

declare const checked: unique symbol;

/**
 * An item that a response held, kept so that it can be sent back as it came. Only what reads responses makes one, and the
 * door that posted histories pass: request building sends it without another look.
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
