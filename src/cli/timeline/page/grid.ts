import { cellsOf, COLUMNS } from './cells.js';
import { h, perFrame } from './dom.js';
import type { Row } from './rows.js';

const ROW_PX = 28;
/** Rows above and below what is visible: a quick scroll shows no gaps. */
const SPARE = 12;

export interface Grid {
  readonly element: HTMLElement;
  readonly setRows: (rows: readonly Row[]) => void;
  readonly select: (row: Row | undefined) => void;
  readonly selected: () => Row | undefined;
  readonly refresh: () => void;
}

export interface GridEvents {
  readonly onSelect: (row: Row) => void;
  /** Enter or a click. */
  readonly onOpen: (row: Row, by: 'key' | 'pointer') => void;
  readonly onToggle: (row: Row) => void;
}

/** A table of which only the visible lines are in the page. */
export function createGrid(events: GridEvents): Grid {
  const space = h('div', { class: 'space', role: 'presentation' });
  const scroller = h('div', { class: 'rows', role: 'rowgroup' }, space);
  const element = h(
    'div',
    { class: 'grid', role: 'treegrid', tabindex: 0, 'aria-label': 'Calls, rounds and tools' },
    headRow(),
    scroller,
  );
  const inPage = new Map<number, HTMLElement>();
  let rows: readonly Row[] = [];
  let selected: Row | undefined;

  const render = (): void => {
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW_PX) - SPARE);
    const last = Math.min(rows.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / ROW_PX) + SPARE);
    for (const [at, line] of inPage)
      if (at < first || at >= last) {
        line.remove();
        inPage.delete(at);
      }
    for (let at = first; at < last; at += 1) {
      const row = rows[at];
      if (row === undefined || inPage.has(at)) continue;
      const line = lineOf(row, at, row === selected);
      inPage.set(at, line);
      space.append(line);
    }
    const active = selected === undefined ? -1 : rows.indexOf(selected);
    if (inPage.has(active)) element.setAttribute('aria-activedescendant', `row-${active}`);
    else element.removeAttribute('aria-activedescendant');
  };
  const refresh = (): void => {
    for (const line of inPage.values()) line.remove();
    inPage.clear();
    space.style.height = `${rows.length * ROW_PX}px`;
    element.setAttribute('aria-rowcount', String(rows.length + 1));
    render();
  };
  const select = (row: Row | undefined): void => {
    selected = row;
    const at = row === undefined ? -1 : rows.indexOf(row);
    if (at >= 0) {
      const top = at * ROW_PX;
      if (top < scroller.scrollTop) scroller.scrollTop = top;
      else if (top + ROW_PX > scroller.scrollTop + scroller.clientHeight)
        scroller.scrollTop = top + ROW_PX - scroller.clientHeight;
    }
    for (const [index, line] of inPage) line.setAttribute('aria-selected', String(index === at));
    render();
  };
  const go = (to: number): void => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (row === undefined) return;
    select(row);
    events.onSelect(row);
  };

  scroller.addEventListener('scroll', perFrame(render), { passive: true });
  new ResizeObserver(perFrame(render)).observe(scroller);
  element.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = selected === undefined ? -1 : rows.indexOf(selected);
    const page = Math.max(1, Math.floor(scroller.clientHeight / ROW_PX) - 1);
    const target = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length,
    }[event.key];
    if (target !== undefined) go(target);
    else if (event.key === 'Enter' && selected !== undefined) events.onOpen(selected, 'key');
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') fold(event.key === 'ArrowRight', at);
    else return;
    event.preventDefault();
  });
  const fold = (open: boolean, at: number): void => {
    if (selected === undefined) return;
    if (selected.hasChildren && selected.isOpen !== open) events.onToggle(selected);
    else if (open && selected.hasChildren) go(at + 1);
    else if (!open && selected.parent !== undefined) go(rows.indexOf(selected.parent));
  };
  scroller.addEventListener('click', ({ target }) => {
    const line = target instanceof Element ? target.closest('[data-at]') : null;
    const row = rows[Number(line?.getAttribute('data-at') ?? -1)];
    if (row === undefined) return;
    const isArrow = target instanceof Element && target.closest('.fold') !== null;
    select(row);
    events.onSelect(row);
    if (isArrow && row.hasChildren) events.onToggle(row);
    else events.onOpen(row, 'pointer');
  });
  const setRows = (next: readonly Row[]): void => {
    rows = next;
    refresh();
    if (selected !== undefined) select(rows.includes(selected) ? selected : undefined);
  };
  return { element, setRows, select, selected: () => selected, refresh };
}

function headRow(): HTMLElement {
  const heads = COLUMNS.map(([title, hint, name]) =>
    h('span', { role: 'columnheader', class: `cell ${name}`, title: hint === '' ? undefined : hint }, title),
  );
  return h('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 }, ...heads);
}

function lineOf(row: Row, at: number, isSelected: boolean): HTMLElement {
  const cells = cellsOf(row);
  const arrow = h('span', { class: 'fold', 'aria-hidden': 'true' }, row.hasChildren ? (row.isOpen ? '▾' : '▸') : '');
  cells[0]?.prepend(arrow);
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
