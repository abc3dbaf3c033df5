import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS_PAGES } from '../../../.ci/docs/settings-pages.mjs';

export interface Page {
  /** Its path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The pages of `docs`, its index among them. */
export const DOCS: readonly Page[] = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => readPage(join('docs', name).replaceAll('\\', '/')))
  .toSorted((a, b) => a.path.localeCompare(b.path));

/** The pages with the tables of settings. */
export const SETTINGS: readonly Page[] = SETTINGS_PAGES.map((name) => readPage(`docs/${name}.md`));

export const README: Page = readPage('README.md');

export function readPage(path: string): Page {
  return { path, text: readFileSync(path, 'utf8') };
}

/** Pieces of code in one of these languages. */
export function codeOf({ text }: Page, ...languages: readonly string[]): string[] {
  const blocks = text.matchAll(/^```(\w+)\n([^]*?)^```$/gm);
  return [...blocks].filter(([, language = '']) => languages.includes(language)).map(([, , code = '']) => code);
}

/** TypeScript of a page that needs no other file. What imports its neighbours is a file of an example, and compiled there. */
export function programsOf(page: Page): string[] {
  return codeOf(page, 'ts').filter((code) => !/ from '\.\.?\//.test(code));
}

/** Code of a page for the AI SDK that this project has: pages show the import of AI SDK 6. */
export function forInstalled(code: string): string {
  return code.replaceAll("'responses-loop/ai6'", "'responses-loop/ai5'");
}

/** Without pieces of code, whose comments look like headings. */
export function proseOf(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

/** Anchors of its headings, as GitHub and the site (`.ci/docs`) make them. */
export function anchorsOf({ text }: Page): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function slugOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

/** Targets of links and pictures that are no addresses of the web. */
export function localLinksOf({ text }: Page): string[] {
  const prose = proseOf(text).replaceAll(/(`+)[^`\n]+\1/g, (code) => code.replaceAll(/[[\]()]/g, ''));
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}
