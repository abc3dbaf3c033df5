import { excerpt } from '../util/excerpt.js';

export function amount(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 tool`, `1,200 tools`. */
export function count(howMany: number, one: string): string {
  return `${amount(howMany)} ${one}${howMany === 1 ? '' : 's'}`;
}

/** Returns the beginning of a text, on one line. */
export function oneLine(text: string, limit: number): string {
  return excerpt(text.trim().replaceAll(/\s+/g, ' '), limit);
}
