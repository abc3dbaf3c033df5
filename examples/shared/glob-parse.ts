/** A piece of a pattern. */
export type GlobPart =
  | { readonly type: 'letter'; readonly letter: string }
  /** One letter, but no slash. */
  | { readonly type: 'one' }
  /** Any letters, but no slash. */
  | { readonly type: 'some' }
  /** Any letters. */
  | { readonly type: 'all' }
  /** Nothing, or any letters that end with a slash. */
  | { readonly type: 'folders' }
  | { readonly type: 'set'; readonly isNegated: boolean; readonly ranges: readonly CodeRange[] }
  | { readonly type: 'choice'; readonly options: readonly (readonly GlobPart[])[] };

export type CodeRange = readonly [from: number, to: number];

/** Whose patterns they are. The programs differ in what they make of odd ones. */
export type GlobStyle =
  /** `.gitignore`, for a path or a name. Bytes, so both texts have to be in `latin1`. */
  | 'git'
  /** A name in a command for bash. What depends on the locale matches every letter. */
  | 'bash'
  /** Paths of the `glob` tool: with `**` and `{a,b}`. */
  | 'files';

const LAST_ASCII = 0x7f;
const LONGEST_CLASS = 'xdigit:'.length;
const CLASSES: Readonly<Record<string, readonly CodeRange[]>> = {
  alnum: ranges('09AZaz'),
  alpha: ranges('AZaz'),
  blank: ranges('\t\t  '),
  cntrl: ranges('\0\x1f\x7f\x7f'),
  digit: ranges('09'),
  graph: ranges('!~'),
  lower: ranges('az'),
  print: ranges(' ~'),
  punct: ranges('!/:@[`{~'),
  space: ranges('\t\n\r\r  '),
  upper: ranges('AZ'),
  xdigit: ranges('09AFaf'),
};

function ranges(pairs: string): CodeRange[] {
  return Array.from({ length: pairs.length / 2 }, (_, at) => [pairs.charCodeAt(2 * at), pairs.charCodeAt(2 * at + 1)]);
}

/** Reads a pattern once, from its start to its end. `undefined`: git takes it to match nothing. */
export function parseGlob(pattern: string, style: GlobStyle): readonly GlobPart[] | undefined {
  return new GlobReader(pattern, style).read();
}

class GlobReader {
  readonly #letters: readonly string[];
  readonly #style: GlobStyle;
  /** Of each opening brace that starts a choice, where it ends. */
  readonly #choices: ReadonlyMap<number, number>;
  /** Of each place, where the next closing bracket is. */
  readonly #closing: Int32Array;
  #at = 0;
  #isBroken = false;

  constructor(pattern: string, style: GlobStyle) {
    this.#letters = [...pattern];
    this.#style = style;
    this.#closing = new Int32Array(this.#letters.length + 1).fill(-1);
    for (let at = this.#letters.length - 1; at >= 0; at -= 1)
      this.#closing[at] = this.#letters[at] === ']' ? at : (this.#closing[at + 1] ?? -1);
    this.#choices = style === 'files' ? this.#findChoices() : new Map();
  }

  read(): readonly GlobPart[] | undefined {
    const parts = this.#sequence(this.#letters.length);
    return this.#isBroken ? undefined : parts;
  }

  #sequence(end: number): GlobPart[] {
    const parts: GlobPart[] = [];
    while (this.#at < end && !this.#isBroken) parts.push(this.#next());
    return parts;
  }

  #next(): GlobPart {
    const letter = this.#letters[this.#at] ?? '';
    if (letter === '\\') return this.#escaped();
    if (letter === '*') return this.#stars();
    if (letter === '[') return this.#set() ?? this.#plain('[');
    const end = letter === '{' ? this.#choices.get(this.#at) : undefined;
    if (end !== undefined) return this.#choice(end);
    return letter === '?' ? this.#took({ type: 'one' }) : this.#plain(letter);
  }

  #took(part: GlobPart): GlobPart {
    this.#at += 1;
    return part;
  }

  #plain(letter: string): GlobPart {
    return this.#took({ type: 'letter', letter });
  }

  #escaped(): GlobPart {
    this.#at += 1;
    const letter = this.#letters[this.#at];
    if (letter !== undefined) return this.#plain(letter);
    // Git lets such a pattern match nothing.
    this.#isBroken = this.#style === 'git';
    return { type: 'letter', letter: '\\' };
  }

  /** Two or more are folders only if they are a whole part of the path. */
  #stars(): GlobPart {
    const start = this.#at;
    while (this.#letters[this.#at] === '*') this.#at += 1;
    if (this.#style === 'bash' || this.#at - start < 2 || !this.#isEdge(this.#letters[start - 1], '{'))
      return { type: 'some' };
    if (this.#letters[this.#at] === '/') {
      this.#at += 1;
      return { type: 'folders' };
    }
    const isSlash = this.#letters[this.#at] === '\\' && this.#letters[this.#at + 1] === '/';
    return isSlash || this.#isEdge(this.#letters[this.#at], '}') ? { type: 'all' } : { type: 'some' };
  }

  #isEdge(letter: string | undefined, brace: string): boolean {
    if (letter === undefined || letter === '/') return true;
    return this.#style === 'files' && this.#choices.size > 0 && (letter === ',' || letter === brace);
  }

  #choice(end: number): GlobPart {
    const options: GlobPart[][] = [];
    while (this.#at < end) {
      this.#at += 1;
      const option: GlobPart[] = [];
      while (this.#at < end && this.#letters[this.#at] !== ',') option.push(this.#next());
      options.push(option);
    }
    this.#at = end + 1;
    return { type: 'choice', options };
  }

  /** Braces with a comma between them, found in one pass. */
  #findChoices(): Map<number, number> {
    const found = new Map<number, number>();
    const open: { readonly at: number; hasComma: boolean }[] = [];
    for (let at = 0; at < this.#letters.length; at += 1) {
      const letter = this.#letters[at];
      const last = open.at(-1);
      if (letter === '\\') at += 1;
      else if (letter === '[') at = this.#endOfSet(at) ?? at;
      else if (letter === '{') open.push({ at, hasComma: false });
      else if (letter === ',' && last !== undefined) last.hasComma = true;
      else if (letter === '}' && open.pop()?.hasComma === true && last !== undefined) found.set(last.at, at);
    }
    return found;
  }

  #endOfSet(at: number): number | undefined {
    const before = this.#at;
    this.#at = at;
    const isSet = this.#set() !== undefined;
    const end = this.#at - 1;
    this.#at = before;
    return isSet ? end : undefined;
  }

  /** A bracket. `undefined` if it does not end, so that it stands for itself; then nothing was read. */
  #set(): GlobPart | undefined {
    const start = this.#at;
    const set = (this.#closing[start + 2] ?? -1) === -1 ? undefined : this.#members(start + 1);
    if (set !== undefined) return set;
    this.#at = start;
    // Git gives the whole pattern up.
    this.#isBroken ||= this.#style === 'git';
    return undefined;
  }

  #members(start: number): GlobPart | undefined {
    const isNegated = ['!', '^'].includes(this.#letters[start] ?? '');
    const found: CodeRange[] = [];
    let isLocal = isNegated;
    this.#at = start + Number(isNegated);
    let from: number | undefined;
    for (let isFirst = true; ; isFirst = false) {
      const letter = this.#letters[this.#at];
      if (letter === undefined) return undefined;
      if (letter === ']' && !isFirst) break;
      if (letter === '[' && this.#style === 'bash' && ':=.'.includes(this.#letters[this.#at + 1] ?? '\0')) {
        // Where it ends depends on what is in it.
        this.#at = this.#letters.length;
        return { type: 'all' };
      }
      const next = this.#letters[this.#at + 1];
      if (letter === '-' && from !== undefined && next !== undefined && next !== ']') {
        this.#at += 1;
        const to = this.#member();
        if (to === undefined) return undefined;
        found.push([from, to]);
        from = undefined;
        isLocal = true;
        continue;
      }
      const named = letter === '[' && next === ':' ? this.#class() : undefined;
      if (named !== undefined) {
        found.push(...named);
        from = undefined;
        continue;
      }
      from = this.#member();
      if (from === undefined) return undefined;
      found.push([from, from]);
    }
    this.#at += 1;
    isLocal ||= found.some(([code]) => code > LAST_ASCII);
    return isLocal && this.#style === 'bash' ? { type: 'one' } : { type: 'set', isNegated, ranges: found };
  }

  #member(): number | undefined {
    if (this.#letters[this.#at] === '\\') this.#at += 1;
    const letter = this.#letters[this.#at];
    this.#at += 1;
    return letter?.codePointAt(0);
  }

  /** `[:alpha:]`. What is no such name is a member like others; for git, a name that is not known breaks the pattern. */
  #class(): readonly CodeRange[] | undefined {
    const start = this.#at + 2;
    const end = this.#closing[start] ?? -1;
    if (end <= start || this.#letters[end - 1] !== ':') return undefined;
    const name = end - start > LONGEST_CLASS ? '' : this.#letters.slice(start, end - 1).join('');
    const found = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
    this.#isBroken ||= found === undefined && this.#style === 'git';
    this.#at = end + 1;
    return found ?? [];
  }
}
