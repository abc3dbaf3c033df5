import type { Timeline } from '../model.js';
import { cellsOf, COLUMNS } from './cells.js';
import { h, svg } from './dom.js';
import { drawLanes, lanesHeight } from './lanes.js';
import type { Row } from './rows.js';

/** The width between the margins of a page. */
const WIDTH_PX = 700;

/** Paper does not scroll: prints all lines, and the lanes of every call before its lines. */
export function preparePrint(host: HTMLElement, timeline: Timeline, rows: readonly Row[]): void {
  addEventListener('beforeprint', () => {
    host.replaceChildren(h('h1', {}, timeline.source), ...tablesOf(rows));
  });
  addEventListener('afterprint', () => host.replaceChildren());
}

function tablesOf(rows: readonly Row[]): HTMLElement[] {
  const tables: HTMLElement[] = [];
  let lines: HTMLElement[] = [];
  for (const row of rows) {
    if (row.kind === 'call' || row.kind === 'outside') {
      lines = [];
      const heads = COLUMNS.map(([title, , name]) => h('span', { class: `cell ${name}` }, title));
      const table = h(
        'div',
        { class: 'printed' },
        row.kind === 'call' ? lanesOf(row) : undefined,
        h('div', { class: 'row head' }, ...heads),
      );
      tables.push(table);
    }
    const line = h('div', { class: `row ${row.kind} level${row.level}` }, ...cellsOf(row));
    tables.at(-1)?.append(line);
    lines.push(line);
  }
  return tables;
}

function lanesOf({ call, key }: Extract<Row, { kind: 'call' }>): SVGElement {
  const window = { scale: WIDTH_PX / Math.max(1, call.ms), from: 0, to: WIDTH_PX };
  const height = lanesHeight(call);
  const shapes = drawLanes(call, key, window);
  return svg('svg', { class: 'lanes', width: WIDTH_PX, height, viewBox: `0 0 ${WIDTH_PX} ${height}` }, ...shapes);
}
