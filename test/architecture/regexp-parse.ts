/** A regular expression as a tree. */
export type Node =
  /** One character out of a set; the text is an expression of its own. */
  | { readonly type: 'atom'; readonly source: string }
  | { readonly type: 'sequence' | 'choice'; readonly nodes: readonly Node[] }
  | { readonly type: 'repeat'; readonly node: Node; readonly min: number; readonly max: number }
  /** `^` where it means the beginning of the text. */
  | { readonly type: 'start' }
  /** What takes no characters, and may fail: `$`, `\b`, lookarounds with what is in them. */
  | { readonly type: 'assertion'; readonly node?: Node }
  | { readonly type: 'backreference' };

/** Reads what the engine has accepted; `isMultiline` turns `^` into an assertion like others. */
export function parseRegExp(source: string, isMultiline: boolean): Node {
  return new Parser(source, isMultiline).choice();
}

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;
const GROUP = /^\((?:\?(?:(?<look><?[=!])|[a-z-]*:|<[^>]*>))?/;
const ESCAPE = /^\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|c[A-Za-z]|[pP]\{[^}]*\}|[^])/;
const CLASS = /^\[(?:\\[^]|[^\]\\])*\]/;

class Parser {
  readonly #isMultiline: boolean;
  #rest: string;

  constructor(source: string, isMultiline: boolean) {
    this.#rest = source;
    this.#isMultiline = isMultiline;
  }

  choice(): Node {
    const nodes = [this.#sequence()];
    while (this.#take('|')) nodes.push(this.#sequence());
    return nodes.length === 1 ? (nodes[0] as Node) : { type: 'choice', nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) nodes.push(this.#quantified());
    return { type: 'sequence', nodes };
  }

  #quantified(): Node {
    const node = this.#term();
    const found = QUANTIFIER.exec(this.#rest);
    if (found === null) return node;
    this.#rest = this.#rest.slice(found[0].length);
    const [, sign, min = '', comma, max = ''] = found;
    if (sign === '?') return { type: 'repeat', node, min: 0, max: 1 };
    if (sign !== undefined) return { type: 'repeat', node, min: sign === '+' ? 1 : 0, max: Infinity };
    const most = comma === '' ? Number(min) : max === '' ? Infinity : Number(max);
    return { type: 'repeat', node, min: Number(min), max: most };
  }

  #term(): Node {
    const group = GROUP.exec(this.#rest);
    if (group !== null) return this.#group(group[0].length, group.groups?.['look'] !== undefined);
    if (this.#take('^')) return { type: this.#isMultiline ? 'assertion' : 'start' };
    if (this.#take('$')) return { type: 'assertion' };
    const source = (CLASS.exec(this.#rest) ?? ESCAPE.exec(this.#rest) ?? /^[^]/u.exec(this.#rest))?.[0] ?? '';
    this.#rest = this.#rest.slice(source.length);
    if (/^\\[bB]$/.test(source)) return { type: 'assertion' };
    return /^\\[1-9k]/.test(source) ? { type: 'backreference' } : { type: 'atom', source };
  }

  #group(open: number, isLook: boolean): Node {
    this.#rest = this.#rest.slice(open);
    const node = this.choice();
    if (!this.#take(')')) throw new Error(`Not understood: ${this.#rest}`);
    return isLook ? { type: 'assertion', node } : node;
  }

  #take(sign: string): boolean {
    const isThere = this.#rest.startsWith(sign);
    if (isThere) this.#rest = this.#rest.slice(sign.length);
    return isThere;
  }
}
