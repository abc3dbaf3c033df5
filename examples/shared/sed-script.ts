/** Mean the same between the parts of `s` and `y` as around a pattern. */
const DELIMITERS = ['/', '|', '#', ',', '@', '!', '%', '~', '_'];
// An escape that makes a sign by its number is read at different times by different versions of sed.
const ESCAPED = String.raw`\\[^\ncdox]`;
const BREAK = /[ \t\n;]*/y;
const SPACE = /[ \t]*/y;
/** Commands that print, delete or move text. None opens a file or starts a program. */
const SIMPLE = /[=dDgGhHnNpPxz]|[qQ](?:[ \t]*\d+)?|l(?:[ \t]*\d+)?/y;
const LINE_ADDRESS = /\d+(?:~\d+)?|\$/y;
const SECOND_ADDRESS = /[+~]\d+/y;
const PATTERN_FLAGS = /[IM]*/y;
const SUBSTITUTE_FLAGS = /(?:[gpiIM]|\d+)*/y;

interface Sections {
  readonly pattern: RegExp;
  readonly replacement: RegExp;
}

const SECTIONS: ReadonlyMap<string, Sections> = new Map(
  DELIMITERS.map((sign) => {
    // In a set, one version of sed takes the sign for a letter, and another for the end: no set may hold it.
    const other = `(?!\\${sign})`;
    const set = String.raw`\[\^?\]?(?:\[:[a-z]+:\]|${other}[^\]\\\n[]|\\[^\n\]cdox])*\]`;
    return [
      sign,
      {
        pattern: new RegExp(String.raw`(?:${other}[^\\\n[]|${ESCAPED}|${set})*`, 'y'),
        replacement: new RegExp(String.raw`(?:${other}[^\\\n]|${ESCAPED})*`, 'y'),
      },
    ];
  }),
);

/**
 * Whether sed does no more with a script than print, delete and change lines on their way to the output. Known are addresses,
 * groups, `s`, `y` and commands of one letter that open no file and start no program.
 */
export function isHarmlessSedScript(script: string): boolean {
  // In other encodings a byte of a letter could be read as a sign of the script.
  return /^[\t\n -~]*$/.test(script) && new SedScript(script).isHarmless();
}

class SedScript {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isHarmless(): boolean {
    this.#read(BREAK);
    while (this.#at < this.#text.length) {
      if (!(this.#take('}') ? this.#closesGroup() : this.#isCommand())) return false;
      this.#read(BREAK);
    }
    return this.#depth === 0;
  }

  #closesGroup(): boolean {
    this.#depth -= 1;
    return this.#depth >= 0 && this.#isAtEnd();
  }

  #isCommand(): boolean {
    if (this.#isAddress()) {
      this.#read(SPACE);
      if (this.#take(',')) {
        this.#read(SPACE);
        if (this.#read(SECOND_ADDRESS) === '' && !this.#isAddress()) return false;
      }
    }
    this.#read(SPACE);
    if (this.#take('!')) this.#read(SPACE);
    if (this.#take('{')) {
      this.#depth += 1;
      return true;
    }
    if (!this.#isFunction()) return false;
    return this.#isAtEnd();
  }

  #isFunction(): boolean {
    const isSubstitute = this.#take('s');
    if (!isSubstitute && !this.#take('y')) return this.#read(SIMPLE) !== '';
    const sign = this.#sign();
    if (!this.#isSection(sign, 'pattern') || !this.#isSection(sign, 'replacement')) return false;
    if (isSubstitute) this.#read(SUBSTITUTE_FLAGS);
    return true;
  }

  #isAddress(): boolean {
    if (this.#read(LINE_ADDRESS) !== '') return true;
    const isCustom = this.#take('\\');
    if (!isCustom && this.#text[this.#at] !== '/') return false;
    if (!this.#isSection(this.#sign(), 'pattern')) return false;
    this.#read(PATTERN_FLAGS);
    return true;
  }

  #sign(): string {
    this.#at += 1;
    return this.#text[this.#at - 1] ?? '';
  }

  #isSection(sign: string, kind: keyof Sections): boolean {
    const pattern = SECTIONS.get(sign)?.[kind];
    if (pattern === undefined) return false;
    this.#read(pattern);
    return this.#take(sign);
  }

  #isAtEnd(): boolean {
    this.#read(SPACE);
    return this.#at >= this.#text.length || /[;\n}]/.test(this.#text[this.#at] ?? '');
  }

  #take(sign: string): boolean {
    const isThere = this.#text[this.#at] === sign;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #read(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
