import { keepable } from '../core/plain-json.js';

/** A text as rows are compared with it: databases know the other case of ASCII letters only, unless told a language. */
export function lowerAscii(text: string): string {
  return keepable(text).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
