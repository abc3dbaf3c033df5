import type { JsonObject } from '../../src/core/json.js';
import { errorEvent } from 'responses-loop/testing';
import type { Tagged } from './events.js';
import type { AnswerExchange, Mangle, MangleKind } from './scenario.js';
import { echoed } from './secrets.js';

type Edit = (events: readonly Tagged[], item: number) => Tagged[];

/** Does to the events of an exchange what its mangles say; the terminal event stays last. */
export function mangle(events: readonly Tagged[], exchange: AnswerExchange): Tagged[] {
  const hasTerminal = exchange.status !== 'error';
  const terminal = hasTerminal ? events.at(-1) : failure(exchange);
  const body = hasTerminal ? events.slice(0, -1) : [...events];
  const changed = exchange.mangles.reduce<Tagged[]>((list, { how, item }: Mangle) => EDITS[how](list, item), body);
  if (terminal === undefined) return changed;
  const emptied = exchange.mangles.some(({ how }) => how === 'empty-snapshot');
  return [...changed, emptied ? withEmptySnapshot(terminal) : terminal];
}

function failure({ error }: AnswerExchange): Tagged {
  const message = `It went wrong. ${error.echoesKey ? echoed() : ''}`;
  return { item: -1, event: errorEvent({ code: error.code, message }) };
}

const ADDED = 'response.output_item.added';
const ITEM_DONE = 'response.output_item.done';
const isDelta = (tagged: Tagged): boolean => tagged.event.type.endsWith('.delta');
const isTextDone = (tagged: Tagged): boolean =>
  /^response\.(output_text|function_call_arguments|content_part)\.done$/.test(tagged.event.type);
const isType = (type: string) => (tagged: Tagged) => tagged.event.type === type;

const EDITS: { readonly [K in MangleKind]: Edit } = {
  'added-again': (events, item) => copyBehind(events, item, isType(ADDED), isType(ADDED)),
  'added-again-at-end': (events, item) => copyToEnd(events, item, isType(ADDED)),
  'added-late': (events, item) => moveBehind(events, item, isType(ADDED), isDelta),
  'done-again': (events, item) => copyBehind(events, item, isType(ITEM_DONE), isType(ITEM_DONE)),
  'done-again-at-end': (events, item) => copyToEnd(events, item, isType(ITEM_DONE)),
  'done-first': (events, item) => moveBehind(events, item, isType(ITEM_DONE), isType(ADDED)),
  'text-done-first': (events, item) => moveBehind(events, item, isTextDone, isType(ADDED)),
  'drop-added': (events, item) => drop(events, item, isType(ADDED)),
  'drop-deltas': (events, item) => drop(events, item, isDelta),
  'drop-last-delta': (events, item) => dropAt(events, item, (deltas) => deltas.at(-1)),
  'drop-middle-delta': (events, item) => dropAt(events, item, (deltas) => deltas[Math.floor(deltas.length / 2)]),
  'drop-text-done': (events, item) => drop(events, item, isTextDone),
  'drop-item-done': (events, item) => drop(events, item, isType(ITEM_DONE)),
  'closings-swapped': (events) => swapClosings(events),
  'no-index': (events) => events.map((tagged) => without(tagged, ['output_index'])),
  'no-ids': (events) => events.map((tagged) => withoutItemId(without(tagged, ['item_id']))),
  'fresh-ids': (events) => events.map(withFreshId),
  'empty-snapshot': (events) => [...events],
};

type Test = (tagged: Tagged) => boolean;

function drop(events: readonly Tagged[], item: number, which: Test): Tagged[] {
  return events.filter((tagged) => tagged.item !== item || !which(tagged));
}

function dropAt(events: readonly Tagged[], item: number, pick: (deltas: Tagged[]) => Tagged | undefined): Tagged[] {
  const picked = pick(events.filter((tagged) => tagged.item === item && isDelta(tagged)));
  return events.filter((tagged) => tagged !== picked);
}

function copyBehind(events: readonly Tagged[], item: number, which: Test, place: Test): Tagged[] {
  const copies = events.filter((tagged) => tagged.item === item && which(tagged));
  const at = events.findIndex((tagged) => tagged.item === item && place(tagged));
  return at < 0 ? [...events] : [...events.slice(0, at + 1), ...copies, ...events.slice(at + 1)];
}

function copyToEnd(events: readonly Tagged[], item: number, which: Test): Tagged[] {
  return [...events, ...events.filter((tagged) => tagged.item === item && which(tagged))];
}

function moveBehind(events: readonly Tagged[], item: number, which: Test, place: Test): Tagged[] {
  const moved = events.filter((tagged) => tagged.item === item && which(tagged));
  const rest = drop(events, item, which);
  const at = rest.findIndex((tagged) => tagged.item === item && place(tagged));
  return at < 0 ? [...events] : [...rest.slice(0, at + 1), ...moved, ...rest.slice(at + 1)];
}

/** Calls that were written side by side are closed in the opposite order. */
function swapClosings(events: readonly Tagged[]): Tagged[] {
  const isClosing = (tagged: Tagged): boolean => tagged.event.type === ITEM_DONE || isTextDone(tagged);
  const swapped: Tagged[] = [];
  for (let at = 0; at < events.length;) {
    let end = at;
    while (end < events.length && isCallClosing(events[end])) end += 1;
    if (end === at) {
      const tagged = events[at];
      if (tagged !== undefined) swapped.push(tagged);
      at += 1;
    } else {
      const run = events.slice(at, end);
      const items = [...new Set(run.map((tagged) => tagged.item))].toReversed();
      swapped.push(...items.flatMap((item) => run.filter((tagged) => tagged.item === item && isClosing(tagged))));
      at = end;
    }
  }
  return swapped;
}

function isCallClosing(tagged: Tagged | undefined): boolean {
  if (tagged === undefined) return false;
  const { event } = tagged;
  if (event.type === 'response.function_call_arguments.done') return true;
  return event.type === ITEM_DONE && (event['item'] as JsonObject)['type'] === 'function_call';
}

function without(tagged: Tagged, fields: readonly string[]): Tagged {
  const event = Object.fromEntries(Object.entries(tagged.event).filter(([name]) => !fields.includes(name)));
  return { ...tagged, event: event as Tagged['event'] };
}

function withoutItemId(tagged: Tagged): Tagged {
  const item = tagged.event['item'] as JsonObject | undefined;
  if (item === undefined) return tagged;
  const { id: _id, ...rest } = item;
  return { ...tagged, event: { ...tagged.event, item: rest } };
}

function withFreshId(tagged: Tagged, at: number): Tagged {
  const item = tagged.event['item'] as JsonObject | undefined;
  const event = { ...tagged.event };
  if (event['item_id'] !== undefined) event['item_id'] = `other_${at}`;
  if (item !== undefined) event['item'] = { ...item, id: `other_${at}` };
  return { ...tagged, event };
}

function withEmptySnapshot(terminal: Tagged): Tagged {
  const response = terminal.event['response'] as JsonObject | undefined;
  if (response === undefined) return terminal;
  return { ...terminal, event: { ...terminal.event, response: { ...response, output: [] } } };
}
