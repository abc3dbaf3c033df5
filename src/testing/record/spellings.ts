/** A stretch of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Characters that no notation writes in another way. */
const PLAIN = /[\w.~-]/;
/** Longer patterns can be too much for a regular expression; sealed reasoning has many thousand characters. */
const PATTERN_CHARS = 200;

/**
 * Where a text stands in a body that is read byte by byte (`latin1`), however it is written there: as it is, in JSON and in
 * JSON texts within JSON, in a URL, in HTML.
 */
export function spansOf(body: string, wanted: string): Span[] {
  const [first, ...others] = patternsOf(wanted);
  if (first === undefined) return [];
  const spans: Span[] = [];
  for (const match of body.matchAll(new RegExp(first, 'g'))) {
    const end = endOf(body, match.index + match[0].length, others);
    if (end !== undefined && match.index >= (spans.at(-1)?.end ?? 0)) spans.push({ start: match.index, end });
  }
  return spans;
}

function endOf(body: string, from: number, patterns: readonly string[]): number | undefined {
  let end = from;
  for (const pattern of patterns) {
    const next = new RegExp(pattern, 'y');
    next.lastIndex = end;
    if (!next.test(body)) return undefined;
    end = next.lastIndex;
  }
  return end;
}

function patternsOf(wanted: string): string[] {
  const chars = [...wanted];
  const patterns: string[] = [];
  for (let at = 0; at < chars.length; at += PATTERN_CHARS) {
    patterns.push(
      chars
        .slice(at, at + PATTERN_CHARS)
        .map(spellingsOf)
        .join(''),
    );
  }
  return patterns;
}

const LETTER_ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\f': 'f', '\b': 'b' };
const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function spellingsOf(char: string): string {
  if (PLAIN.test(char)) return char.replace('.', String.raw`\.`);
  const bytes = Buffer.from(char);
  const letter = LETTER_ESCAPES[char];
  const entity = ENTITIES[char];
  const code = char.codePointAt(0) ?? 0;
  return `(?:${[
    // Backslashes double with every level of JSON.
    String.raw`\\*${escaped(bytes.toString('latin1'))}`,
    ...(letter === undefined ? [] : [String.raw`\\+${letter}`]),
    unitsOf(char)
      .map((unit) => String.raw`\\+u${anyCase(unit)}`)
      .join(''),
    // A URL in a URL: `%252B`.
    [...bytes].map((byte) => `%(?:25)*${anyCase(byte.toString(16).padStart(2, '0'))}`).join(''),
    ...(char === ' ' ? [String.raw`\+`] : []),
    ...(entity === undefined ? [] : [`&${entity};`]),
    `&#0*${code};`,
    `&#[xX]0*${anyCase(code.toString(16))};`,
  ].join('|')})`;
}

/** JSON writes half pairs. */
function unitsOf(char: string): string[] {
  return Array.from({ length: char.length }, (_, at) => char.charCodeAt(at).toString(16).padStart(4, '0'));
}

function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}
