import type { Timeline } from '../model.js';
import { money, totalsOf } from '../totals.js';
import { h } from './dom.js';
import { amount, duration, full, percent, plural, share } from './format.js';
import { Grid } from './grid.js';
import { Panel } from './panel.js';
import { allRows, type Row, shownRows } from './rows.js';
import { Stage } from './stage.js';
import type { PageTexts } from './texts.js';

const FILTER = { type: 'search', 'aria-label': 'Filter', spellcheck: 'false', autocomplete: 'off' };

/** The page: lanes above, the table below, details next to it. */
export class App {
  readonly rows: readonly Row[];
  readonly #texts: PageTexts;
  readonly #stage: Stage;
  readonly #grid: Grid;
  readonly #panel: Panel;
  readonly #filter = h('input', { ...FILTER, placeholder: 'Filter: tool, error, any text   ( / )' });
  readonly #count = h('output', { class: 'count', 'aria-live': 'polite' });

  constructor(timeline: Timeline, texts: PageTexts) {
    this.#texts = texts;
    this.rows = allRows(timeline);
    const byKey = new Map(this.rows.map((row) => [row.key, row]));
    this.#stage = new Stage((key) => this.#pick(byKey.get(key)));
    this.#panel = new Panel(texts, () => this.#close());
    this.#grid = new Grid({
      onSelect: (row) => {
        this.#stage.show(row);
        if (this.#panel.isOpen) this.#panel.open(row);
      },
      onOpen: (row, by) => {
        this.#panel.open(row);
        if (by === 'key') this.#panel.element.focus();
      },
      onToggle: (row) => {
        row.isOpen = !row.isOpen;
        this.#update();
      },
    });
    this.#filter.addEventListener('input', () => this.#update());
    document.addEventListener('keydown', (event) => this.#onKey(event));
  }

  mount(host: HTMLElement, timeline: Timeline): void {
    const zoom = h(
      'span',
      { class: 'zoom' },
      button('−', 'Zoom out (−)', () => this.#stage.zoom(0.5)),
      button('+', 'Zoom in (+)', () => this.#stage.zoom(2)),
    );
    const figures = h('p', { class: 'figures' }, figuresOf(timeline));
    const top = h('header', { class: 'top' }, h('h1', {}, timeline.source), figures, this.#count, this.#filter, zoom);
    host.append(top, this.#stage.element, h('main', {}, this.#grid.element, this.#panel.element));
    this.#update();
    const first = this.rows.find(({ kind }) => kind === 'call') ?? this.rows[0];
    this.#grid.select(first);
    this.#stage.show(first);
    this.#grid.element.focus({ preventScroll: true });
  }

  /** Handles a click on a bar; the filter or a closed parent may hide its line. */
  #pick(row: Row | undefined): void {
    if (row === undefined) return;
    for (let above = row.parent; above !== undefined; above = above.parent) above.isOpen = true;
    if (!shownRows(this.rows, this.#query, this.#texts).includes(row)) this.#filter.value = '';
    this.#update();
    this.#grid.select(row);
    this.#stage.show(row);
    this.#panel.open(row);
  }

  #close(): void {
    this.#panel.close();
    this.#grid.element.focus();
  }

  get #query(): string {
    return this.#filter.value.trim();
  }

  #update(): void {
    const shown = shownRows(this.rows, this.#query, this.#texts);
    this.#grid.setRows(shown);
    this.#count.textContent = this.#query === '' ? '' : `${full(shown.length)} of ${full(this.rows.length)} lines`;
  }

  #onKey(event: KeyboardEvent): void {
    const isTyping = document.activeElement === this.#filter;
    if (event.key === 'Escape') this.#onEscape(isTyping);
    else if (isTyping && (event.key === 'Enter' || event.key === 'ArrowDown')) {
      event.preventDefault();
      this.#grid.element.focus();
    } else if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) this.#onLetter(event);
  }

  #onEscape(isTyping: boolean): void {
    if (isTyping) {
      this.#filter.value = '';
      this.#update();
      this.#grid.element.focus();
    } else if (this.#panel.isOpen) this.#close();
  }

  #onLetter(event: KeyboardEvent): void {
    if (event.key === '+' || event.key === '=') this.#stage.zoom(2);
    if (event.key === '-') this.#stage.zoom(0.5);
    if (event.key !== '/') return;
    event.preventDefault();
    this.#filter.focus();
  }
}

function figuresOf({ calls, odd }: Timeline): string {
  const { input, cached, output, cost } = totalsOf(...calls);
  const sum = (of: (call: Timeline['calls'][number]) => number): number =>
    calls.reduce((total, call) => total + of(call), 0);
  const cachedShare = share(cached, input);
  const inCache = cachedShare === undefined ? '' : `, ${percent(cachedShare)} cached`;
  const figures = [
    plural(calls.length, 'call'),
    plural(
      sum(({ rounds }) => rounds.length),
      'round',
    ),
    plural(
      sum(({ tools }) => tools.length),
      'tool',
    ),
    duration(sum(({ ms }) => ms)),
    input === undefined ? '' : `${amount(input)} tokens in${inCache}`,
    output === undefined ? '' : `${amount(output)} out`,
    cost === undefined ? '' : `cost ${money(cost)}`,
    odd === 0 ? '' : `${plural(odd, 'line')} not understood`,
  ];
  return figures.filter((figure) => figure !== '').join(' · ');
}

function button(text: string, title: string, run: () => void): HTMLElement {
  const element = h('button', { type: 'button', title, 'aria-label': title }, text);
  element.addEventListener('click', run);
  return element;
}
