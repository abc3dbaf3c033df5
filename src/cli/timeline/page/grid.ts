import { cellsOf, COLUMNS } from './cells.js';
import { h, perFrame } from './dom.js';
import type { Row } from './rows.js';

const ROW_PX = 28;
/** Lines above and below the visible ones, so that a quick scroll shows no gaps. */
const SPARE = 12;

export interface GridEvents {
  readonly onSelect: (row: Row) => void;
  /** Called on Enter or a click. */
  readonly onOpen: (row: Row, by: 'key' | 'pointer') => void;
  readonly onToggle: (row: Row) => void;
}

/** A table that keeps only its visible lines in the page. */
export class Grid {
  readonly element: HTMLElement;
  readonly #events: GridEvents;
  readonly #space = h('div', { class: 'space', role: 'presentation' });
  readonly #scroller = h('div', { class: 'rows', role: 'rowgroup' }, this.#space);
  readonly #inPage = new Map<number, HTMLElement>();
  #rows: readonly Row[] = [];
  #selected: Row | undefined;

  constructor(events: GridEvents) {
    this.#events = events;
    const label = { 'aria-label': 'Calls, rounds and tools' };
    this.element = h('div', { class: 'grid', role: 'treegrid', tabindex: 0, ...label }, headRow(), this.#scroller);
    const render = perFrame(() => this.#render());
    this.#scroller.addEventListener('scroll', render, { passive: true });
    new ResizeObserver(render).observe(this.#scroller);
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#scroller.addEventListener('click', ({ target }) => this.#onClick(target));
  }

  setRows(rows: readonly Row[]): void {
    this.#rows = rows;
    for (const line of this.#inPage.values()) line.remove();
    this.#inPage.clear();
    this.#space.style.height = `${rows.length * ROW_PX}px`;
    this.element.setAttribute('aria-rowcount', String(rows.length + 1));
    this.select(this.#selected);
  }

  /** Selects a line and scrolls it into view. */
  select(row: Row | undefined): void {
    this.#selected = row;
    const at = this.#at;
    if (at >= 0) {
      const [top, height] = [at * ROW_PX, this.#scroller.clientHeight];
      if (top < this.#scroller.scrollTop) this.#scroller.scrollTop = top;
      else if (top + ROW_PX > this.#scroller.scrollTop + height) this.#scroller.scrollTop = top + ROW_PX - height;
    }
    for (const [index, line] of this.#inPage) line.setAttribute('aria-selected', String(index === at));
    this.#render();
  }

  /** The index of the selected line; -1 if none is selected or shown. */
  get #at(): number {
    return this.#selected === undefined ? -1 : this.#rows.indexOf(this.#selected);
  }

  #render(): void {
    const { scrollTop, clientHeight } = this.#scroller;
    const first = Math.max(0, Math.floor(scrollTop / ROW_PX) - SPARE);
    const last = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / ROW_PX) + SPARE);
    for (const [at, line] of this.#inPage)
      if (at < first || at >= last) {
        line.remove();
        this.#inPage.delete(at);
      }
    for (const [offset, row] of this.#rows.slice(first, last).entries()) {
      const at = first + offset;
      if (this.#inPage.has(at)) continue;
      const line = lineOf(row, at, row === this.#selected);
      this.#inPage.set(at, line);
      this.#space.append(line);
    }
    const active = this.#at;
    if (this.#inPage.has(active)) this.element.setAttribute('aria-activedescendant', `row-${active}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = this.#at;
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / ROW_PX) - 1);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: this.#rows.length,
    };
    const target = targets[event.key];
    if (target !== undefined) this.#go(target);
    else if (event.key === 'Enter' && this.#selected !== undefined) this.#events.onOpen(this.#selected, 'key');
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') this.#fold(event.key === 'ArrowRight', at);
    else return;
    event.preventDefault();
  }

  #go(to: number): void {
    const row = this.#rows[Math.min(this.#rows.length - 1, Math.max(0, to))];
    if (row === undefined) return;
    this.select(row);
    this.#events.onSelect(row);
  }

  /** As in trees: right opens, then enters; left closes, then leaves. */
  #fold(open: boolean, at: number): void {
    const row = this.#selected;
    if (row === undefined) return;
    if (row.hasChildren && row.isOpen !== open) this.#events.onToggle(row);
    else if (open && row.hasChildren) this.#go(at + 1);
    else if (!open && row.parent !== undefined) this.#go(this.#rows.indexOf(row.parent));
  }

  #onClick(target: EventTarget | null): void {
    if (!(target instanceof Element)) return;
    const row = this.#rows[Number(target.closest('[data-at]')?.getAttribute('data-at') ?? -1)];
    if (row === undefined) return;
    this.select(row);
    this.#events.onSelect(row);
    if (row.hasChildren && target.closest('.fold') !== null) this.#events.onToggle(row);
    else this.#events.onOpen(row, 'pointer');
  }
}

function headRow(): HTMLElement {
  const heads = COLUMNS.map(([title, hint, name]) =>
    h('span', { role: 'columnheader', class: `cell ${name}`, title: hint === '' ? undefined : hint }, title),
  );
  return h('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 }, ...heads);
}

function lineOf(row: Row, at: number, isSelected: boolean): HTMLElement {
  const cells = cellsOf(row);
  const arrow = row.isOpen ? '▾' : '▸';
  cells[0]?.prepend(h('span', { class: 'fold', 'aria-hidden': 'true' }, row.hasChildren ? arrow : ''));
  const line = h(
    'div',
    {
      role: 'row',
      class: `row ${row.kind} level${row.level}`,
      id: `row-${at}`,
      'data-at': at,
      'aria-rowindex': at + 2,
      'aria-level': row.level,
      'aria-selected': String(isSelected),
      'aria-expanded': row.hasChildren ? String(row.isOpen) : undefined,
    },
    ...cells,
  );
  line.style.transform = `translateY(${at * ROW_PX}px)`;
  return line;
}
