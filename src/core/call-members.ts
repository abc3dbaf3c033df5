import type { JsonObject } from './json.js';

/**
 * What a server says of a call beside its name, its ids and its arguments: `namespace`, `caller`, whatever comes next. It
 * goes wherever the call goes, and back to the server with it.
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

/** The members of a call's item; `undefined` where there are none. */
export function membersOfCall(item: Readonly<Record<string, unknown>>): CallMembers | undefined {
  const members = Object.entries(item).filter(
    ([name, value]) => !APART.has(name) && value !== null && value !== undefined,
  );
  // They came out of JSON, as all of an item does.
  return members.length === 0 ? undefined : (Object.fromEntries(members) as CallMembers);
}
