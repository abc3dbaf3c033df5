import { type CallMembers, membersOfCall, type ServerItem, type WrapperPlace } from '../../core/call-items.js';
import type { PartPlace } from '../../core/carrier.js';
import type { JsonObject } from '../../core/json.js';
import { callKind } from '../../items/kinds.js';
import { FUNCTION_CALL, isApprovalRequest } from '../../items/plain.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asNumber, asRecord, asString } from '../../util/guards.js';
import { checkItem, type ItemPlace } from './check-item.js';

/** The circumstances under which a part's metadata is read. */
export interface Reading {
  /** The metadata was written by this program. */
  readonly signed: boolean;
  /** Carriers and items of the server's tools may be read. */
  readonly carriers: boolean;
  /** Reports a dropped value: its place, and its kind. */
  readonly drop: (where: string, what: string) => void;
}

export type Read<T> = (value: unknown, reading: Reading, name: string) => T | undefined;

/** Characters of an id or a label. Some servers make long ids; nothing that is longer is one. */
const MAX_WORD = 8_000;

export const word: Read<string> = (value, reading, name) => {
  const read = asId(value);
  if (read !== undefined && read.length <= MAX_WORD) return read;
  // Some stores write `null` and `""` for absent values.
  if ((value ?? '') !== '') reading.drop(name, 'no id or label');
  return undefined;
};

export const text: Read<string> = (value, reading, name) => {
  if (typeof value !== 'string') reading.drop(name, 'no text');
  return asString(value);
};

export const words: Read<readonly string[]> = (value, reading, name): readonly string[] =>
  asArray(value).flatMap((entry, index) => word(entry, reading, `${name}[${index}]`) ?? []);

/** For example the option `{mode, ttl}`, with any plain values. */
export const plain: Read<JsonObject> = (value) => {
  const given = asRecord(value);
  if (given === undefined) return undefined;
  const kept = Object.entries(given).filter(([name, member]) => !NOT_PLAIN.has(name) && PLAIN.has(typeof member));
  return Object.fromEntries(kept) as JsonObject;
};

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
const NOT_PLAIN: ReadonlySet<string> = new Set(['type', 'role']);

/** An item; without carriers, `isTaken` decides too. */
const itemIn =
  (
    place: ItemPlace['place'],
    isTaken: (type: string, signed: boolean) => boolean = () => true,
    what = '',
  ): Read<ServerItem> =>
  (value, { signed, carriers, drop }, name) => {
    const item = checkItem(value, { place, signed });
    if (typeof item !== 'string' && (carriers || isTaken(asString(item['type']) ?? '', signed))) return item;
    drop(name, typeof item === 'string' ? item : `${what}, with \`carrier: "none"\``);
    return undefined;
  };

export const hiddenItem = itemIn('carrier');

/** Takes a server's signed approval request, because only a real one gets the user's answer. */
const isRealRequest = (type: string, signed: boolean): boolean => signed && isApprovalRequest(type);
export const hosted = itemIn('ran', isRealRequest, 'an item of the server');

/** Refuses calls that need trust from an untrusted client: results of a tool search bring tools. */
const addsNoTools = (type: string, signed: boolean): boolean => signed || callKind(type)?.needsTrust !== true;
export const clientCall = itemIn('call', addsNoTools, 'a search for tools');

const callItem = itemIn('call');

/** As in a whole item: of the type that the API uses for a call, if known. */
export const callMembers: Read<CallMembers> = (value, reading, name) => {
  const item = callItem({ ...asRecord(value), type: FUNCTION_CALL, name: '', arguments: '{}' }, reading, name);
  return item && membersOfCall(item);
};

export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** Reads the number of a part in its round. */
export const place: Read<PartPlace> = (value, reading, name) => {
  const { round, at } = asRecord(value) ?? {};
  const [read, number] = [word(round, reading, `${name}.round`), asNumber(at)];
  if (read !== undefined && number !== undefined) return { round: read, at: number };
  if (value !== null) reading.drop(name, 'no place');
  return undefined;
};

/** `{type: 'program', callerId}`, or `{type: 'direct'}`. */
export const caller: Read<JsonObject> = (value, reading, name) => {
  const given = asRecord(value);
  const type = word(given?.['type'], reading, `${name}.type`);
  const callerId = word(given?.['callerId'], reading, `${name}.callerId`);
  return type === undefined ? undefined : { type, ...defined({ callerId }) };
};

export const wrapperPlace: Read<WrapperPlace> = (value, reading, name) => {
  const { itemId, toolCallId, toolName, input, index, count } = asRecord(value) ?? {};
  const member = (of: string, said: unknown): string | undefined => word(said, reading, `${name}.${of}`);
  const callId = member('toolCallId', toolCallId);
  const wrapper = member('toolName', toolName);
  const [at, of] = [asNumber(index), asNumber(count)];
  if (callId === undefined || wrapper === undefined || at === undefined || of === undefined) return undefined;
  const rest = defined({ itemId: member('itemId', itemId), arguments: asString(input) });
  return { callId, name: wrapper, index: at, count: of, ...rest };
};

export interface OwnReasoning {
  readonly kind: 'summary' | 'text';
  readonly continues: boolean;
  readonly encrypted?: string;
  readonly origin?: string;
}

export const reasoning: Read<OwnReasoning> = (value, reading, name) => {
  const facts = asRecord(value);
  if (facts === undefined) return undefined;
  const encrypted = asId(facts['encrypted']);
  const origin = word(facts['origin'], reading, `${name}.origin`);
  return {
    kind: facts['kind'] === 'text' ? 'text' : 'summary',
    continues: facts['continues'] === true,
    ...defined({ encrypted, origin }),
  };
};
