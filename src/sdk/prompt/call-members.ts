import type { CallMembers, WrapperPlace } from '../../core/call-items.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import type { PartMetadata, StockMetadata } from '../history/part-metadata.js';

type StockMembers = Pick<StockMetadata, 'namespace' | 'async' | 'caller'>;

/** What the stock provider says of a call, in its words; the rest of what a server says has no name there. */
export function toStockMembers({ namespace, async: isAsync, caller }: CallMembers = {}): JsonObject {
  if (!isJsonObject(caller)) return defined({ namespace, async: isAsync, caller });
  const { caller_id: callerId, ...rest } = caller;
  return defined({ namespace, async: isAsync, caller: defined({ ...rest, callerId }) });
}

/** The same read back. */
export function fromStockMembers({ namespace, async: isAsync, caller }: StockMembers): CallMembers | undefined {
  const { callerId, ...rest } = caller ?? {};
  const made = caller && defined({ ...rest, caller_id: callerId });
  const members = defined({ namespace, async: isAsync, caller: made });
  return Object.keys(members).length === 0 ? undefined : members;
}

/** What stands beside a call: our own word for it is the whole one. */
export function membersOf({ own, stock }: PartMetadata): CallMembers | undefined {
  return own.members ?? fromStockMembers(stock);
}

/** The stock provider reads it only if it is whole, so that an id has to be there. */
export function toStockWrapper({
  callId,
  name,
  itemId = callId,
  arguments: input,
  index,
  count,
}: WrapperPlace): JsonObject {
  return defined({ itemId, toolCallId: callId, toolName: name, input, index, count });
}
