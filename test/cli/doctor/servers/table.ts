import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What is kept of a report: nothing that is another one each time. */
export interface Kept {
  readonly title: string;
  readonly looksLike: string | null;
  readonly result: string;
  readonly profile: string | null;
  readonly points: readonly { readonly name: string; readonly verdict: string; readonly detail: string }[];
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

export function pathOf(file: string): string {
  return join(FOLDER, `${file}.json`);
}

/** In the order of their files. */
export function readKept(): readonly Kept[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  // Written by `update.ts`.
  return files.toSorted().map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Kept);
}

const RESULTS: Readonly<Record<string, string>> = { works: 'yes', limits: 'yes, with limitations', fails: 'no' };

/** One column for each server, one row for each point. */
export function tableOf(servers: readonly Kept[]): string {
  const names = [...new Set(servers.flatMap(({ points }) => points.map(({ name }) => name)))];
  const rows = [
    ['Check', ...servers.map(({ title }) => title)],
    ['---', ...servers.map(() => '---')],
    ...names.map((name) => [name, ...servers.map((server) => verdictOf(server, name))]),
    ['**works with this package**', ...servers.map(({ result }) => `**${RESULTS[result] ?? result}**`)],
    ['profile', ...servers.map(({ profile }) => (profile === null ? '–' : `\`${profile}\``))],
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function verdictOf({ points }: Kept, name: string): string {
  const verdict = points.find((point) => point.name === name)?.verdict ?? 'skipped';
  return verdict === 'skipped' ? '–' : verdict === 'unknown' ? '?' : verdict;
}

const START = '<!-- doctor: written by test/cli/doctor/servers/update.ts -->';
const END = '<!-- /doctor -->';

/** The page with this table between its marks. */
export function withTable(page: string, table: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start === -1 || end < start)
    throw new Error(`docs/tested-servers.md has no place for the table: ${START} … ${END}`);
  return `${page.slice(0, start + START.length)}\n\n${table}\n\n${page.slice(end)}`;
}
