import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import type { Color, Look, Row, Span } from '../rows.js';

const require = createRequire(import.meta.url);

const LANGUAGES = new Set(
  'bash c cpp csharp css diff dockerfile go graphql ini java javascript json kotlin lua makefile markdown php python ruby rust sql swift typescript xml yaml'.split(
    ' ',
  ),
);
/** Other names that models write behind a fence. */
const ALIASES: Readonly<Record<string, string>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  'c++': 'cpp',
  cs: 'csharp',
  patch: 'diff',
  docker: 'dockerfile',
  golang: 'go',
  toml: 'ini',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsonc: 'json',
  kt: 'kotlin',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  yml: 'yaml',
};

/** By the first word of a scope, such as `title` of `title function_`. The terminal's own theme has the shades. */
const LOOKS: Readonly<Record<string, Look>> = {
  keyword: { color: 'magenta' },
  'selector-tag': { color: 'magenta' },
  literal: { color: 'yellow' },
  number: { color: 'yellow' },
  string: { color: 'green' },
  regexp: { color: 'green' },
  addition: { color: 'green' },
  deletion: { color: 'red' },
  comment: { dim: true, italic: true },
  doctag: { dim: true },
  title: { color: 'blue' },
  section: { bold: true },
  name: { color: 'blue' },
  attr: { color: 'cyan' },
  attribute: { color: 'cyan' },
  property: { color: 'cyan' },
  built_in: { color: 'cyan' },
  type: { color: 'cyan' },
  meta: { dim: true },
  variable: { color: 'cyan' },
} satisfies Record<string, { color?: Color; dim?: boolean; bold?: boolean; italic?: boolean }>;

/** Lines before the one that is coloured; what began further up is not known. */
const LINES_BEFORE = 60;
const MAX_CHARS = 6_000;

let hljs: HLJSApi | undefined;

/** The language that a fence names, if there is a grammar for it. */
export function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  const language = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return language !== undefined && LANGUAGES.has(language) ? language : undefined;
}

/** The last line of a piece of code, in colours that follow from the lines above it. */
export function lastLineSpans(lines: readonly string[], language: string): Row {
  const shown = lines.slice(-LINES_BEFORE);
  const last = shown.at(-1) ?? '';
  const code = shown.join('\n');
  if (code.length > MAX_CHARS) return [{ text: last }];
  const { value } = highlighter(language).highlight(code, { language, ignoreIllegals: true });
  return lastLine(spansOfHtml(value));
}

/** Grammars are loaded with the first code of their language: starting takes no longer. */
function highlighter(language: string): HLJSApi {
  hljs ??= require('highlight.js/lib/core') as HLJSApi;
  if (hljs.getLanguage(language) === undefined)
    hljs.registerLanguage(language, require(`highlight.js/lib/languages/${language}`) as LanguageFn);
  return hljs;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** The library writes nothing but spans with a class, and five entities. */
function spansOfHtml(html: string): Span[] {
  const looks: Look[] = [];
  const spans: Span[] = [];
  for (const piece of html.split(/(<[^>]*>)/)) {
    if (piece.startsWith('</')) looks.pop();
    else if (piece.startsWith('<')) looks.push({ ...looks.at(-1), ...lookOf(piece) });
    else if (piece !== '')
      spans.push({
        text: piece.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity),
        ...looks.at(-1),
      });
  }
  return spans;
}

function lookOf(tag: string): Look {
  const [, scope = ''] = /class="hljs-([\w-]+)/.exec(tag) ?? [];
  return LOOKS[scope] ?? {};
}

function lastLine(spans: readonly Span[]): Row {
  const line: Span[] = [];
  for (const span of spans.toReversed()) {
    const start = span.text.lastIndexOf('\n') + 1;
    const text = span.text.slice(start);
    if (text !== '') line.unshift({ ...span, text });
    if (start > 0) break;
  }
  return line;
}
