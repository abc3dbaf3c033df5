import { type Node, parseRegExp } from './regexp-parse.js';

/**
 * What a backtracking engine may need for a text it was not made for, in characters of the text. `quadratic` stands for
 * every power above one.
 */
export type RegExpCost = 'linear' | 'quadratic' | 'exponential';

/**
 * Judges a regular expression by the automaton it is. It is exponential where one text can be read in two ways within a
 * loop, and quadratic where two loops behind each other can read the same text; a search without `^` is a loop before all
 * others. What is called linear is; what is not may still be, where what follows the loop cannot fail.
 */
export function costOf(source: string, flags: string): RegExpCost {
  const key = `${flags}/${source}`;
  const known = KNOWN.get(key) ?? judge(source, flags);
  KNOWN.set(key, known);
  return known;
}

const KNOWN = new Map<string, RegExpCost>();

function judge(source: string, flags: string): RegExpCost {
  const automaton = new Automaton(parseRegExp(source, flags.includes('m')), flags);
  if (automaton.isAmbiguous()) return 'exponential';
  return automaton.hasLoopsInARow() ? 'quadratic' : 'linear';
}

/** Characters that stand for all: what expressions distinguish is in ASCII, in line ends, or in letters in general. */
const ALPHABET = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ' ', '\u2028', 'é', '中'];
/** More copies of a bounded repetition say nothing new. */
const MOST_COPIES = 12;

type State = number;
/** Where a search goes on to the next character. */
const SEARCH: State = 0;

/** A part of the expression: by which states it is entered and left, and whether it may be passed by. */
interface Fragment {
  readonly isOptional: boolean;
  /** At the beginning of the text alone. */
  readonly isOptionalAtStart: boolean;
  readonly first: readonly State[];
  readonly firstAtStart: readonly State[];
  readonly last: readonly State[];
  /** Behind which nothing can fail any more, as far as this part goes. */
  readonly sureLast: readonly State[];
  readonly isSurelyOptional: boolean;
}

const EMPTY: Fragment = {
  isOptional: true,
  isOptionalAtStart: false,
  first: [],
  firstAtStart: [],
  last: [],
  sureLast: [],
  isSurelyOptional: true,
};

class Automaton {
  readonly #flags: string;
  /** The characters that lead into a state, as places in the alphabet. */
  readonly #sets: (readonly boolean[])[] = [ALPHABET.map(() => true)];
  readonly #next: Set<State>[] = [new Set()];
  readonly #sureLast: ReadonlySet<State>;
  #isNestedLoop = false;
  #hasBackreference = false;
  readonly #components: readonly number[];

  constructor(root: Node, flags: string) {
    this.#flags = flags.replace(/[gydm]/g, '');
    const fragment = this.#build(root);
    if (!flags.includes('y')) {
      this.#next[SEARCH]?.add(SEARCH);
      for (const state of fragment.first) this.#next[SEARCH]?.add(state);
    }
    this.#sureLast = new Set(fragment.sureLast);
    this.#components = this.#next.map((_, state) => this.#componentOf(state));
  }

  /** Whether a loop can read a text in two ways. */
  isAmbiguous(): boolean {
    return this.#isNestedLoop || this.#looping().some((state) => this.#readsTwice(state));
  }

  /** Whether what one loop reads can be read by another behind it just as well, and fail then. */
  hasLoopsInARow(): boolean {
    if (this.#hasBackreference) return true;
    const looping = this.#looping();
    const late = looping.filter((state) => !this.#sureLast.has(state));
    return looping.some((early) => late.some((state) => state !== early && this.#share(early, state)));
  }

  #build(node: Node): Fragment {
    switch (node.type) {
      case 'atom':
        return this.#atom(node.source);
      case 'sequence':
        return node.nodes.reduce((before, inner) => this.#join(before, this.#build(inner)), EMPTY);
      case 'choice':
        return either(node.nodes.map((inner) => this.#build(inner)));
      case 'repeat':
        return this.#repeat(node);
      case 'start':
        return { ...EMPTY, isOptional: false, isOptionalAtStart: true, isSurelyOptional: false };
      case 'backreference':
        this.#hasBackreference = true;
        return { ...EMPTY, isSurelyOptional: false };
      case 'assertion':
        // What stands in it is read from here, and what follows it too.
        return { ...(node.node === undefined ? EMPTY : this.#build(node.node)), ...ASSERTED };
    }
  }

  #atom(source: string): Fragment {
    const one = new RegExp(`^(?:${source})$`, this.#flags);
    const state = this.#sets.push(ALPHABET.map((character) => one.test(character))) - 1;
    this.#next.push(new Set());
    const all = [state];
    return { ...EMPTY, isOptional: false, isSurelyOptional: false, first: all, last: all, sureLast: all };
  }

  #join(left: Fragment, right: Fragment): Fragment {
    this.#connect(left.last, right.first);
    const enters = [...(left.isOptional ? right.firstAtStart : [])];
    if (left.isOptionalAtStart) enters.push(...right.first, ...right.firstAtStart);
    return {
      isOptional: left.isOptional && right.isOptional,
      isOptionalAtStart:
        (left.isOptionalAtStart && (right.isOptional || right.isOptionalAtStart)) ||
        (left.isOptional && right.isOptionalAtStart),
      first: [...left.first, ...(left.isOptional ? right.first : [])],
      firstAtStart: [...left.firstAtStart, ...enters],
      last: [...right.last, ...(right.isOptional ? left.last : [])],
      sureLast: [...right.sureLast, ...(right.isSurelyOptional ? left.sureLast : [])],
      isSurelyOptional: left.isSurelyOptional && right.isSurelyOptional,
    };
  }

  #repeat({ node, min, max }: Extract<Node, { type: 'repeat' }>): Fragment {
    const copies = Math.min(MOST_COPIES, max === Infinity ? Math.max(min, 1) : max);
    let whole = EMPTY;
    for (let copy = 1; copy <= copies; copy += 1) {
      const one = this.#build(node);
      if (max === Infinity && copy === copies) this.#loop(one);
      const isOptional = copy > min;
      whole = this.#join(whole, isOptional ? { ...one, isOptional: true, isSurelyOptional: true } : one);
    }
    return whole;
  }

  #loop({ last, first }: Fragment): void {
    // A way that is there already was made by a loop inside.
    this.#isNestedLoop ||= last.some((from) => first.some((to) => this.#next[from]?.has(to)));
    this.#connect(last, first);
  }

  #connect(from: readonly State[], to: readonly State[]): void {
    for (const state of from) for (const next of to) this.#next[state]?.add(next);
  }

  #nextOf(state: State): readonly State[] {
    return [...(this.#next[state] ?? [])];
  }

  #accepts(...states: readonly State[]): boolean {
    return ALPHABET.some((_, at) => states.every((state) => this.#sets[state]?.[at]));
  }

  /** States in a loop with each other have the same number; -1 is none. */
  #componentOf(state: State): number {
    const reached = this.#reachedFrom(state);
    if (!reached.has(state)) return -1;
    return Math.min(...[...reached].filter((other) => this.#reachedFrom(other).has(state)));
  }

  #reachedFrom(state: State): ReadonlySet<State> {
    const reached = new Set<State>();
    const open = this.#nextOf(state).slice();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(...this.#nextOf(next));
    }
    return reached;
  }

  #looping(): readonly State[] {
    return this.#components.flatMap((component, state) => (component === -1 ? [] : [state]));
  }

  #stays(state: State, next: State): boolean {
    return this.#components[state] === this.#components[next];
  }

  #readsTwice(start: State): boolean {
    return this.#leads([start, start, 0], [start, start, 1], ([a, b, apart]) =>
      this.#nextOf(a as State).flatMap((x) =>
        this.#nextOf(b as State)
          .filter((y) => this.#stays(start, x) && this.#stays(start, y) && this.#accepts(x, y))
          .map((y) => [x, y, apart === 1 || x !== y ? 1 : 0]),
      ),
    );
  }

  /** Whether one word leads from the early loop into itself, from there into the late one, and from that into itself. */
  #share(early: State, late: State): boolean {
    return this.#leads([early, early, late], [early, late, late], ([a, b, c]) =>
      this.#nextOf(a as State)
        .filter((x) => this.#stays(early, x))
        .flatMap((x) =>
          this.#nextOf(c as State)
            .filter((z) => this.#stays(late, z) && this.#accepts(x, z))
            .flatMap((z) =>
              this.#nextOf(b as State)
                .filter((y) => this.#accepts(x, y, z))
                .map((y) => [x, y, z]),
            ),
        ),
    );
  }

  #leads(
    from: readonly number[],
    to: readonly number[],
    step: (at: readonly number[]) => readonly (readonly number[])[],
  ): boolean {
    const seen = new Set<string>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const next of step(at)) {
        const name = next.join();
        if (name === to.join()) return true;
        if (seen.has(name)) continue;
        seen.add(name);
        open.push(next);
      }
    }
    return false;
  }
}

const ASSERTED = { isOptional: true, isSurelyOptional: false, last: [], sureLast: [] };

function either(all: readonly Fragment[]): Fragment {
  return {
    isOptional: all.some((one) => one.isOptional),
    isOptionalAtStart: all.some((one) => one.isOptionalAtStart),
    first: all.flatMap((one) => one.first),
    firstAtStart: all.flatMap((one) => one.firstAtStart),
    last: all.flatMap((one) => one.last),
    sureLast: all.flatMap((one) => one.sureLast),
    isSurelyOptional: all.some((one) => one.isSurelyOptional),
  };
}
