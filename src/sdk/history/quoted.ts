import { excerpt } from '../../util/excerpt.js';

/** A word of a history in a warning: short, and with nothing in it that a terminal would obey. */
export function quoted(word: string): string {
  return JSON.stringify(excerpt(word, MAX_CHARS).replaceAll(/[^ -~…]/g, '?'));
}

const MAX_CHARS = 40;
