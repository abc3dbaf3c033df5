import { asRecord, asRecords, asString } from '../../../src/util/guards.js';
import { argumentsOf, isWhole, sentEvents, type Tagged } from '../events.js';
import type { AnswerExchange, CallItem, Item } from '../scenario.js';

/** What a reader who knows which event belongs to which item can say of one item. */
export interface FoldedItem {
  readonly index: number;
  readonly item: Item;
  /** Text or reasoning: streamed first, filled in from what came later. */
  text: string;
  /** Streamed arguments of a call. */
  streamed: string;
  saidComplete: boolean;
  closed: boolean;
  /** A call that is complete: by its own word, or by the end of the response. */
  complete: boolean;
  /** The item itself was seen, and with it the name of a call. */
  named: boolean;
}

/** A call whose arguments were complete, and the calls that had been begun before it. */
export interface EarlyCall {
  readonly item: CallItem;
  readonly after: readonly CallItem[];
}

export interface Folded {
  /** In output order. */
  readonly items: readonly FoldedItem[];
  /** Calls that were complete before the end of the response, in the order in which they became so. */
  readonly early: readonly EarlyCall[];
  readonly outcome: 'completed' | 'incomplete' | 'failed' | 'truncated' | 'reset';
  /** Something of it could be shown. */
  readonly isVisible: boolean;
  /** The connection broke: what was sent last may not have arrived. */
  readonly isUncertain: boolean;
}

export function fold(exchange: AnswerExchange): Folded {
  return exchange.form === 'json' ? foldJson(exchange) : foldStream(exchange);
}

/** A body that is complete says everything at once; any other says nothing. */
function foldJson(exchange: AnswerExchange): Folded {
  const { stopAfter, ending, status } = exchange;
  if (stopAfter !== undefined) {
    const outcome = ending === 'end' ? 'truncated' : 'reset';
    return { items: [], early: [], outcome, isVisible: false, isUncertain: false };
  }
  return foldStream({ ...exchange, status: status === 'error' ? 'failed' : status });
}

function foldStream(exchange: AnswerExchange): Folded {
  const items = new Map<number, FoldedItem>();
  const early: EarlyCall[] = [];
  const begun: CallItem[] = [];
  const sent = sentEvents(exchange);
  const whole = isWhole(exchange);
  for (const tagged of whole ? sent.slice(0, -1) : sent) {
    const folded = itemOf(tagged, exchange, items);
    if (folded === undefined) continue;
    const { complete, named } = folded;
    takeEvent(folded, tagged);
    const { item } = folded;
    if (item.type !== 'call') continue;
    if (!named && folded.named) begun.push(item);
    const place = begun.indexOf(item);
    if (!complete && folded.complete) early.push({ item, after: place < 0 ? [...begun] : begun.slice(0, place) });
  }
  const outcome = outcomeOf(exchange, [...items.values()], whole);
  if (whole && outcome !== 'failed') takeSnapshot(exchange, items);
  const list = [...items.values()].toSorted((a, b) => a.index - b.index);
  if (whole && outcome === 'completed') list.forEach((folded) => completeAtEnd(folded));
  return {
    items: list,
    early,
    outcome,
    isVisible: list.some(
      ({ text, streamed, complete, named }) => text !== '' || (named && (streamed !== '' || complete)),
    ),
    isUncertain: exchange.ending === 'reset',
  };
}

function itemOf({ item }: Tagged, exchange: AnswerExchange, items: Map<number, FoldedItem>): FoldedItem | undefined {
  const described = exchange.items[item];
  if (described === undefined) return undefined;
  const known = items.get(item);
  if (known !== undefined) return known;
  const fresh = {
    index: item,
    item: described,
    text: '',
    streamed: '',
    saidComplete: false,
    closed: false,
    complete: false,
    named: false,
  };
  items.set(item, fresh);
  return fresh;
}

/** What was streamed wins; what comes later only fills in, and nothing counts once the item is closed. */
function takeEvent(folded: FoldedItem, { event }: Tagged): void {
  if (folded.closed) return;
  const { type } = event;
  // Arguments of a call whose name is not known yet show nothing.
  folded.named ||= type === 'response.output_item.added' || type === 'response.output_item.done';
  if (type === 'response.output_item.done') close(folded, event['item']);
  else if (type.endsWith('_text.delta')) folded.text += asString(event['delta']) ?? '';
  else if (type.endsWith('_text.done')) fillIn(folded, asString(event['text']));
  else if (type.endsWith('_part.done')) fillIn(folded, asString(asRecord(event['part'])?.['text']));
  else if (type.endsWith('arguments.delta') && !folded.complete) folded.streamed += asString(event['delta']) ?? '';
  else if (type.endsWith('arguments.done')) {
    folded.saidComplete = true;
    folded.complete ||= folded.item.type === 'call' && !folded.item.broken;
  }
}

function close(folded: FoldedItem, item: unknown): void {
  const { content, summary } = asRecord(item) ?? {};
  for (const part of [...asRecords(content), ...asRecords(summary)]) fillIn(folded, asString(part['text']));
  folded.closed = true;
  folded.complete = folded.item.type === 'call';
}

function fillIn(folded: FoldedItem, whole: string | undefined): void {
  if (whole?.startsWith(folded.text) === true) folded.text = whole;
}

function outcomeOf(exchange: AnswerExchange, items: readonly FoldedItem[], whole: boolean): Folded['outcome'] {
  if (whole) return exchange.status === 'error' ? 'failed' : exchange.status;
  if (exchange.ending !== 'end') return 'reset';
  // Every item that was begun is finished: the end was all that was missing.
  const unknown = exchange.noise.some(({ what, at }) => what === 'unknown-item' && at < sentEvents(exchange).length);
  const finished = items.every((folded) => folded.closed || folded.complete);
  return items.length > 0 && finished && !unknown ? 'completed' : 'truncated';
}

function takeSnapshot(exchange: AnswerExchange, items: Map<number, FoldedItem>): void {
  if (exchange.mangles.some(({ how }) => how === 'empty-snapshot')) return;
  exchange.items.forEach((item, index) => {
    const folded = itemOf({ item: index, event: { type: '' } }, exchange, items);
    if (folded === undefined || folded.closed) return;
    if (item.type !== 'call') fillIn(folded, item.text);
    folded.complete ||= item.type === 'call';
  });
}

/** The server's word that it finished is worth as much as that of an item. */
function completeAtEnd(folded: FoldedItem): void {
  if (folded.item.type !== 'call' || folded.complete) return;
  folded.complete = folded.saidComplete || folded.streamed === argumentsOf(folded.item);
}
