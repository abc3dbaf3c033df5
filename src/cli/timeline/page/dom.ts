import { showControls } from '../../../util/control-characters.js';

/** The attributes of an element; `false` and `undefined` omit one. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
export type Child = Node | string | undefined;

/**
 * Makes an element. Texts become text nodes with control characters spelled, so nothing in this page is parsed as HTML.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false)
      element.setAttribute(name, typeof value === 'string' ? showControls(value) : String(value));
  for (const child of children)
    if (child !== undefined) element.append(typeof child === 'string' ? visible(child) : child);
  return element;
}

export function visible(text: string): Text {
  return document.createTextNode(showControls(text));
}

/** Runs at most once per frame. */
export function perFrame(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      run();
    });
  };
}
