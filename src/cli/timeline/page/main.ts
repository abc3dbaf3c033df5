import type { Timeline } from '../model.js';
import { totalsOf } from './cells.js';
import { detailsOf, titleOf } from './details.js';
import { h, visible } from './dom.js';
import { amount, duration, full, percent, plural, share } from './format.js';
import { createGrid } from './grid.js';
import { preparePrint } from './print.js';
import { allRows, type Row, shownRows } from './rows.js';
import { createStage } from './stage.js';
import { pageTexts } from './texts.js';

function start(): void {
  const timeline = JSON.parse(need('timeline').textContent ?? '') as Timeline;
  const texts = pageTexts(need('texts'));
  const rows = allRows(timeline);
  const byKey = new Map(rows.map((row) => [row.key, row]));

  const panelBody = h('div', { class: 'panel-body' });
  const panelTitle = h('h2');
  const close = h('button', { type: 'button', class: 'close', 'aria-label': 'Close details', title: 'Escape' }, '✕');
  const panel = h(
    'aside',
    { class: 'panel', 'aria-label': 'Details', tabindex: -1, hidden: true },
    h('header', {}, panelTitle, close),
    panelBody,
  );
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter: tool, error, any text   ( / )',
    'aria-label': 'Filter',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const count = h('output', { class: 'count', 'aria-live': 'polite' });

  const stage = createStage((key) => {
    const row = byKey.get(key);
    if (row === undefined) return;
    reveal(row);
    grid.select(row);
    stage.show(row);
    open(row);
  });
  const grid = createGrid({
    onSelect: (row) => {
      stage.show(row);
      if (!panel.hidden) open(row);
    },
    onOpen: (row, by) => {
      open(row);
      if (by === 'key') panel.focus();
    },
    onToggle: (row) => {
      row.isOpen = !row.isOpen;
      update();
    },
  });

  function open(row: Row): void {
    panelTitle.replaceChildren(visible(titleOf(row)));
    panelBody.replaceChildren(...detailsOf(row, texts).filter((child) => child !== undefined));
    panelBody.scrollTop = 0;
    panel.hidden = false;
  }
  function shut(): void {
    panel.hidden = true;
    grid.element.focus();
  }
  /** Of what the filter hides or a line above has closed. */
  function reveal(row: Row): void {
    for (let above = row.parent; above !== undefined; above = above.parent) above.isOpen = true;
    if (!shownRows(rows, filter.value.trim(), texts).includes(row)) filter.value = '';
    update();
  }
  function update(): void {
    const query = filter.value.trim();
    const shown = shownRows(rows, query, texts);
    grid.setRows(shown);
    count.textContent = query === '' ? '' : `${full(shown.length)} of ${full(rows.length)} lines`;
  }

  close.addEventListener('click', shut);
  filter.addEventListener('input', update);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      if (document.activeElement === filter) {
        filter.value = '';
        update();
        grid.element.focus();
      } else if (!panel.hidden) shut();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || document.activeElement === filter) return;
    if (event.key === '/') {
      event.preventDefault();
      filter.focus();
    }
    if (event.key === '+' || event.key === '=') stage.zoom(2);
    if (event.key === '-') stage.zoom(0.5);
  });

  const zoom = h(
    'span',
    { class: 'zoom' },
    button('−', 'Zoom out (−)', () => stage.zoom(0.5)),
    button('+', 'Zoom in (+)', () => stage.zoom(2)),
  );
  document.title = visible(`${timeline.source} — timeline`).data;
  need('app').append(
    h(
      'header',
      { class: 'top' },
      h('h1', {}, timeline.source),
      h('p', { class: 'figures' }, figuresOf(timeline)),
      count,
      filter,
      zoom,
    ),
    stage.element,
    h('main', {}, grid.element, panel),
  );
  preparePrint(need('print'), timeline, rows);
  update();
  const first = rows.find(({ kind }) => kind === 'call') ?? rows[0];
  grid.select(first);
  stage.show(first);
  grid.element.focus({ preventScroll: true });
  document.documentElement.dataset['opened'] = String(Math.round(performance.now()));
}

function figuresOf({ calls, odd }: Timeline): string {
  const { input, cached, output } = totalsOf(...calls);
  const rounds = calls.reduce((sum, call) => sum + call.rounds.length, 0);
  const tools = calls.reduce((sum, call) => sum + call.tools.length, 0);
  const ms = calls.reduce((sum, call) => sum + call.ms, 0);
  const cachedShare = share(cached, input);
  return [
    plural(calls.length, 'call'),
    plural(rounds, 'round'),
    plural(tools, 'tool'),
    duration(ms),
    input === undefined
      ? ''
      : `${amount(input)} tokens in${cachedShare === undefined ? '' : `, ${percent(cachedShare)} cached`}`,
    output === undefined ? '' : `${amount(output)} out`,
    odd === 0 ? '' : `${plural(odd, 'line')} not understood`,
  ]
    .filter((figure) => figure !== '')
    .join(' · ');
}

function button(text: string, title: string, run: () => void): HTMLElement {
  const element = h('button', { type: 'button', title, 'aria-label': title }, text);
  element.addEventListener('click', run);
  return element;
}

function need(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element "${id}".`);
  return element;
}

start();
