/**
 * The most characters of a text that a pattern is held against. The pattern is the developer's, the text is not, and with
 * some patterns time grows with its square, or worse.
 */
export const MAX_PATTERN_TEXT = 10_000;

/** `undefined`: the pattern does not compile here. */
export type PatternAnswer = boolean | 'too long' | undefined;

/** Patterns of a schema, compiled once. */
export class Patterns {
  readonly #compiled = new Map<string, RegExp | undefined>();

  fits(pattern: string, text: string): PatternAnswer {
    const compiled = this.#compile(pattern);
    if (compiled === undefined) return undefined;
    return text.length > MAX_PATTERN_TEXT ? 'too long' : compiled.test(text);
  }

  #compile(pattern: string): RegExp | undefined {
    if (!this.#compiled.has(pattern)) this.#compiled.set(pattern, compile(pattern));
    return this.#compiled.get(pattern);
  }
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}
