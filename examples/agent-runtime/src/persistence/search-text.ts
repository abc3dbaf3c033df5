import { keepable } from '../core/plain-json.js';
import type { SessionQuery } from '../types/persister.js';

/** A text as rows are compared with it: databases know the other case of ASCII letters only, unless told a language. */
export function lowerAscii(text: string): string {
  return keepable(text).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The query in texts that every store can be asked for. */
export function storable({ search, idPrefix, ...rest }: SessionQuery): SessionQuery {
  return {
    ...rest,
    search: search === undefined ? undefined : lowerAscii(search),
    idPrefix: idPrefix === undefined ? undefined : keepable(idPrefix),
  };
}
