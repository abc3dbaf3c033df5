import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sidebarOf } from './sidebar.mjs';

/** `llms.txt` of the site (llmstxt.org): what it is, and each page with the question it answers, for programs that read. */
export function llmsText(pages, { title, description, homepage }) {
  const groups = sidebarOf(join(pages, 'README.md')).map((group) => {
    const lines = group.items.map(
      (page) => `- [${page.text}](${homepage}${page.link}.html): ${questionOf(pages, page)}`,
    );
    return `## ${group.text}\n\n${lines.join('\n')}\n`;
  });
  return [`# ${title}\n`, `> ${description}\n`, ...groups].join('\n');
}

/** The third line of each page; a test holds it. */
const questionOf = (pages, { link }) =>
  readFileSync(join(pages, `${link}.md`), 'utf8')
    .split('\n')[2]
    ?.replaceAll('*', '') ?? '';
