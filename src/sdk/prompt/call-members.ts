import type { CallMembers, WrapperPlace } from '../../core/call-items.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import type { PartMetadata, StockMetadata } from '../history/part-metadata.js';

type StockMembers = Pick<StockMetadata, 'namespace' | 'async' | 'caller'>;

/** What the stock provider says of a call, in its words; the rest of what a server says has no name there. */
export function toStockMembers({ namespace, async: isAsync, caller }: CallMembers = {}): JsonObject {
  return defined({ namespace, async: isAsync, caller: isJsonObject(caller) ? toStockCaller(caller) : caller });
}

/** The same read back. */
export function fromStockMembers({ namespace, async: isAsync, caller }: StockMembers): CallMembers | undefined {
  const members = defined({ namespace, async: isAsync, caller: caller === undefined ? undefined : toCaller(caller) });
  return Object.keys(members).length === 0 ? undefined : members;
}

/** What stands beside a call: our own word for it is the whole one. */
export function membersOf({ own, stock }: PartMetadata): CallMembers | undefined {
  return own.members ?? fromStockMembers(stock);
}

function toStockCaller({ caller_id: callerId, ...caller }: JsonObject): JsonObject {
  return defined({ ...caller, callerId });
}

function toCaller({ callerId, ...caller }: JsonObject): JsonObject {
  return defined({ ...caller, caller_id: callerId });
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
