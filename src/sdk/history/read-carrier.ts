import type { ServerItem } from '../../core/call-items.js';
import type { PartPlace } from '../../core/carrier.js';
import type {
  AssistantContent,
  FileContent,
  FileSource,
  TextContent,
  ToolCallContent,
  ToolOutput,
  ToolResultContent,
} from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asNumber, asRecord, asRecords, asString } from '../../util/guards.js';
import type { CarriedRound, PlacedContent } from './place-order.js';
import { callMembers, hiddenItem, type Read, word } from './readers.js';

/** A hidden call, with its output if the carrier has it. */
interface ReadCall {
  readonly call: ToolCallContent;
  readonly outputs: readonly ToolResultContent[];
}

/** An item, a text of the user, a hidden call, or the place of a shown one. */
type ReadEntry = { readonly at: number } & (
  | { readonly item: ServerItem; readonly call?: never }
  | { readonly user: string; readonly item?: never; readonly call?: never }
  | (ReadCall & { readonly item?: never })
  | { readonly callId: string; readonly item?: never; readonly call?: never }
);

/** A carrier whose items may be sent. */
export interface ReadCarrier {
  readonly asked?: readonly string[];
  readonly round?: string;
  /** Everything else of a carrier of version 2. */
  readonly entries?: readonly ReadEntry[];
  /** Ids of the client's calls that the model made before this part, although they were emitted behind it. */
  readonly behind?: readonly string[];
  /** Items before the part. */
  readonly before?: readonly ServerItem[];
  /** Calls between those items and the part. Their outputs were not known yet. */
  readonly callsBefore?: readonly ToolCallContent[];
  /** Items behind the part. */
  readonly after?: readonly ServerItem[];
  /** Calls behind those items, with their outputs. */
  readonly calls?: readonly ReadCall[];
  /** Ids of all calls of the round in its order, on a call of the client. Sorts `calls`, too. */
  readonly order?: readonly string[];
  /** Outputs of the round's calls before a text. */
  readonly outputs?: readonly ToolResultContent[];
}

/** Reads carriers of versions 1 and 2. */
export const carrier: Read<ReadCarrier> = (value, reading, name) => {
  const given = asRecord(value);
  const version = given?.['v'];
  if (given === undefined || (version !== 1 && version !== 2)) return undefined;
  const each = <T>(key: string, read: Read<T>): T[] =>
    asArray(given[key]).flatMap((entry, index) => read(entry, reading, `${name}.${key}[${index}]`) ?? []);
  // A mark records that the user was asked, and has no part of a round.
  const asked = each('asked', word);
  if (!reading.carriers) {
    if (Object.keys(given).some((key) => key !== 'v' && key !== 'asked'))
      reading.drop(name, 'hidden rounds, with `carrier: "none"`');
    return { asked };
  }
  if (version === 2) {
    const round = word(given['round'], reading, `${name}.round`);
    return { asked, entries: each('entries', hiddenEntry), ...defined({ round }) };
  }
  return {
    asked,
    behind: each('behind', word),
    ...(given['order'] === undefined ? {} : { order: each('order', word) }),
    before: each('before', hiddenItem),
    callsBefore: each('callsBefore', hiddenCall),
    after: each('after', hiddenItem),
    calls: each('calls', answeredCall),
    outputs: each('outputs', hiddenOutput),
  };
};

const hiddenCall: Read<ToolCallContent> = (value, reading, place) => {
  const { callId, name, arguments: made, inRound, members } = asRecord(value) ?? {};
  if (typeof callId !== 'string' || typeof name !== 'string' || typeof made !== 'string') {
    reading.drop(place, 'no call');
    return undefined;
  }
  const round = word(inRound, reading, `${place}.inRound`);
  const read = members === undefined ? undefined : callMembers(members, reading, `${place}.members`);
  return {
    type: 'tool-call',
    callId,
    name,
    arguments: made,
    wasHidden: true,
    ...defined({ members: read, inRound: round }),
  };
};

const answeredCall: Read<ReadCall> = (value, reading, place) => {
  const call = hiddenCall(value, reading, place);
  return call && { call, outputs: outputsIn(value, call.callId) };
};

const hiddenEntry: Read<ReadEntry> = (value, reading, place) => {
  const { at: given, item, user, callId, name } = asRecord(value) ?? {};
  const at = asNumber(given);
  if (at === undefined) {
    reading.drop(place, 'no place');
    return undefined;
  }
  if (item !== undefined) {
    const read = hiddenItem(item, reading, `${place}.item`);
    return read && { at, item: read };
  }
  // A client could as well post it as a message of the user.
  if (typeof user === 'string') return { at, user };
  if (name === undefined && typeof callId === 'string') return { at, callId };
  const call = answeredCall(value, reading, place);
  return call && { at, ...call };
};

const hiddenOutput: Read<ToolResultContent> = (value, reading, place) => {
  const callId = asRecord(value)?.['callId'];
  const [output] = typeof callId === 'string' ? outputsIn(value, callId) : [];
  if (output === undefined) reading.drop(place, 'no output');
  return output;
};

function outputsIn(value: unknown, callId: string): readonly ToolResultContent[] {
  const output = ownOutput(asRecord(value)?.['output']);
  return output === undefined ? [] : [{ type: 'tool-result', callId, output }];
}

/** Reads an output that this package wrote. Drops parts that are not whole, because apps stored it. */
export function ownOutput(value: unknown): ToolOutput | undefined {
  const output = asRecord(value);
  if (output === undefined || !Array.isArray(output['content'])) return undefined;
  return { isError: output['isError'] === true, content: asRecords(output['content']).flatMap(ownContent) };
}

function ownContent(part: Readonly<Record<string, unknown>>): (TextContent | FileContent)[] {
  if (part['type'] === 'text') return [{ type: 'text', text: asString(part['text']) ?? '' }];
  const source = ownSource(asRecord(part['source']) ?? {});
  const mediaType = asId(part['mediaType']);
  if (part['type'] !== 'file' || source === undefined || mediaType === undefined) return [];
  const filename = asString(part['filename']);
  const detail = asString(part['detail']);
  return [{ type: 'file', mediaType, source, ...defined({ filename, detail }) }];
}

function ownSource(source: Readonly<Record<string, unknown>>): FileSource | undefined {
  const [url, base64, id] = [asId(source['url']), asId(source['base64']), asId(source['id'])];
  if (url !== undefined) return { type: 'url', url };
  if (base64 !== undefined) return { type: 'data', base64 };
  return id === undefined ? undefined : { type: 'id', id };
}

/** The metadata of a part that may carry hidden rounds. */
interface Carrying {
  readonly carrier?: ReadCarrier;
  readonly place?: PartPlace;
  readonly window?: boolean;
}

/** Returns the contents of a part and its carrier, in order. */
export function withCarried(own: Carrying, content: readonly AssistantContent[]): PlacedContent[] {
  const { behind = [], before, callsBefore = [], entries, asked } = own.carrier ?? {};
  if (own.place !== undefined || entries !== undefined)
    return [
      { content: [...content, ...readAsked(asked)], ...defined({ place: own.place, entries: readEntries(own) }) },
    ];
  const last = callsBefore.at(-1)?.callId ?? behind.at(-1);
  return [
    ...behind.map((callId) => ({ callId, content: [] })),
    { content: toItems(before) },
    ...callsBefore.map((call) => ({ callId: call.callId, content: [call] })),
    { content: [...content, ...readAfter(own)] },
    // The part belongs to the round of these calls.
    ...(last === undefined ? [] : [{ callId: last, content: [] }]),
  ];
}

/** Returns the parts in a carrier of version 2 with their places. Outputs follow the round. */
export function readEntries({ carrier: carried, window }: Carrying): readonly PlacedContent[] | undefined {
  const { round = '', entries } = carried ?? {};
  const placeOf = (at: number): PartPlace => ({ round, at });
  return entries?.flatMap((entry): PlacedContent[] => {
    const place = placeOf(entry.at);
    if (entry.item !== undefined) return [{ place, content: toItems([entry.item], window) }];
    if ('user' in entry) return [{ place, content: [{ type: 'added-text', text: entry.user }] }];
    if (entry.call === undefined) return [{ place, content: [], callId: entry.callId }];
    return [
      { place, content: [entry.call] },
      { place: placeOf(Infinity), content: entry.outputs },
    ];
  });
}

/** Returns the items, calls and outputs behind a part. A client's call records its own place. */
function readAfter({ carrier: carried, window }: Carrying): AssistantContent[] {
  if (carried === undefined) return [];
  const { outputs = [], asked } = carried;
  const calls = carried.order === undefined ? (carried.calls ?? []) : [];
  return [
    ...toItems(carried.after, window),
    ...calls.map(({ call }) => call),
    ...calls.flatMap((answered) => answered.outputs),
    ...outputs,
    ...readAsked(asked),
  ];
}

/** Returns the round that a call of the client's carries, in version 1. */
export function readRound({ carrier: carried }: Carrying): CarriedRound | undefined {
  if (carried?.order === undefined) return undefined;
  const { order, calls = [] } = carried;
  const hidden = new Map(calls.map(({ call, outputs }) => [call.callId, [call, ...outputs]]));
  // Hidden calls have a place even if the list lost them.
  return { order: [...new Set([...order, ...hidden.keys()])], hidden };
}

/** Returns the marks of open questions to the user. */
export function readAsked(ids: readonly string[] = []): AssistantContent[] {
  return ids.map((callId) => ({ type: 'asked', callId }));
}

function toItems(items: readonly ServerItem[] = [], isWindow?: boolean): AssistantContent[] {
  return items.map((item) => ({ type: 'item', item, ...defined({ isWindow }) }));
}
