import type { LanguageFn } from 'highlight.js';

type Load = () => Promise<{ readonly default: LanguageFn }>;

/** A chunk each: a page loads the grammars of the languages it shows. */
const GRAMMARS: ReadonlyMap<string, Load> = new Map<string, Load>([
  ['bash', () => import('highlight.js/lib/languages/bash')],
  ['c', () => import('highlight.js/lib/languages/c')],
  ['cpp', () => import('highlight.js/lib/languages/cpp')],
  ['csharp', () => import('highlight.js/lib/languages/csharp')],
  ['css', () => import('highlight.js/lib/languages/css')],
  ['diff', () => import('highlight.js/lib/languages/diff')],
  ['dockerfile', () => import('highlight.js/lib/languages/dockerfile')],
  ['go', () => import('highlight.js/lib/languages/go')],
  ['graphql', () => import('highlight.js/lib/languages/graphql')],
  ['ini', () => import('highlight.js/lib/languages/ini')],
  ['java', () => import('highlight.js/lib/languages/java')],
  ['javascript', () => import('highlight.js/lib/languages/javascript')],
  ['json', () => import('highlight.js/lib/languages/json')],
  ['kotlin', () => import('highlight.js/lib/languages/kotlin')],
  ['lua', () => import('highlight.js/lib/languages/lua')],
  ['makefile', () => import('highlight.js/lib/languages/makefile')],
  ['markdown', () => import('highlight.js/lib/languages/markdown')],
  ['php', () => import('highlight.js/lib/languages/php')],
  ['powershell', () => import('highlight.js/lib/languages/powershell')],
  ['python', () => import('highlight.js/lib/languages/python')],
  ['ruby', () => import('highlight.js/lib/languages/ruby')],
  ['rust', () => import('highlight.js/lib/languages/rust')],
  ['sql', () => import('highlight.js/lib/languages/sql')],
  ['swift', () => import('highlight.js/lib/languages/swift')],
  ['typescript', () => import('highlight.js/lib/languages/typescript')],
  ['xml', () => import('highlight.js/lib/languages/xml')],
  ['yaml', () => import('highlight.js/lib/languages/yaml')],
]);

/** Other names that models write behind a fence. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['zsh', 'bash'],
  ['console', 'bash'],
  ['h', 'c'],
  ['c++', 'cpp'],
  ['cc', 'cpp'],
  ['hpp', 'cpp'],
  ['cs', 'csharp'],
  ['c#', 'csharp'],
  ['patch', 'diff'],
  ['docker', 'dockerfile'],
  ['golang', 'go'],
  ['gql', 'graphql'],
  ['toml', 'ini'],
  ['js', 'javascript'],
  ['jsx', 'javascript'],
  ['mjs', 'javascript'],
  ['cjs', 'javascript'],
  ['jsonc', 'json'],
  ['json5', 'json'],
  ['kt', 'kotlin'],
  ['make', 'makefile'],
  ['md', 'markdown'],
  ['ps1', 'powershell'],
  ['py', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['ts', 'typescript'],
  ['tsx', 'typescript'],
  ['mts', 'typescript'],
  ['cts', 'typescript'],
  ['html', 'xml'],
  ['svg', 'xml'],
  ['vue', 'xml'],
  ['yml', 'yaml'],
]);

/** The language that is meant, if there is a grammar for it. */
export function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  const language = ALIASES.get(lower) ?? lower;
  return GRAMMARS.has(language) ? language : undefined;
}

/** @param language one that `languageOf` knows. */
export async function loadGrammar(language: string): Promise<LanguageFn | undefined> {
  return (await GRAMMARS.get(language)?.())?.default;
}
