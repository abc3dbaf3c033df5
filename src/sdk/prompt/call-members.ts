import type { CallMembers, WrapperPlace } from '../../core/call-items.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import type { PartMetadata, VendorMetadata } from '../history/part-metadata.js';

type VendorMembers = Pick<VendorMetadata, 'namespace' | 'async' | 'caller'>;

/** Members of a call that `@ai-sdk/openai` names, under its name. */
export function toVendorMembers({ namespace, async: isAsync, caller }: CallMembers = {}): JsonObject {
  if (!isJsonObject(caller)) return defined({ namespace, async: isAsync, caller });
  const { caller_id: callerId, ...rest } = caller;
  return defined({ namespace, async: isAsync, caller: defined({ ...rest, callerId }) });
}

/** The same read back. */
export function fromVendorMembers({ namespace, async: isAsync, caller }: VendorMembers): CallMembers | undefined {
  const { callerId, ...rest } = caller ?? {};
  const made = caller && defined({ ...rest, caller_id: callerId });
  const members = defined({ namespace, async: isAsync, caller: made });
  return Object.keys(members).length === 0 ? undefined : members;
}

/** Returns a call's other members: our own metadata has all of them. */
export function membersOf({ own, vendor }: PartMetadata): CallMembers | undefined {
  return own.members ?? fromVendorMembers(vendor);
}

/** `@ai-sdk/openai` reads it only if it is whole, so the id is required. */
export function toVendorWrapper({
  callId,
  name,
  itemId = callId,
  arguments: input,
  index,
  count,
}: WrapperPlace): JsonObject {
  return defined({ itemId, toolCallId: callId, toolName: name, input, index, count });
}
