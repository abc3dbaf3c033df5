import { h, visible } from './dom.js';
import { full } from './format.js';

/** Characters shown at once and added by each click: long texts take the browser seconds to lay out. */
const FIRST_CHARS = 20_000;
const MORE_CHARS = 200_000;

/** Shows a string unchanged, and other values as JSON. */
export function textBlock(value: unknown): HTMLElement {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const shown = h('pre', { tabindex: 0, dir: 'auto' });
  const block = h('div', { class: 'text' }, shown);
  let end = 0;
  const show = (chars: number): void => {
    const to = cutAt(text, end + chars);
    shown.append(visible(text.slice(end, to)));
    end = to;
  };
  show(FIRST_CHARS);
  if (end >= text.length) return block;
  const more = h('button', { type: 'button' });
  const label = (): void => {
    more.textContent = `Show more (${full(end)} of ${full(text.length)} characters)`;
    if (end >= text.length) more.remove();
  };
  more.addEventListener('click', () => {
    show(MORE_CHARS);
    label();
  });
  label();
  block.append(more);
  return block;
}

/** Returns a cut outside a surrogate pair. */
function cutAt(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return at < text.length && code >= 0xd800 && code <= 0xdbff ? at + 1 : Math.min(at, text.length);
}
