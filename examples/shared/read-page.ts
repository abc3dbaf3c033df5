import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { markdownOf } from './markdown-of.js';

export interface PageInput {
  readonly html: string;
  readonly url: string;
}

export interface ReadPage {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** Of these a reader sees nothing. */
const UNSEEN =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, head, title, dialog:not([open]), [hidden]';

/** What a reader sees of a page: its article, or, if it has none, all of it. */
export function readPage({ html, url }: PageInput): ReadPage {
  const { document } = parseHTML(withBody(html));
  const title = document.querySelector('title')?.textContent?.trim() ?? '';
  for (const element of document.querySelectorAll('body title')) element.remove();
  const base = document.createElement('base');
  base.setAttribute('href', url);
  document.head.prepend(base);
  const article = new Readability(document.cloneNode(true) as Document, { charThreshold: 200 }).parse();
  for (const element of document.querySelectorAll(UNSEEN)) element.remove();
  const shown = article?.content ?? document.body?.innerHTML ?? '';
  const { document: clean } = parseHTML(`<!doctype html><html><body>${shown}</body></html>`);
  for (const link of clean.querySelectorAll('a[href]'))
    link.setAttribute('href', absolute(link.getAttribute('href'), url));
  return { title: article?.title?.trim() || title, text: markdownOf(clean.body.innerHTML) };
}

/** The parser adds no body to a page without one, and a page without one has no text. */
function withBody(html: string): string {
  return /<body[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
}

/** Only web pages can be read on: other links lose their address. */
function absolute(href: string | null, base: string): string {
  const url = href !== null && URL.canParse(href, base) ? new URL(href, base) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : '';
}
