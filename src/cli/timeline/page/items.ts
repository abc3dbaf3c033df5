import { h } from './dom.js';
import { amount } from './format.js';
import { textBlock } from './text-block.js';

const BATCH = 100;

type Read = (number: number) => unknown;

/** Lists the items of a request, each closed; its content is built when it is opened. */
export function itemsList(numbers: readonly number[], read: Read): HTMLElement {
  const list = h('div', { class: 'items' });
  const add = (from: number): void => {
    list.append(...numbers.slice(from, from + BATCH).map((number) => itemOf(read(number))));
    const left = numbers.length - from - BATCH;
    if (left <= 0) return;
    const more = h('button', { type: 'button' }, `Show ${Math.min(BATCH, left)} of ${left} more`);
    more.addEventListener('click', () => {
      more.remove();
      add(from + BATCH);
    });
    list.append(more);
  };
  add(0);
  return list;
}

function itemOf(value: unknown): HTMLElement {
  const { kind, name } = namesOf(value);
  const chars = typeof value === 'string' ? value.length : JSON.stringify(value).length;
  const summary = h(
    'summary',
    {},
    h('b', {}, kind),
    h('span', { class: 'side' }, name),
    h('span', { class: 'chars' }, `${amount(chars)} characters`),
  );
  const element = h('details', {}, summary);
  element.addEventListener('toggle', () => element.append(textBlock(value)), { once: true });
  return element;
}

function namesOf(value: unknown): { readonly kind: string; readonly name: string } {
  if (typeof value !== 'object' || value === null)
    return { kind: typeof value === 'string' ? 'text' : 'not in the file', name: '' };
  const { type, role, name, call_id: callId, server_label: server } = value as Readonly<Record<string, unknown>>;
  const kind = [role, type].find((each): each is string => typeof each === 'string' && each !== 'message') ?? 'item';
  const names = [name, server, callId].filter((each) => typeof each === 'string').join(' ');
  return { kind, name: names === '' ? beginning(value) : names };
}

const BEGINNING_CHARS = 80;

/** Returns the beginning of a message's text. */
function beginning(value: object): string {
  const { content, summary } = value as Readonly<Record<string, unknown>>;
  const parts = [content ?? summary ?? ''].flat() as readonly unknown[];
  const texts = parts.map((part) => (typeof part === 'string' ? part : (part as { text?: unknown } | null)?.text));
  return texts
    .filter((text) => typeof text === 'string')
    .join(' ')
    .slice(0, BEGINNING_CHARS);
}
