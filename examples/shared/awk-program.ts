/** Variables of awk itself, short names of one's own, and functions that make a text or a number of others. */
const NAMES =
  /^(NF|NR|FNR|FS|OFS|ORS|RS|SUBSEP|FILENAME|BEGIN|END|print|printf|length|substr|index|split|tolower|toupper|int|if|else|for|in|next|exit|[a-z]|sum|total|count|seen|max|min|key|line|name|avg)$/;
/** Such a name in front of `(` would be called. */
const CALLED = /^(print|printf|length|substr|index|split|tolower|toupper|int|if|for|exit|in)$/;
const TOKEN =
  /(?<blank>[ \t]+|\\\n)|(?<text>"(?:[^"\\\n]|\\["\\/ntr])*")|(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_]\w*)|(?<sign>\+\+|--|[-+*%=!]=|<=|>=|&&|\|\||!~|[-+*%=!~<>,;(){}[\]$?:\n])/uy;
/** A set with a slash or a bracket in it ends at different places in different versions of awk. */
const REGEX = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?[^\]/\\\n[]+\])+\//uy;
/** Behind these an operand is expected, so that a slash begins a pattern and does not divide. */
const BEFORE_OPERAND = /^(|~|!~|!|\(|,|&&|\|\||\{|\}|;|\n)$/;

/**
 * Whether an awk program does no more than compute and print. It may hold only what is listed here: there is no word for a
 * function that starts a program, and no sign that opens a file or a pipe.
 */
export function isHarmlessAwkProgram(program: string): boolean {
  if (!/^[\t\n -~]*$/.test(program)) return false;
  let before = '';
  let depth = 0;
  let hasAction = false;
  for (let at = 0; at < program.length;) {
    if (program[at] === '/') {
      const found = BEFORE_OPERAND.test(before) ? readAt(REGEX, program, at)?.[0] : undefined;
      if (found === undefined) return false;
      at += found.length;
      before = found;
      continue;
    }
    const found = readAt(TOKEN, program, at);
    if (found === null) return false;
    const [token] = found;
    const { blank, name } = found.groups ?? {};
    at += token.length;
    if (blank !== undefined) continue;
    if (name !== undefined && !isKnownName(name, program.slice(at))) return false;
    hasAction ||= token === '{';
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    // In an action `>` may write to a file; in a condition in front of it, it compares.
    if (depth < 0 || (token === '>' && depth > 0)) return false;
    before = token;
  }
  return depth === 0 && hasAction;
}

function isKnownName(name: string, rest: string): boolean {
  return NAMES.test(name) && (CALLED.test(name) || !/^[ \t]*\(/.test(rest));
}

function readAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
