import { lazy } from './lazy.js';

/** Longer runs of blanks and of line breaks can push what follows out of sight. */
const MOST_BLANKS = 32;
const MOST_LINE_BREAKS = 4;
/** The replacements of signs in spelled text. In the text itself these are spelled too, as is `↩`, which views use. */
const SHORT: Readonly<Record<string, string>> = { '\t': '⇥', '\r': '␍' };

/** Letters, numbers, punctuation and symbols that a font draws as nothing. Unicode has no property for them. */
const DRAWN_EMPTY = String.raw`\u2800\ufffc\u{13441}\u{13442}\u{1d159}`;

/**
 * First a base with its marks, which stays. Then blanks and line breaks, which stay or not by their place. Last a sign
 * that is not plainly printable. A string, compiled on first use, as in `control-characters.ts`.
 */
const signs = lazy(() => {
  const ignorable = String.raw`\p{Default_Ignorable_Code_Point}`;
  const base = String.raw`(?!${ignorable})[\p{L}\p{N}]`;
  const mark = String.raw`[^\P{M}${ignorable}]`;
  const odd = String.raw`[^\p{L}\p{N}\p{P}\p{S} \n]|[${ignorable}⟨⟩⇥␍↩${DRAWN_EMPTY}]`;
  return new RegExp(`${base}(${mark}{1,4})|( +|\\n+)|${odd}`, 'gu');
});

/**
 * A text with every sign written out that is not plainly printable: controls, invisible and bidirectional marks, blanks
 * other than the space, variation selectors, private and unassigned signs, halves of surrogate pairs, marks without a base,
 * blanks at the end of a line, and long runs of blanks or line breaks. Different texts are spelled differently, since the
 * signs that the spelling uses are spelled too. The cost grows with the length of the text.
 *
 * @example
 * spellText('rm\u3164 -rf\t"$X" ') // 'rm⟨U+3164⟩ -rf⇥"$X"⟨U+0020⟩'
 */
export function spellText(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  let run = undefined as Run | undefined;
  const read = (found: string, marks: Group, white: Group, index: number): string => {
    const end = index + found.length;
    if (marks !== undefined || (white !== undefined && staysWhite(found, text[end]))) return '';
    if (run?.sign === found && index === done) run.count += 1;
    else {
      pieces.push(run === undefined ? '' : spelled(run), text.slice(done, index));
      run = white === undefined ? { sign: found, count: 1 } : { sign: found.slice(0, 1), count: found.length };
    }
    done = end;
    return '';
  };
  text.replace(signs(), read);
  if (run !== undefined) pieces.push(spelled(run));
  return pieces.join('') + text.slice(done);
}

type Group = string | undefined;

/** A sign, and how often it follows itself. */
interface Run {
  readonly sign: string;
  count: number;
}

function staysWhite(white: string, next: string | undefined): boolean {
  if (white.startsWith('\n')) return white.length <= MOST_LINE_BREAKS;
  return white.length <= MOST_BLANKS && next !== undefined && next !== '\n';
}

function spelled({ sign, count }: Run): string {
  const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return SHORT[sign]?.repeat(count) ?? `⟨U+${code}${count === 1 ? '' : `×${count}`}⟩`;
}
