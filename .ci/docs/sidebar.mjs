import { readFileSync } from 'node:fs';

/** @typedef {{ text: string, link: string }} MenuPage */

/**
 * The index of the documentation as the menu of the site: a group for each heading, a link for each line.
 * @returns {{ text: string, items: MenuPage[] }[]}
 */
export function sidebarOf(index) {
  const groups = [];
  for (const line of readFileSync(index, 'utf8').split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    const [, text, page] = /^- \[(.+?)\]\((.+?)\.md\)/.exec(line) ?? [];
    if (page !== undefined) groups.at(-1)?.items.push({ text: text.replaceAll('`', ''), link: `/${page}` });
  }
  return groups;
}
