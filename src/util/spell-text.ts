import { lazy } from './lazy.js';

/** Longer runs of blanks and of line breaks can push what follows out of sight. */
const MOST_BLANKS = 32;
const MOST_LINE_BREAKS = 4;
/** A text of signs that cannot be seen is spelled in pieces: an expression keeps a place for each sign of a run. */
const LONGEST_RUN = 9_999;

/** What stands for a sign in text that is spelled. In the text itself these are spelled, as is `↩`, which is left to views. */
const SHORT: Readonly<Record<string, string>> = { '\t': '⇥', '\r': '␍' };

/** Letters, numbers, punctuation and symbols that a font draws as nothing. Unicode has no property for them. */
const DRAWN_EMPTY = String.raw`\u2800\ufffc\u{13441}\u{13442}\u{1d159}`;

/**
 * First what stays: a base with its marks. Then blanks and line breaks, which stay or not by where they stand. Last what is
 * not on the list of what is printed plainly, and how often it follows itself. A text, made an expression when it is first
 * needed, as in `control-characters.ts`.
 */
const signs = lazy(() => {
  const ignorable = String.raw`\p{Default_Ignorable_Code_Point}`;
  const base = String.raw`(?!${ignorable})[\p{L}\p{N}]`;
  const mark = String.raw`[^\P{M}${ignorable}]`;
  const odd = String.raw`[^\p{L}\p{N}\p{P}\p{S} \n]|[${ignorable}⟨⟩⇥␍↩${DRAWN_EMPTY}]`;
  return new RegExp(`(${base}${mark}{1,4})|( +|\\n+)|(${odd})\\3{0,${LONGEST_RUN}}`, 'gu');
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
  return text.replace(signs(), (found: string, ...[kept, white, odd, at, whole]: Groups) => {
    if (kept !== undefined) return found;
    if (odd !== undefined)
      return SHORT[odd]?.repeat(found.length) ?? spelled(odd.codePointAt(0), found.length / odd.length);
    const next = whole[at + found.length];
    const isPlain =
      white?.[0] === '\n'
        ? found.length <= MOST_LINE_BREAKS
        : found.length <= MOST_BLANKS && next !== undefined && next !== '\n';
    return isPlain ? found : spelled(found.codePointAt(0), found.length);
  });
}

type Group = string | undefined;
type Groups = [kept: Group, white: Group, odd: Group, at: number, whole: string];

function spelled(codePoint = 0, count: number): string {
  const code = codePoint.toString(16).toUpperCase().padStart(4, '0');
  return `⟨U+${code}${count === 1 ? '' : `×${count}`}⟩`;
}
