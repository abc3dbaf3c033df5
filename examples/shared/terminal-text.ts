import { StringDecoder } from 'node:string_decoder';

type State = 'text' | 'escape' | 'control' | 'charset' | 'string' | 'string escape';

/** Longer lines are handed on in pieces, so that no program makes one line cost more and more. */
const MAX_LINE = 4096;
const MAX_STRING = 200;
const PLAIN = /[^\p{Cc}]{1,4096}/uy;
const HALF = /\p{Surrogate}/gu;

/** The sign that begins a sequence, and what it begins. */
const BEGINS: Readonly<Record<string, State>> = {
  '\u001B': 'escape',
  '\u009B': 'control',
  '\u0090': 'string',
  '\u0098': 'string',
  '\u009D': 'string',
  '\u009E': 'string',
  '\u009F': 'string',
};
const AFTER_ESCAPE: Readonly<Record<string, State>> = {
  '[': 'control',
  P: 'string',
  X: 'string',
  ']': 'string',
  '^': 'string',
  _: 'string',
  '\u001B': 'escape',
};

/**
 * Output of a terminal as text to read: no escape sequence and no control character but tab and newline is left, and of a
 * line that was written over, what was written last. Pieces may end anywhere.
 */
export class TerminalText {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onString: (content: string) => void;
  #state: State = 'text';
  #numbers = '';
  #content = '';
  #line = '';
  #column = 0;

  /** @param onString Gets what programs tell the terminal itself, such as a title; the first 200 characters of it. */
  constructor(onString: (content: string) => void = () => {}) {
    this.#onString = onString;
  }

  /** Returns the lines that have become whole. */
  add(chunk: Uint8Array): string {
    return this.#read(this.#decoder.write(chunk));
  }

  /** Returns the line that has no end yet, such as a prompt. */
  flush(): string {
    const line = this.#line.replaceAll(HALF, '\uFFFD');
    [this.#line, this.#column] = ['', 0];
    return line;
  }

  #read(text: string): string {
    let whole = '';
    for (let at = 0; at < text.length;) {
      PLAIN.lastIndex = at;
      const run = this.#state === 'text' ? PLAIN.exec(text)?.[0] : undefined;
      if (run === undefined) {
        const sign = text[at] ?? '';
        if (this.#state === 'text') whole += this.#act(sign);
        else this.#skip(sign);
        at += 1;
      } else {
        this.#put(run);
        at += run.length;
      }
      if (this.#line.length > MAX_LINE) whole += this.flush();
    }
    return whole;
  }

  /** A sign that is no letter, between sequences. */
  #act(sign: string): string {
    if (sign === '\n') return `${this.flush()}\n`;
    if (sign === '\t') this.#put('\t');
    else if (sign === '\r') this.#column = 0;
    else if (sign === '\b') this.#column = Math.max(0, this.#column - 1);
    else this.#state = BEGINS[sign] ?? 'text';
    this.#numbers = '';
    return '';
  }

  #put(run: string): void {
    this.#line =
      this.#column === this.#line.length
        ? this.#line + run
        : this.#line.slice(0, this.#column) + run + this.#line.slice(this.#column + run.length);
    this.#column += run.length;
  }

  /** A sign of a sequence. */
  #skip(sign: string): void {
    switch (this.#state) {
      case 'escape':
        this.#state = AFTER_ESCAPE[sign] ?? (sign >= ' ' && sign <= '/' ? 'charset' : 'text');
        return;
      case 'charset':
        if (sign < ' ' || sign > '/') this.#state = 'text';
        return;
      case 'control':
        this.#control(sign);
        return;
      case 'string':
        if (sign === '\u0007' || sign === '\u009C') this.#endString();
        else if (sign === '\u001B') this.#state = 'string escape';
        else if (this.#content.length < MAX_STRING) this.#content += sign;
        return;
      default:
        if (sign === '\\') this.#endString();
        else this.#state = 'string';
    }
  }

  #endString(): void {
    this.#onString(this.#content);
    [this.#state, this.#content] = ['text', ''];
  }

  #control(sign: string): void {
    if (sign < '@' || sign > '~') {
      // A line end breaks off what is no sequence.
      if (sign === '\n') this.#state = 'text';
      if (this.#numbers.length < 8) this.#numbers += sign;
      return;
    }
    if (sign === 'K' && (this.#numbers === '' || this.#numbers === '0')) this.#line = this.#line.slice(0, this.#column);
    if (sign === 'K' && this.#numbers === '2') [this.#line, this.#column] = ['', 0];
    this.#state = 'text';
  }
}
