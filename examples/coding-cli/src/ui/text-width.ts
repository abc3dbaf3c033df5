import { eastAsianWidth } from 'get-east-asian-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const ASCII = /^[ -~]*$/;
const EMOJI_STYLE = '\uFE0F';

/** What a person sees as one character. */
export function graphemesOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.split('');
  // ASCII by itself, and other signs with the one before them. The segmenter takes time with the square of the length (Node
  // 20: 28 s for 100,000 signs), so it gets short pieces: a sign that is cut there is counted as two.
  return (text.match(/[ -~](?![^ -~])|[ -~]?[^ -~]{1,200}/gu) ?? []).flatMap((piece) =>
    piece.length === 1 ? piece : Array.from(graphemes.segment(piece), ({ segment }) => segment),
  );
}

/**
 * Columns of a text. Terminals disagree about joined emoji; this counts what the one that joins nothing needs, so that a row
 * which fits by this count never wraps on its own.
 */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  return graphemesOf(text).reduce((sum, grapheme) => sum + widthOfGrapheme(grapheme), 0);
}

export function widthOfGrapheme(grapheme: string): number {
  let width = 0;
  for (const character of grapheme) {
    if (!NO_WIDTH.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  return grapheme.includes(EMOJI_STYLE) ? Math.max(width, 2) : width;
}

/** The longest beginning that fits, with a mark where something is missing. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const grapheme of graphemesOf(text)) {
    used += widthOfGrapheme(grapheme);
    if (used > width - 1) break;
    kept += grapheme;
  }
  return width < 1 ? '' : `${kept}…`;
}
