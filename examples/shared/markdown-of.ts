import { gfm } from '@joplin/turndown-plugin-gfm';
import Turndown from 'turndown';

/** HTML as Markdown, with tables. Of a picture its description stays. */
export function markdownOf(html: string): string {
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  turndown.use(gfm);
  turndown.addRule('picture', { filter: 'img', replacement: (_, node) => (node as Element).getAttribute('alt') ?? '' });
  return turndown
    .turndown(html)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
