import { type CodeRange, type GlobPart, type GlobStyle, parseGlob } from './glob-parse.js';

/** Counts the states that a matcher entered, so that a caller can stop in time, and a test can see how it grows. */
export interface GlobSteps {
  count: number;
}

export interface Glob {
  /** Whether the whole text fits. Takes time with text times pattern, whatever both are. */
  matches(text: string, steps?: GlobSteps): boolean;
  /** Whether something that begins with this text may fit. */
  mayStart(text: string, steps?: GlobSteps): boolean;
}

export interface GlobOptions {
  readonly style: GlobStyle;
  readonly ignoreCase?: boolean | undefined;
}

/** What a state reads before it goes on. */
type Reads =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'one' | 'any' }
  | { readonly kind: 'set'; readonly isNegated: boolean; readonly ranges: readonly CodeRange[] };

interface State {
  /** Absent: it goes on without a letter. */
  readonly reads?: Reads;
  readonly next: number[];
}

/**
 * Makes a matcher of a pattern of anybody's. It follows all readings of the pattern at once, as Thompson described it, so
 * nothing is ever tried again: a backtracking matcher takes minutes for a text that was made for it.
 */
export function createGlob(pattern: string, { style, ignoreCase = false }: GlobOptions): Glob {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const parts = parseGlob(fold(pattern), style);
  if (parts === undefined) return { matches: () => false, mayStart: () => false };
  const plain = plainOf(parts);
  let machine: Machine | undefined;
  const made = (): Machine => (machine ??= new Machine(parts));
  return {
    matches: (text, steps) => (plain === undefined ? made().ends(fold(text), steps) : fits(fold(text), plain)),
    mayStart: (text, steps) => made().lives(fold(text), steps),
  };
}

/** What nearly every pattern is: a text, or one with a single star. */
interface Plain {
  readonly before: string;
  /** Absent: there is no star. */
  readonly behind?: string;
}

function plainOf(parts: readonly GlobPart[]): Plain | undefined {
  const star = parts.findIndex(({ type }) => type !== 'letter');
  if (star === -1) return { before: textOf(parts) };
  const rest = parts.slice(star + 1);
  const isPlain = parts[star]?.type === 'some' && rest.every(({ type }) => type === 'letter');
  return isPlain ? { before: textOf(parts.slice(0, star)), behind: textOf(rest) } : undefined;
}

function textOf(parts: readonly GlobPart[]): string {
  return parts.map((part) => (part.type === 'letter' ? part.letter : '')).join('');
}

function fits(text: string, { before, behind }: Plain): boolean {
  if (behind === undefined) return text === before;
  if (text.length < before.length + behind.length || !text.startsWith(before) || !text.endsWith(behind)) return false;
  const slash = text.indexOf('/', before.length);
  return slash === -1 || slash >= text.length - behind.length;
}

class Machine {
  readonly #states: State[] = [{ next: [] }];
  readonly #end: number;
  /** For each state, the step at which it was entered last. */
  readonly #entered: Float64Array;
  #step = 0;

  constructor(parts: readonly GlobPart[]) {
    this.#end = this.#sequence(0, parts);
    this.#entered = new Float64Array(this.#states.length);
  }

  ends(text: string, steps?: GlobSteps): boolean {
    return this.#run(text, steps).includes(this.#end);
  }

  lives(text: string, steps?: GlobSteps): boolean {
    return this.#run(text, steps).length > 0;
  }

  /** The states that all of the text leads to. */
  #run(text: string, steps: GlobSteps = { count: 0 }): readonly number[] {
    let states = this.#enter([0], steps);
    for (const letter of text) {
      if (states.length === 0) break;
      const reached: number[] = [];
      for (const state of states) {
        const { reads, next } = this.#states[state] ?? { next: [] };
        if (reads !== undefined && isRead(reads, letter)) reached.push(...next);
      }
      states = this.#enter(reached, steps);
    }
    return states;
  }

  /** With those that are reached without a letter; each once. */
  #enter(from: readonly number[], steps: GlobSteps): number[] {
    this.#step += 1;
    const found: number[] = [];
    const open = [...from];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (this.#entered[state] === this.#step) continue;
      this.#entered[state] = this.#step;
      steps.count += 1;
      found.push(state);
      const { reads, next } = this.#states[state] ?? { next: [] };
      if (reads === undefined) open.push(...next);
    }
    return found;
  }

  #add(from: number, reads?: Reads): number {
    const state = this.#states.push({ ...(reads === undefined ? {} : { reads }), next: [] }) - 1;
    this.#states[from]?.next.push(state);
    return state;
  }

  /** The way from a state through a letter. */
  #through(from: number, reads: Reads): number {
    return this.#add(this.#add(from, reads));
  }

  #sequence(from: number, parts: readonly GlobPart[]): number {
    return parts.reduce((at, part) => this.#part(at, part), from);
  }

  #part(from: number, part: GlobPart): number {
    switch (part.type) {
      case 'letter':
        return this.#through(from, { kind: 'letter', letter: part.letter });
      case 'one':
        return this.#through(from, { kind: 'one' });
      case 'set':
        return this.#through(from, { kind: 'set', isNegated: part.isNegated, ranges: part.ranges });
      case 'some':
        return this.#loop(from, { kind: 'one' });
      case 'all':
        return this.#loop(from, { kind: 'any' });
      case 'folders': {
        const behind = this.#through(this.#loop(from, { kind: 'any' }), { kind: 'letter', letter: '/' });
        this.#states[from]?.next.push(behind);
        return behind;
      }
      case 'choice': {
        const ends = part.options.map((option) => this.#sequence(this.#add(from), option));
        const end = this.#states.push({ next: [] }) - 1;
        for (const state of ends) this.#states[state]?.next.push(end);
        return end;
      }
    }
  }

  #loop(from: number, reads: Reads): number {
    const loop = this.#add(from);
    this.#states[this.#add(loop, reads)]?.next.push(loop);
    return loop;
  }
}

function isRead(reads: Reads, letter: string): boolean {
  switch (reads.kind) {
    case 'letter':
      return reads.letter === letter;
    case 'any':
      return true;
    case 'one':
      return letter !== '/';
    case 'set':
      return letter !== '/' && isAmong(letter.codePointAt(0) ?? -1, reads.ranges) !== reads.isNegated;
  }
}

function isAmong(code: number, ranges: readonly CodeRange[]): boolean {
  return ranges.some(([from, to]) => from <= code && code <= to);
}
