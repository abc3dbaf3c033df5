import type { CallView, MarkView, RoundView, ToolView } from '../model.js';
import { type Child, h } from './dom.js';
import { amount, clock, duration, full, percent, plural, share, size } from './format.js';
import type { Row } from './rows.js';

/** Title, what it means, and the name that the styles hide it by where there is little room. */
export const COLUMNS = [
  ['Name', 'Calls, their rounds, and the tools of each round', 'name'],
  ['Start', 'Since the call began', 'start'],
  ['Took', '', 'took'],
  ['First', 'Until the first part of the answer', 'first'],
  ['Tokens in', '', 'in'],
  ['Cached', 'Share of the tokens in that the server had in its cache', 'cached'],
  ['Out', 'Tokens out', 'out'],
  ['New', 'Items that no request had before, and their characters', 'new'],
  [
    'Sent again',
    'Items that an earlier request had, and their characters; over a WebSocket they stay with the server',
    'again',
  ],
] as const;

type Cells = Partial<Record<(typeof COLUMNS)[number][2], Child>> & { readonly name: Child };

/** The cells of a line, in the order of the columns. */
export function cellsOf(row: Row): HTMLElement[] {
  if (row.kind === 'tool') return toolCells(row.tool);
  const cells =
    row.kind === 'round'
      ? roundCells(row.round, row.marks)
      : row.kind === 'call'
        ? callCells(row.call)
        : outsideCells(row.marks);
  return COLUMNS.map(([, , name]) => cell(name, cells[name]));
}

function cell(name: string, ...content: readonly Child[]): HTMLElement {
  return h('span', { role: 'gridcell', class: `cell ${name}` }, ...content);
}

function outsideCells(marks: readonly MarkView[]): Cells {
  return { name: label('Outside of calls', plural(marks.length, 'event'), ...badges(marks)) };
}

function callCells(call: CallView): Cells {
  const totals = totalsOf(call);
  return {
    name: label(
      `Call ${call.number}`,
      call.model,
      finishBadge(call.finish, 'no end in the file'),
      ...badges(call.marks),
    ),
    start: clock(call.at),
    took: duration(call.ms),
    in: amount(totals.input),
    cached: cachedBar(totals.cached, totals.input),
    out: amount(totals.output),
  };
}

function roundCells(round: RoundView, marks: readonly MarkView[]): Cells {
  const last = round.requests.at(-1);
  return {
    name: label(
      `Round ${round.round + 1}`,
      '',
      finishBadge(round.finish, 'no end'),
      round.replayed && badge('replayed', 'info'),
      ...badges(marks),
    ),
    start: duration(round.from),
    took: duration(round.ms),
    first: duration(round.firstMs),
    in: amount(round.input),
    cached: cachedBar(round.cached, round.input),
    out: amount(round.output),
    new: last && size(last.fresh),
    again: last && size(last.again),
  };
}

function toolCells(tool: ToolView): HTMLElement[] {
  const name = label(tool.name, tool.source, ...toolBadges(tool));
  name.prepend(h('span', { class: `dot ${tool.state}` }));
  return [
    cell('name', name),
    cell('start', duration(tool.from)),
    cell('took', tool.state === 'denied' || tool.state === 'asked' ? '' : duration(tool.ms)),
    h('span', { role: 'gridcell', class: 'cell preview', 'aria-colspan': COLUMNS.length - 3 }, tool.preview ?? ''),
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

function label(main: string, side: string, ...more: readonly Child[]): HTMLElement {
  return h(
    'span',
    { class: 'label' },
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

/** Of each kind one, with how often it was. What only informs stands in the details. */
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
  // The policy of the page forbids styles in attributes, but not this.
  (bar.firstElementChild as HTMLElement).style.width = `${Math.min(100, part * 100)}%`;
  return h('span', { class: 'share' }, bar, percent(part));
}

export interface Totals {
  readonly input: number | undefined;
  readonly cached: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
}

export function totalsOf(...calls: readonly CallView[]): Totals {
  const rounds = calls.flatMap((call) => call.rounds).filter(({ replayed }) => replayed !== true);
  const sum = (of: (round: RoundView) => number | undefined): number | undefined => {
    const counts = rounds.flatMap((round) => of(round) ?? []);
    return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0);
  };
  return {
    input: sum(({ input }) => input),
    cached: sum(({ cached }) => cached),
    output: sum(({ output }) => output),
    reasoning: sum(({ reasoning }) => reasoning),
  };
}
