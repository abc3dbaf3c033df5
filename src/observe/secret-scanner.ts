import { toBase64 } from '../util/base64.js';
import { Automaton } from './automaton.js';
import { INCOMPLETE, NOTHING, SpelledText, symbolsMeant, symbolsWritten } from './spelled-text.js';

/** A stretch of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ScanOptions {
  /**
   * Where a beginning of a secret counts: at the end of the text (`'end'`), also at the end of a line, of a text within it and
   * before an ellipsis (`'parts'`), or nowhere. Default `'parts'`.
   */
  readonly beginnings?: 'parts' | 'end' | 'none' | undefined;
  /** The text may begin inside a secret, since its own beginning was cut off. Default `false`. */
  readonly isCutAtStart?: boolean | undefined;
}

/** Fewer characters of a secret are no secret, and stand in other texts by chance. */
const MIN_PIECE = 8;
/** Longer ones are sealed reasoning, which nobody sends in base64 once more. */
const MAX_BASE64_CHARS = 1_000;
/** Quotes, and the `<` of a tag. */
const ENDS: ReadonlySet<number> = new Set([0x22, 0x27, 0x60, 0x3c]);
const ESCAPES = /[\\%&]/;
/** The longest escape has few characters; a text may begin anywhere in one. */
const MAX_ESCAPE_CHARS = 6;

/**
 * Finds secrets in texts, all of them in one search, however they are spelled and in base64. A text may end inside a secret,
 * because somebody cut it, a connection broke or a time was up: so a beginning of at least eight characters is found at the
 * end of a text, of a line and of a text within it (before a quote or a tag), and before an ellipsis.
 *
 * A text with escapes is read twice, as it is written and as it is meant: in what is written in an odd way, escapes may seem
 * to be where none are (`50%` before a key that begins with `ab`).
 */
export class SecretScanner {
  readonly #patterns: readonly Uint8Array[];
  readonly #forward: Automaton;
  #backward: Automaton | undefined;

  constructor(secrets: readonly string[]) {
    this.#patterns = secrets.flatMap(patternsOf);
    this.#forward = new Automaton(this.#patterns);
  }

  /** In any order; they may overlap. */
  spansIn(text: string, options: ScanOptions = {}): Span[] {
    if (this.#forward.maxDepth === 0 || text === '') return [];
    const cut = options.isCutAtStart === true ? this.#endingAtStart(text) : undefined;
    // Joined as lists: as arguments of a call, some hundred thousand overflow the stack.
    return [
      ...(cut === undefined ? [] : [cut]),
      ...this.#search(text, false, options),
      ...(ESCAPES.test(text) ? this.#search(text, true, options) : []),
    ];
  }

  #search(text: string, readsEscapes: boolean, { beginnings = 'parts' }: ScanOptions): Span[] {
    const automaton = this.#forward;
    const spelled = new SpelledText(text, readsEscapes);
    const starts = new RecentStarts(Math.min(automaton.maxDepth, text.length));
    const spans: Span[] = [];
    let state = 0;
    for (let at = 0; at < text.length; at = spelled.end) {
      spelled.read(at);
      if (spelled.symbol === INCOMPLETE) break;
      if (spelled.symbol === NOTHING) continue;
      const begun = automaton.depth(state);
      if (begun >= MIN_PIECE && beginnings === 'parts' && endsPart(text, at, spelled.symbol))
        spans.push({ start: starts.back(begun), end: at });
      starts.push(at);
      state = automaton.next(state, spelled.symbol);
      const matched = automaton.matched(state);
      if (matched > 0) spans.push({ start: starts.back(matched), end: spelled.end });
    }
    const begun = automaton.depth(state);
    if (begun >= MIN_PIECE && beginnings !== 'none') spans.push({ start: starts.back(begun), end: text.length });
    return spans;
  }

  /** What the longest ending of a secret takes of the beginning of a text. */
  #endingAtStart(text: string): Span | undefined {
    this.#backward ??= new Automaton(this.#patterns.map((pattern) => pattern.toReversed()));
    const ends = Array.from({ length: MAX_ESCAPE_CHARS }, (_, at) => this.#endOfEnding(text, at));
    const end = Math.max(...ends);
    return end > 0 ? { start: 0, end } : undefined;
  }

  /** The same backwards: the beginning of the text, as far as a secret can reach, searched from its end. */
  #endOfEnding(text: string, from: number): number {
    const { maxDepth } = this.#forward;
    const spelled = new SpelledText(text);
    const symbols: number[] = [];
    const ends: number[] = [];
    for (let at = from; at < text.length && symbols.length < maxDepth; at = spelled.end) {
      spelled.read(at);
      if (spelled.symbol === INCOMPLETE) break;
      if (spelled.symbol === NOTHING) continue;
      symbols.push(spelled.symbol);
      ends.push(spelled.end);
    }
    const automaton = this.#backward ?? this.#forward;
    const state = symbols.reduceRight((before, symbol) => automaton.next(before, symbol), 0);
    const length = automaton.depth(state);
    return length >= MIN_PIECE ? (ends[length - 1] ?? 0) : 0;
  }
}

/** Where the latest symbols began, as many as the longest secret has. */
class RecentStarts {
  readonly #ring: Int32Array;
  readonly #mask: number;
  #count = 0;

  constructor(size: number) {
    const length = 2 ** Math.ceil(Math.log2(size + 1));
    this.#ring = new Int32Array(length);
    this.#mask = length - 1;
  }

  push(start: number): void {
    this.#ring[this.#count & this.#mask] = start;
    this.#count += 1;
  }

  back(symbols: number): number {
    return this.#ring[(this.#count - symbols) & this.#mask] ?? 0;
  }
}

/** Ends a text within a text, or stands where this package and many servers have cut one. */
function endsPart(text: string, at: number, symbol: number): boolean {
  return ENDS.has(symbol) || text[at] === '…' || text[at] === '\n' || text.startsWith('...', at);
}

/** A secret as it may be written. */
function patternsOf(secret: string): Uint8Array[] {
  const isPlain = !ESCAPES.test(secret);
  const written = new Set([secret, ...(isPlain ? [] : escapedForms(secret)), ...base64Forms(secret)]);
  return [...[...written].map(symbolsWritten), ...(isPlain ? [] : [symbolsMeant(secret)])];
}

/** In JSON, in JSON within JSON, and in URLs: what looks like an escape itself may be read in more than one way. */
function escapedForms(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = [inJson, JSON.stringify(inJson).slice(1, -1), new URLSearchParams([['', secret]]).toString().slice(1)];
  try {
    forms.push(encodeURIComponent(secret), encodeURI(secret));
  } catch {
    // Half a surrogate pair has no place in a URL.
  }
  return forms;
}

/** What stands for a secret in base64, whatever was in front of it and behind it. */
function base64Forms(secret: string): string[] {
  if (secret.length < MIN_PIECE || secret.length > MAX_BASE64_CHARS) return [];
  const bytes = new TextEncoder().encode(secret);
  const forms = [0, 1, 2].map((before) => {
    const whole = new Uint8Array(before + bytes.length);
    whole.set(bytes, before);
    // Characters that bits of its neighbours have a part in are no part of it.
    return toBase64(whole).slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
