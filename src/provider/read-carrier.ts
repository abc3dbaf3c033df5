import type { AssistantContent } from '../core/message.js';
import type { ServerItem } from '../core/server-item.js';
import type { PlacedCall } from '../core/carrier.js';
import { defined } from '../util/defined.js';
import type { OwnMetadata } from './history/part-metadata.js';

/** What stood before the part in question and was not shown. */
export function readBefore({ carrier }: OwnMetadata): AssistantContent[] {
  if (carrier === undefined) return [];
  return [...toItems(carrier.before), ...(carrier.callsBefore ?? []).map(toCall)];
}

/** What stood behind it: items, calls and their outputs. */
export function readAfter({ carrier }: OwnMetadata): AssistantContent[] {
  if (carrier === undefined) return [];
  const { calls = [], outputs = [] } = carrier;
  return [
    ...toItems(carrier.after),
    ...calls.map(toCall),
    ...[...calls, ...outputs].flatMap(({ callId, output }): AssistantContent[] =>
      output === undefined ? [] : [{ type: 'tool-result', callId, output }],
    ),
    ...readAsked(carrier.asked),
  ];
}

/** What the user was asked about while the client went on. */
export function readAsked(ids: readonly string[] | undefined): AssistantContent[] {
  return (ids ?? []).map((callId) => ({ type: 'asked', callId }));
}

/** One by one: a carrier may hold the output of the call, too. */
function toCall({ callId, name, arguments: text, members, inRound }: PlacedCall): AssistantContent {
  return { type: 'tool-call', callId, name, arguments: text, wasHidden: true, ...defined({ members, inRound }) };
}

function toItems(items: readonly ServerItem[] | undefined): AssistantContent[] {
  return (items ?? []).map((item) => ({ type: 'item', item }));
}
