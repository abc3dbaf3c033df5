import { detailsOf, titleOf } from './details.js';
import { h, visible } from './dom.js';
import type { Row } from './rows.js';
import type { PageTexts } from './texts.js';

/** Shows all known facts of the opened line. */
export class Panel {
  readonly element: HTMLElement;
  readonly #texts: PageTexts;
  readonly #title = h('h2');
  readonly #body = h('div', { class: 'panel-body' });

  constructor(texts: PageTexts, onClose: () => void) {
    this.#texts = texts;
    const close = h('button', { type: 'button', 'aria-label': 'Close details', title: 'Close (Escape)' }, '✕');
    close.addEventListener('click', onClose);
    const label = { 'aria-label': 'Details', tabindex: -1, hidden: true };
    this.element = h('aside', { class: 'panel', ...label }, h('header', {}, this.#title, close), this.#body);
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(row: Row): void {
    this.#title.replaceChildren(visible(titleOf(row)));
    this.#body.replaceChildren(...detailsOf(row, this.#texts).filter((child) => child !== undefined));
    this.#body.scrollTop = 0;
    this.#show(true);
  }

  close(): void {
    this.#show(false);
    this.#body.replaceChildren();
  }

  /**
   * The table next to it then shows fewer columns. Not by `:has()`, which costs time with every line added or removed.
   */
  #show(isShown: boolean): void {
    this.element.hidden = !isShown;
    this.element.parentElement?.classList.toggle('split', isShown);
  }
}
