import type { CallView, MarkView, RoundView, ToolView } from '../model.js';
import { type Child, h } from './dom.js';
import { amount, clock, duration, full, percent, plural, share, size } from './format.js';
import { totalsOf } from '../totals.js';
import type { CallRow, OutsideRow, RoundRow, Row, ToolRow } from './rows.js';

/** Title, meaning, and the name by which the styles hide the column on narrow screens. */
export const COLUMNS = [
  ['Name', 'Calls, their rounds, and the tools of each round', 'name'],
  ['', '', 'when'],
  ['Start', 'Since the call began', 'start'],
  ['Took', '', 'took'],
  ['First', 'Until the first part of the answer', 'first'],
  ['Tokens in', '', 'in'],
  ['Cached', 'Share of the tokens in that the server had in its cache', 'cached'],
  ['Out', 'Tokens out', 'out'],
  [
    'New · chars',
    'Items that no earlier round sent, and their characters; of a round that was retried, of its last request',
    'new',
  ],
  [
    'Again · chars',
    'Items that an earlier round sent, and their characters; over a WebSocket they stay with the server',
    'again',
  ],
] as const;

type Cells = Partial<Record<(typeof COLUMNS)[number][2], Child>> & { readonly name: Child };

/** Returns the cells of a line, in the order of the columns. */
export function cellsOf(row: Row): HTMLElement[] {
  if (row.kind === 'tool') return toolCells(row);
  const cells = row.kind === 'round' ? roundCells(row) : row.kind === 'call' ? callCells(row) : outsideCells(row);
  return COLUMNS.map(([, , name]) => cell(name, cells[name]));
}

function cell(name: string, ...content: readonly Child[]): HTMLElement {
  return h('span', { role: 'gridcell', class: `cell ${name}` }, ...content);
}

function outsideCells({ marks }: OutsideRow): Cells {
  return { name: label(undefined, 'Outside of calls', plural(marks.length, 'event'), ...badges(marks)) };
}

function callCells({ call }: CallRow): Cells {
  const totals = totalsOf(call);
  return {
    name: label(
      undefined,
      `Call ${call.number}`,
      call.model,
      finishBadge(call.finish, 'no end in the file'),
      // The others are shown at their rounds.
      ...badges(call.marks.filter(({ round }) => round === undefined)),
    ),
    start: clock(call.at),
    took: duration(call.ms),
    in: amount(totals.input),
    cached: cachedBar(totals.cached, totals.input),
    out: amount(totals.output),
  };
}

function roundCells({ call, round, marks }: RoundRow): Cells {
  const { requests } = round;
  // Retries send the same, and their sum would exceed the round's size.
  const sent = (of: 'fresh' | 'again'): string => size(requests.at(-1)?.[of] ?? { items: 0, chars: 0 });
  const dot = h('span', { class: `dot round${round.finish === 'error' ? ' error' : ''}` });
  return {
    name: label(
      dot,
      `Round ${round.round + 1}`,
      '',
      finishBadge(round.finish, 'no end'),
      requestsBadge(round),
      round.replayed && badge('replayed', 'info'),
      ...badges(marks),
    ),
    when: whenBar(call, round, 'round'),
    start: duration(round.from),
    took: duration(round.ms),
    first: duration(round.firstMs),
    in: amount(round.input),
    cached: cachedBar(round.cached, round.input),
    out: amount(round.output),
    new: sent('fresh'),
    again: sent('again'),
  };
}

function requestsBadge({ requests }: RoundView): HTMLElement | undefined {
  if (requests.length < 2) return undefined;
  return badge(plural(requests.length, 'request'), 'warn', 'The round was requested more than once');
}

function toolCells({ call, tool }: ToolRow): HTMLElement[] {
  const name = label(h('span', { class: `dot ${tool.state}` }), tool.name, tool.source, ...toolBadges(tool));
  return [
    cell('name', name),
    cell('when', whenBar(call, tool, tool.state)),
    cell('start', duration(tool.from)),
    cell('took', tool.state === 'denied' || tool.state === 'asked' ? '' : duration(tool.ms)),
    h('span', { role: 'gridcell', class: 'cell preview', 'aria-colspan': COLUMNS.length - 4 }, tool.preview ?? ''),
  ];
}

function toolBadges({ state, replayed, approval, notes }: ToolView): (HTMLElement | undefined)[] {
  const retries = notes.filter((note) => note.startsWith('retry')).length;
  return [
    state === 'done' ? undefined : badge(TOOL_STATES[state], state === 'open' || state === 'asked' ? 'warn' : 'bad'),
    state === 'done' && approval !== undefined ? badge('approved', 'info', approval) : undefined,
    retries > 0 ? badge(plural(retries, 'retry').replace('retrys', 'retries'), 'warn') : undefined,
    replayed && badge('replayed', 'info'),
  ];
}

const TOOL_STATES = { error: 'failed', denied: 'denied', asked: 'waits for the user', open: 'no end' } as const;

function label(dot: Child, main: string, side: string, ...more: readonly Child[]): HTMLElement {
  return h(
    'span',
    { class: 'label' },
    dot,
    h('b', {}, main),
    side === '' ? undefined : h('span', { class: 'side' }, side),
    ...more,
  );
}

export function badge(text: string, tone: string, title?: string): HTMLElement {
  return h('span', { class: `badge ${tone}`, title }, text);
}

function finishBadge(finish: string, none: string): HTMLElement | undefined {
  if (finish === '') return badge(none, 'warn');
  if (finish === 'stop' || finish === 'tool-calls') return undefined;
  return badge(finish, finish === 'error' || finish === 'content-filter' ? 'bad' : 'warn');
}

/** Returns one badge per kind with its count. Plain information is in the details. */
function badges(marks: readonly MarkView[]): HTMLElement[] {
  const counts = new Map<string, { tone: string; texts: string[] }>();
  for (const { kind, tone, text } of marks) {
    if (tone === 'info') continue;
    const known = counts.get(kind);
    if (known === undefined) counts.set(kind, { tone, texts: [text] });
    else known.texts.push(text);
  }
  return [...counts].map(([kind, { tone, texts }]) =>
    badge(texts.length === 1 ? kind : `${full(texts.length)} × ${kind}`, tone, texts.slice(0, 10).join('\n')),
  );
}

function cachedBar(cached: number | undefined, input: number | undefined): HTMLElement | undefined {
  const part = share(cached, input);
  if (part === undefined) return undefined;
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' }, h('i'));
  // The policy of the page forbids style attributes, but allows this.
  (bar.firstElementChild as HTMLElement).style.width = `${Math.min(100, part * 100)}%`;
  return h('span', { class: 'share' }, bar, percent(part));
}

/** Draws the time of an event within its call, and its duration. */
function whenBar({ ms: whole }: CallView, { from, ms }: { from: number; ms: number }, kind: string): HTMLElement {
  const bar = h('i', { class: kind });
  const percentOf = (part: number): string => `${Math.min(100, (part / Math.max(1, whole)) * 100).toFixed(2)}%`;
  bar.style.left = percentOf(from);
  bar.style.width = percentOf(Math.min(ms, whole - from));
  return h('span', { class: 'track', 'aria-hidden': 'true' }, bar);
}
