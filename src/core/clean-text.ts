import type { JsonValue } from './json.js';

/** The brand. It exists in types only. */
export declare const CLEAN: unique symbol;

interface Cleaned {
  readonly [CLEAN]: true;
}

/** A text without secrets: what a `Redactor` and `clean` return. Errors, events, warnings and metadata accept no other. */
export type CleanText = string & Cleaned;

/** An error without secrets: one of ours, or a copy that `redactError` made. */
export type CleanError = Error & Cleaned;

/** Any JSON without secrets. */
export type CleanValue = CleanText | number | boolean | null | undefined | (object & Cleaned);

/** A value of this type without secrets. Our literals stay unchanged; every other text is a `CleanText`. */
export type Clean<T> = unknown extends T
  ? CleanValue
  : T extends CleanText | Cleaned
    ? T
    : T extends string
      ? Partial<Record<T, 1>> extends Record<T, 1 | undefined>
        ? CleanText
        : T
      : T extends IsJson<T>
        ? T & Cleaned
        : T extends Error | ((...args: never[]) => unknown)
          ? T
          : T extends object
            ? { readonly [K in keyof T]: Clean<T[K]> }
            : T;

/** Objects and lists of any JSON are marked as a whole. */
type IsJson<T> = T extends readonly (infer Member)[]
  ? number extends T['length']
    ? OfAny<Member, T>
    : never
  : string extends keyof T
    ? OfAny<T[keyof T], T>
    : never;
type OfAny<Member, T> = JsonValue extends Member ? T : never;

/**
 * Makes a clean text of literals, numbers and clean texts. A raw text among them does not compile.
 *
 * @example clean`${cleanUrl} sent nothing for ${idleMs} ms.`
 */
export function clean<const T extends readonly (string | number | boolean)[]>(
  literals: TemplateStringsArray,
  ...parts: T & Clean<T>
): CleanText {
  const texts: readonly (string | number | boolean)[] = parts;
  return String.raw({ raw: literals }, ...texts) as CleanText;
}

/** Quotes a clean text as JSON does. */
export function quote(text: CleanText): CleanText {
  return JSON.stringify(text) as CleanText;
}

/** Returns a clean text without the full stop at its end. */
export function withoutStop(text: CleanText): CleanText {
  return text.replace(/\.$/, '') as CleanText;
}

/** Returns the message of an error without secrets. */
export function messageOf(error: CleanError): CleanText {
  return error.message as CleanText;
}

/**
 * Treats the app's own words as clean: its settings, the options and the tools of its call. They are no secrets, and
 * only their developer sees them. `test/architecture/clean-text` lists the files that may.
 */
export function ownWords(text: string): CleanText {
  return text as CleanText;
}
