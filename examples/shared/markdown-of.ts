import { gfm } from '@joplin/turndown-plugin-gfm';
import { parseHTML } from 'linkedom';
import Turndown from 'turndown';

/** As HTML itself limits a cell. The plugin writes as many cells as a page asks for: 120 million held it for half a minute. */
const MAX_COLUMNS = 1_000;

/** HTML as Markdown, with tables. Of a picture its description stays. */
export function markdownOf(html: string): string {
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  turndown.use(gfm);
  turndown.addRule('picture', { filter: 'img', replacement: (_, node) => (node as Element).getAttribute('alt') ?? '' });
  return turndown
    .turndown(withSmallSpans(html))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function withSmallSpans(html: string): string {
  if (!/colspan/i.test(html)) return html;
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  for (const cell of document.querySelectorAll('[colspan]')) {
    const columns = Math.trunc(Number(cell.getAttribute('colspan')));
    cell.setAttribute('colspan', String(Math.min(columns > 0 ? columns : 1, MAX_COLUMNS)));
  }
  return document.body.innerHTML;
}
