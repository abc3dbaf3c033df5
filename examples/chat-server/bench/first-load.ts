import type { PageFile } from '../src/page/page-files.js';

const ASSET = /(?:src|href)="\.?(?<path>\/assets\/[^"]+)"/g;

/** Files that a browser asks for before somebody can type: the page, and what it names. Chunks that scripts ask for come later. */
export function firstLoad(files: ReadonlyMap<string, PageFile>): readonly PageFile[] {
  const page = files.get('/');
  if (page === undefined) throw new Error('The built page has no index.html.');
  const html = new TextDecoder().decode(page.body);
  const named = [...html.matchAll(ASSET)].map(({ groups }) => files.get(groups?.['path'] ?? ''));
  return [page, ...named.filter((file) => file !== undefined)];
}
