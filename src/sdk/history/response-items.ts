import { type Fields, object, text } from '../../items/fields.js';
import type { CallKind } from '../../items/kind.js';
import { CALL_KINDS, HOSTED_KINDS } from '../../items/kinds.js';
import { PLAIN_KINDS } from '../../items/plain.js';

/** The item of a response with one type, and the members that a history may bring back. */
export interface ItemRule {
  /** In a carrier, in place of a call that the server ran, or in place of a call of the caller's. */
  readonly places: readonly ('carrier' | 'ran' | 'call')[];
  readonly needs: Fields;
  /** May be absent, or `null`, as some servers write it. */
  readonly may?: Fields;
  /** Keeps members that are not listed here. */
  readonly open?: boolean;
}

const CARRIER = ['carrier'] as const;
const RAN = ['carrier', 'ran'] as const;
const ANYWHERE = ['carrier', 'ran', 'call'] as const;
const status = { status: text };

/** Calls and their outputs keep members that are not listed; other items lose them. */
const open = (places: ItemRule['places'], needs: Fields, may: Fields = {}): ItemRule => ({
  places,
  needs,
  may: { ...status, ...may },
  open: true,
});

/** Goes back only behind its call. */
const outputOf = ({ output, isClosed }: CallKind): ItemRule =>
  isClosed === true
    ? { places: CARRIER, needs: output.needs, may: { ...status, agent: object } }
    : open(CARRIER, output.needs, { call_id: text });

/** A call that the caller answers. The server runs it if the caller has no such tool. */
const callOf = ({ needs = {}, may = {}, isClosed }: CallKind): ItemRule =>
  isClosed === true
    ? { places: RAN, needs, may: { ...status, ...may } }
    : open(ANYWHERE, needs, { call_id: text, ...may });

/** Every type of item that a response can include and that a history may bring back. */
export const RESPONSE_ITEMS: Readonly<Record<string, ItemRule>> = Object.fromEntries([
  ...PLAIN_KINDS.flatMap(({ type, places, needs = {}, may = {}, isOpen = false }): [string, ItemRule][] =>
    places === undefined ? [] : [[type, { places, needs, may, open: isOpen }]],
  ),
  ...CALL_KINDS.map((kind) => [kind.type, callOf(kind)] as const),
  ...CALL_KINDS.map((kind) => [kind.output.type, outputOf(kind)] as const),
  ...HOSTED_KINDS.map(({ type, needs = {}, may }) => [type, open(RAN, needs, may)] as const),
]);

/** Types that never count, not even signed, and why. */
export const REFUSED_ITEMS: Readonly<Record<string, string>> = Object.fromEntries(
  PLAIN_KINDS.flatMap(({ type, refused }) => (refused === undefined ? [] : [[type, refused]])),
);

/** A signed item of any type was in a response: a newer type, or a vendor's own. */
export const SIGNED_ITEM: ItemRule = { places: ANYWHERE, needs: {}, open: true };
