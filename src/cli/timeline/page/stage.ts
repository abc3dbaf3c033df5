import type { CallView } from '../model.js';
import { h, perFrame, svg } from './dom.js';
import { duration } from './format.js';
import { drawLanes, lanesHeight } from './lanes.js';
import type { Row } from './rows.js';

const MAX_ZOOM = 4096;

export interface Stage {
  readonly element: HTMLElement;
  /** The call of a line, with the line's own bar in view. */
  readonly show: (row: Row | undefined) => void;
  readonly zoom: (by: number) => void;
}

/** The lanes of one call: rounds above, below them tools side by side where they ran at the same time. */
export function createStage(onPick: (key: string) => void): Stage {
  const drawing = svg('svg', { class: 'lanes', role: 'img' });
  const scroller = h('div', { class: 'lanes-scroll' }, drawing);
  const title = h('span', { class: 'stage-title' });
  let [call, key, selected, factor] = [undefined as CallView | undefined, '', '', 1];

  const scale = (): number => (Math.max(1, scroller.clientWidth - 2) * factor) / Math.max(1, call?.ms ?? 1);
  const draw = perFrame(() => {
    if (call === undefined) return;
    const from = scroller.scrollLeft;
    const width = scale() * Math.max(1, call.ms);
    drawing.setAttribute('width', String(Math.ceil(width)));
    drawing.setAttribute('height', String(lanesHeight(call)));
    const window = { scale: scale(), from: from - 200, to: from + scroller.clientWidth + 200 };
    drawing.replaceChildren(...drawLanes(call, key, window, selected));
  });
  const zoomTo = (next: number, anchor = scroller.clientWidth / 2): void => {
    const middle = (scroller.scrollLeft + anchor) / scale();
    factor = Math.min(MAX_ZOOM, Math.max(1, next));
    drawing.setAttribute('width', String(Math.ceil(scale() * Math.max(1, call?.ms ?? 1))));
    scroller.scrollLeft = middle * scale() - anchor;
    draw();
  };

  scroller.addEventListener('scroll', draw, { passive: true });
  scroller.addEventListener('click', ({ target }) => {
    const picked = target instanceof Element ? target.closest('[data-key]')?.getAttribute('data-key') : undefined;
    if (picked) onPick(picked);
  });
  scroller.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomTo(factor * (event.deltaY < 0 ? 1.25 : 0.8), event.clientX - scroller.getBoundingClientRect().left);
    },
    { passive: false },
  );
  new ResizeObserver(draw).observe(scroller);

  return {
    element: h(
      'section',
      { class: 'stage', 'aria-label': 'Lanes of the call' },
      h('div', { class: 'stage-head' }, title, legend()),
      scroller,
    ),
    zoom: (by) => zoomTo(factor * by),
    show: (row) => {
      if (row === undefined || row.kind === 'outside') return;
      if (row.call !== call) {
        call = row.call;
        key = row.key.replace(/[r#].*$/, '');
        factor = 1;
        title.textContent = `Call ${call.number}, ${duration(call.ms)}`;
        drawing.setAttribute(
          'aria-label',
          `Call ${call.number}: rounds and tools over time; the table below has the same`,
        );
      }
      selected = row.key;
      const from = row.kind === 'round' ? row.round.from : row.kind === 'tool' ? row.tool.from : undefined;
      if (from !== undefined) bringIntoView(scroller, from * scale());
      draw();
    },
  };
}

function bringIntoView(scroller: HTMLElement, x: number): void {
  const { scrollLeft, clientWidth } = scroller;
  if (x < scrollLeft + 20 || x > scrollLeft + clientWidth - 40) scroller.scrollLeft = x - clientWidth / 3;
}

function legend(): HTMLElement {
  const entry = (kind: string, text: string): HTMLElement => h('span', {}, h('i', { class: `key ${kind}` }), text);
  return h(
    'span',
    { class: 'legend', 'aria-hidden': 'true' },
    entry('round', 'round'),
    entry('first', 'first part'),
    entry('tool', 'tool'),
    entry('wait', 'waits for approval'),
    entry('bad', 'error'),
    entry('warn', 'retry, fallback, key'),
  );
}
