import type { CallView } from '../model.js';
import { h, perFrame, svg } from './dom.js';
import { duration } from './format.js';
import { drawLanes, lanesHeight, outlineOf } from './lanes.js';
import type { Row } from './rows.js';

const MAX_ZOOM = 4096;
/** Pixels drawn beyond the visible range. */
const AHEAD_PX = 800;

/** Draws the lanes of one call: rounds above, below them tools side by side if they ran at the same time. */
export class Stage {
  readonly element: HTMLElement;
  readonly #bars = svg('g');
  readonly #outline = svg('g');
  readonly #drawing = svg('svg', { class: 'lanes', role: 'img' }, this.#bars, this.#outline);
  readonly #scroller = h('div', { class: 'lanes-scroll' }, this.#drawing);
  readonly #title = h('span', { class: 'stage-title' });
  readonly #draw = perFrame(() => this.#drawNow());
  #call: CallView | undefined;
  #key = '';
  #selected = '';
  #factor = 1;
  /** The drawn range; it is drawn again only if more becomes visible. */
  #drawn = { scale: 0, from: 0, to: 0, key: '' };

  constructor(onPick: (key: string) => void) {
    const head = h('div', { class: 'stage-head' }, this.#title, legend());
    this.element = h('section', { class: 'stage', 'aria-label': 'Lanes of the call' }, head, this.#scroller);
    const scroller = this.#scroller;
    scroller.addEventListener('scroll', this.#draw, { passive: true });
    scroller.addEventListener('pointerover', ({ target }) => addTooltip(target));
    scroller.addEventListener('click', ({ target }) => {
      const picked = target instanceof Element ? target.closest('[data-key]')?.getAttribute('data-key') : undefined;
      if (picked) onPick(picked);
    });
    scroller.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false });
    new ResizeObserver(this.#draw).observe(scroller);
  }

  zoom(by: number): void {
    this.#zoomTo(this.#factor * by, this.#scroller.clientWidth / 2);
  }

  /** Shows the call of a line and scrolls the line's bar into view. */
  show(row: Row | undefined): void {
    if (row === undefined || row.kind === 'outside') return;
    if (row.call !== this.#call) this.#open(row.call, row.callKey);
    this.#selected = row.key;
    const from = row.kind === 'round' ? row.round.from : row.kind === 'tool' ? row.tool.from : undefined;
    if (from !== undefined) this.#bringIntoView(from * this.#scale);
    this.#draw();
  }

  #open(call: CallView, key: string): void {
    this.#call = call;
    this.#key = key;
    this.#factor = 1;
    this.#title.textContent = `Call ${call.number}, ${duration(call.ms)}`;
    const label = `Call ${call.number}: rounds and tools over time; the table below has the same`;
    this.#drawing.setAttribute('aria-label', label);
  }

  /** Pixels per millisecond. */
  get #scale(): number {
    return (Math.max(1, this.#scroller.clientWidth - 2) * this.#factor) / Math.max(1, this.#call?.ms ?? 1);
  }

  #drawNow(): void {
    const call = this.#call;
    if (call === undefined) return;
    const { scrollLeft, clientWidth } = this.#scroller;
    const [scale, key, drawn] = [this.#scale, this.#key, this.#drawn];
    const isSame = drawn.scale === scale && drawn.key === key;
    if (!isSame || scrollLeft < drawn.from || scrollLeft + clientWidth > drawn.to) {
      this.#drawn = { scale, key, from: scrollLeft - AHEAD_PX, to: scrollLeft + clientWidth + AHEAD_PX };
      this.#setWidth();
      this.#drawing.setAttribute('height', String(lanesHeight(call)));
      this.#bars.replaceChildren(...drawLanes(call, key, this.#drawn));
    }
    this.#outline.replaceChildren(...outlineOf(call, key, this.#selected, this.#drawn));
  }

  #setWidth(): void {
    this.#drawing.setAttribute('width', String(Math.ceil(this.#scale * Math.max(1, this.#call?.ms ?? 1))));
  }

  /** Zooms and keeps the point at `anchor` in place. */
  #zoomTo(factor: number, anchor: number): void {
    const ms = (this.#scroller.scrollLeft + anchor) / this.#scale;
    this.#factor = Math.min(MAX_ZOOM, Math.max(1, factor));
    this.#setWidth();
    this.#scroller.scrollLeft = ms * this.#scale - anchor;
    this.#draw();
  }

  #onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const anchor = event.clientX - this.#scroller.getBoundingClientRect().left;
    this.#zoomTo(this.#factor * (event.deltaY < 0 ? 1.25 : 0.8), anchor);
  }

  #bringIntoView(x: number): void {
    const { scrollLeft, clientWidth } = this.#scroller;
    if (x < scrollLeft + 20 || x > scrollLeft + clientWidth - 40) this.#scroller.scrollLeft = x - clientWidth / 3;
  }
}

function addTooltip(target: EventTarget | null): void {
  if (!(target instanceof SVGElement) || target.firstChild !== null) return;
  const text = target.getAttribute('data-title');
  if (text !== null) target.append(svg('title', {}, text));
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
