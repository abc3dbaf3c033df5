import type { Page } from './pages.js';
import type { Setting } from './read-settings.js';

const HEAD = ['| Setting | Meaning | Default | Type |', '| --- | --- | --- | --- |'];

/** `<!-- settings: baseURL, sockets.* -->`, the table, `<!-- /settings -->`: the page says which settings stand where. */
const PLACE = /<!-- settings: (.+?) -->\n[^]*?<!-- \/settings -->/g;

/** The pages with their tables made anew. Fails unless each setting stands in exactly one table of all pages. */
export function withSettingsTables(pages: readonly Page[], settings: readonly Setting[]): Page[] {
  const left = new Set(settings);
  const tableOf = (_place: string, list: string): string => {
    const rows = list.split(', ').flatMap((pattern) => {
      const chosen = settings.filter(({ name }) => fits(name, pattern));
      if (chosen.length === 0) throw new Error(`There is no setting ${pattern}.`);
      const twice = chosen.find((setting) => !left.delete(setting));
      if (twice !== undefined) throw new Error(`The setting ${twice.name} stands in two tables.`);
      return chosen.map(rowOf);
    });
    return [`<!-- settings: ${list} -->`, '', ...HEAD, ...rows, '', '<!-- /settings -->'].join('\n');
  };
  const written = pages.map(({ path, text }) => ({ path, text: text.replaceAll(PLACE, tableOf) }));
  if (left.size > 0) throw new Error(`In no table: ${[...left].map(({ name }) => name).join(', ')}.`);
  return written;
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function rowOf({ name, type, byDefault, meaning }: Setting): string {
  const cells = [`\`${name}\``, meaning, byDefault ?? '–', `\`${type}\``];
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
