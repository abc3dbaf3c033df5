/** A word as it is written, if its value is beyond doubt. */
export interface PlainWord {
  readonly value: string;
  readonly isGlob: boolean;
  /** Of a glob: the value with a backslash in front of what was quoted and would be part of a pattern otherwise. */
  readonly pattern?: string;
}

// A `~` is expanded at the start of a word and behind `=` and `:`, a `#` starts a comment at the start of a word.
const PIECE =
  /(?<bare>[\p{L}\p{M}\p{N}_./,:=@%+^!\]-]|(?<![=:])(?<!^)~|(?<!^)#)|(?<glob>[*?[])|\\(?:(?<escaped>[!-~ ])|\n)|'(?<single>[^']*)'|"(?<double>(?:[^"$`\\]|\\[^])*)"|\$'(?<ansi>(?:[^'\\]|\\[tn\\'])*)'/uy;

const ANSI: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\', "\\'": "'" };

/** Reads a word by the few quotings that mean the same in every shell; `undefined` for everything else. */
export function plainWord(text: string): PlainWord | undefined {
  let value = '';
  let pattern = '';
  let isGlob = false;
  for (let at = 0; at < text.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const groups = PIECE.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const { bare, glob, escaped, single, double, ansi } = groups;
    isGlob ||= glob !== undefined && text !== '[';
    const plain = bare ?? glob;
    const quoted =
      escaped ??
      single ??
      double?.replaceAll(/\\(?:([$`"\\])|\n)/g, '$1') ??
      ansi?.replaceAll(/\\./g, (pair) => ANSI[pair] ?? pair) ??
      '';
    value += plain ?? quoted;
    pattern += plain ?? quoted.replaceAll(/[*?[\]\\!^-]/g, String.raw`\$&`);
  }
  return isGlob ? { value, isGlob, pattern } : { value, isGlob };
}

const BLANK = String.raw`(?:[ \t]|(?<=[ \t])\\\n)`;
// A comment runs to the end of its line, and has to stand behind a blank or at a line's start.
const COMMENT = String.raw`(?<=[ \t\n;&|])#[^\n]*(?=\n|$)`;
const SPACE = String.raw`(?:${BLANK}|\n|${COMMENT})*`;

// A brace is a word of its own: a blank follows it, and `;` or a line's end stands in front of the second.
const OPEN = String.raw`(?:\{(?=[ \t\n])${SPACE})*`;
const CLOSE = String.raw`(?:${SPACE}(?:;${SPACE})?\})*`;

/** What may stand around the words of plain commands. */
export const GAPS = {
  before: new RegExp(`^(?:#[^\\n]*\\n)?${SPACE}${OPEN}$`),
  inside: new RegExp(`^${BLANK}*$`),
  between: new RegExp(String.raw`^${CLOSE}${BLANK}*(?:;|\||\|\||&&|\n|(?<=[ \t])#[^\n]*\n)${SPACE}${OPEN}$`),
  after: new RegExp(`^${CLOSE}${SPACE}(?:;${SPACE})?$`),
};
