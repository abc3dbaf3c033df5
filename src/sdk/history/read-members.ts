import { type CallMembers, membersOfCall, type ServerItem, type WrapperPlace } from '../../core/call-items.js';
import type { CarriedOutput, PlacedCall } from '../../core/carrier.js';
import type { JsonObject } from '../../core/json.js';
import { MESSAGE_OPTIONS } from '../../request/option-table.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asNumber, asRecord, asString } from '../../util/guards.js';
import { checkItem, type ItemPlace } from './check-item.js';
import { readOwnOutput } from './own-output.js';
import type { CallerOptions, OwnMetadata, OwnReasoning, ReadCarrier, StockMetadata } from './part-metadata.js';

/** The circumstances under which a part's metadata is read. */
export interface Reading {
  /** The metadata was written by this program. */
  readonly signed: boolean;
  /** Carriers and items of the server's tools may be read. */
  readonly carriers: boolean;
  /** Something was not taken: where it stands, and what it is. */
  drop(where: string, what: string): void;
}

type Read<T> = (value: unknown, reading: Reading, name: string) => T | undefined;

interface Member<T> {
  /** Only we can have written it. The others are options of the caller, and what the server has sealed or checks itself. */
  readonly needsSignature: boolean;
  readonly read: Read<T>;
}

/** Characters of an id or a label. Some servers make long ids; nothing that is longer is one. */
const MAX_WORD = 8_000;

const word: Read<string> = (value, reading, name) => {
  const read = asId(value);
  if (read !== undefined && read.length <= MAX_WORD) return read;
  // Some stores write `null` and `""` for what was not there.
  if (value !== null && value !== '') reading.drop(name, 'no id or label');
  return undefined;
};

const text: Read<string> = (value, reading, name) => {
  if (typeof value !== 'string') reading.drop(name, 'no text');
  return asString(value);
};

const words: Read<readonly string[]> = (value, reading, name): readonly string[] =>
  asArray(value).flatMap((entry, index) => word(entry, reading, `${name}[${index}]`) ?? []);

/** Such as the option `{mode, ttl}`, with whatever plain values come to it. */
const plain: Read<JsonObject> = (value) => {
  const given = asRecord(value);
  if (given === undefined) return undefined;
  const kept = Object.entries(given).filter(([name, member]) => !NOT_PLAIN.has(name) && PLAIN.has(typeof member));
  return Object.fromEntries(kept) as JsonObject;
};

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
const NOT_PLAIN: ReadonlySet<string> = new Set(['type', 'role']);

const itemIn =
  (place: ItemPlace['place']): Read<ServerItem> =>
  (value, reading, name) => {
    const item = checkItem(value, { place, signed: reading.signed });
    if (typeof item !== 'string') return item;
    reading.drop(name, item);
    return undefined;
  };

const hiddenItem = itemIn('carrier');
const ranItem = itemIn('ran');
const callItem = itemIn('call');

const hosted: Read<ServerItem> = (value, reading, name) => {
  const item = ranItem(value, reading, name);
  // A server that asks for approval gets its answer wherever the question is known to be real.
  if (item === undefined || reading.carriers || (reading.signed && item['type'] === 'mcp_approval_request'))
    return item;
  reading.drop(name, 'an item of the server, with `carrier: "none"`');
  return undefined;
};

/** Results of a search for tools bring tools, which a client that is not believed must not add. */
const clientCall: Read<ServerItem> = (value, reading, name) => {
  const item = callItem(value, reading, name);
  if (item?.['type'] !== 'tool_search_call' || reading.carriers || reading.signed) return item;
  reading.drop(name, 'a search for tools, with `carrier: "none"`');
  return undefined;
};

/** As beside a whole item: of a kind that the API gives a call, where it is one that we know. */
const callMembers: Read<CallMembers> = (value, reading, name) => {
  const item = checkItem(
    { ...asRecord(value), type: 'function_call', name: '', arguments: '{}' },
    { place: 'call', signed: reading.signed },
  );
  if (typeof item !== 'string') return membersOfCall(item);
  reading.drop(name, item);
  return undefined;
};

const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** `{type: 'program', callerId}`, or `{type: 'direct'}`. */
const caller: Read<JsonObject> = (value, reading, name) => {
  const given = asRecord(value);
  const type = word(given?.['type'] ?? null, reading, `${name}.type`);
  const callerId = word(given?.['callerId'] ?? null, reading, `${name}.callerId`);
  return type === undefined ? undefined : { type, ...defined({ callerId }) };
};

const wrapperPlace: Read<WrapperPlace> = (value, reading, name) => {
  const { itemId, toolCallId, toolName, input, index, count } = asRecord(value) ?? {};
  const member = (of: string, said: unknown): string | undefined => word(said ?? null, reading, `${name}.${of}`);
  const callId = member('toolCallId', toolCallId);
  const wrapper = member('toolName', toolName);
  const [at, of] = [asNumber(index), asNumber(count)];
  if (callId === undefined || wrapper === undefined || at === undefined || of === undefined) return undefined;
  const rest = defined({ itemId: member('itemId', itemId), arguments: asString(input) });
  return { callId, name: wrapper, index: at, count: of, ...rest };
};

const reasoning: Read<OwnReasoning> = (value, reading, name) => {
  const facts = asRecord(value);
  if (facts === undefined) return undefined;
  const encrypted = asId(facts['encrypted']);
  const origin = word(facts['origin'] ?? null, reading, `${name}.origin`);
  return {
    kind: facts['kind'] === 'text' ? 'text' : 'summary',
    continues: facts['continues'] === true,
    ...defined({ encrypted, origin }),
  };
};

const carrier: Read<ReadCarrier> = (value, reading, name) => {
  const given = asRecord(value);
  if (given?.['v'] !== 1) return undefined;
  // A mark holds nothing of a round: it says that the user was asked.
  const asked = words(given['asked'], reading, `${name}.asked`);
  if (!reading.carriers) {
    if (Object.keys(given).some((key) => key !== 'v' && key !== 'asked'))
      reading.drop(name, 'hidden rounds, with `carrier: "none"`');
    return defined({ asked });
  }
  const each = <T>(key: string, read: Read<T>): T[] =>
    asArray(given[key]).flatMap((entry, index) => read(entry, reading, `${name}.${key}[${index}]`) ?? []);
  const ids = (key: string): readonly string[] | undefined =>
    given[key] === undefined ? undefined : words(given[key], reading, `${name}.${key}`);
  return {
    ...defined({ asked, behind: ids('behind'), order: ids('order') }),
    before: each('before', hiddenItem),
    callsBefore: each('callsBefore', hiddenCall),
    after: each('after', hiddenItem),
    calls: each('calls', (entry, within, place) => {
      const call = hiddenCall(entry, within, place);
      return call === undefined ? undefined : { ...call, ...outputOf(entry) };
    }),
    outputs: each('outputs', hiddenOutput),
  };
};

const hiddenCall: Read<PlacedCall> = (value, reading, place) => {
  const { callId, name, arguments: made, inRound, members } = asRecord(value) ?? {};
  if (typeof callId !== 'string' || typeof name !== 'string' || typeof made !== 'string') {
    reading.drop(place, 'no call');
    return undefined;
  }
  return {
    callId,
    name,
    arguments: made,
    ...defined({
      inRound: word(inRound ?? null, reading, `${place}.inRound`),
      members: members === undefined ? undefined : callMembers(members, reading, `${place}.members`),
    }),
  };
};

const hiddenOutput: Read<CarriedOutput> = (value, reading, place) => {
  const callId = asRecord(value)?.['callId'];
  const { output } = outputOf(value);
  if (typeof callId === 'string' && output !== undefined) return { callId, output };
  reading.drop(place, 'no output');
  return undefined;
};

function outputOf(value: unknown): Partial<Pick<CarriedOutput, 'output'>> {
  return defined({ output: readOwnOutput(asRecord(value)?.['output']) });
}

const free = <T>(read: Read<T>): Member<T> => ({ needsSignature: false, read });
const ours = <T>(read: Read<T>): Member<T> => ({ needsSignature: true, read });

export type Members<T> = { readonly [K in keyof T]-?: Member<NonNullable<T[K]>> };

/** What callers may say themselves; it needs no signature. */
export const CALLER_OPTIONS: Members<CallerOptions> = {
  promptCacheBreakpoint: free(plain),
  phase: free(word),
  imageDetail: free(word),
};

/** Whether a name under ours is an option, which may be set at any time, also on a part that we wrote. */
export function isCallerOption(name: string): boolean {
  return Object.hasOwn(CALLER_OPTIONS, name) || Object.hasOwn(MESSAGE_OPTIONS, name);
}

/** What may stand under our own name. */
export const OWN_MEMBERS: Members<OwnMetadata> = {
  ...CALLER_OPTIONS,
  itemId: ours(word),
  wireCallId: ours(word),
  inRound: ours(word),
  rawInput: ours(text),
  preamble: ours((value) => value === true),
  asked: ours(words),
  reasoning: ours(reasoning),
  output: ours((value) => readOwnOutput(value)),
  carrier: ours(carrier),
  hostedItem: ours(hosted),
  itemFollows: free(flag),
  item: ours(clientCall),
  members: ours(callMembers),
  agent: ours(plain),
};

/** What may stand under the stock provider's name. With a secret only members of calls and sealed reasoning count. */
export const STOCK_MEMBERS: Members<StockMetadata> = {
  ...CALLER_OPTIONS,
  itemId: free(word),
  reasoningEncryptedContent: free(text),
  encryptedContent: ours(text),
  approvalId: free(word),
  namespace: free(word),
  async: free(flag),
  caller: free(caller),
  parallelToolCall: free(wrapperPlace),
};
