import type { ServerItem } from '../../core/call-items.js';
import type { PlacedCall } from '../../core/carrier.js';
import type { AssistantContent } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import type { OwnMetadata, ReadCarrier } from './part-metadata.js';
import type { CarriedRound, PlacedContent } from './round-order.js';

/** A part with what stood before and behind it and was not shown. */
export function withCarried(own: OwnMetadata, content: readonly AssistantContent[]): PlacedContent[] {
  const { behind = [], before, callsBefore = [] } = own.carrier ?? {};
  const last = callsBefore.at(-1)?.callId ?? behind.at(-1);
  return [
    ...behind.map((callId) => ({ callId, content: [] })),
    { content: toItems(before) },
    ...callsBefore.map((call) => ({ callId: call.callId, content: [toCall(call)] })),
    { content: [...content, ...readAfter(own)] },
    // The part belongs to the round of these calls.
    ...(last === undefined ? [] : [{ callId: last, content: [] }]),
  ];
}

/** What stood behind it: items, calls and their outputs. A call of the client's says elsewhere where the calls stood. */
function readAfter({ carrier, window }: OwnMetadata): AssistantContent[] {
  if (carrier === undefined) return [];
  const { outputs = [], asked } = carrier;
  const calls = carrier.order === undefined ? (carrier.calls ?? []) : [];
  return [
    ...toItems(carrier.after, window),
    ...calls.map(toCall),
    ...[...calls, ...outputs].flatMap((call) => outputOf(call)),
    ...readAsked(asked),
  ];
}

/** The round that a call of the client's carries. */
export function readRound({ carrier }: OwnMetadata): CarriedRound | undefined {
  if (carrier?.order === undefined) return undefined;
  const { order, calls = [] } = carrier;
  const hidden = new Map(calls.map((call) => [call.callId, [toCall(call), ...outputOf(call)]]));
  const known = new Set(order);
  // All of them have a place, whatever became of the list.
  return { order: [...order, ...[...hidden.keys()].filter((callId) => !known.has(callId))], hidden };
}

/** What the user was asked about while the client went on. */
export function readAsked(ids: readonly string[] | undefined): AssistantContent[] {
  return (ids ?? []).map((callId) => ({ type: 'asked', callId }));
}

function outputOf({ callId, output }: Pick<CarriedEntry, 'callId' | 'output'>): AssistantContent[] {
  return output === undefined ? [] : [{ type: 'tool-result', callId, output }];
}

type CarriedEntry = NonNullable<ReadCarrier['calls']>[number];

/** One by one: a carrier may hold the output of the call, too. */
function toCall({ callId, name, arguments: text, members, inRound }: PlacedCall): AssistantContent {
  return { type: 'tool-call', callId, name, arguments: text, wasHidden: true, ...defined({ members, inRound }) };
}

function toItems(items: readonly ServerItem[] | undefined, isWindow?: boolean): AssistantContent[] {
  return (items ?? []).map((item) => ({ type: 'item', item, ...defined({ isWindow }) }));
}
