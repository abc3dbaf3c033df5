import type { Span } from '../model.js';

/** Texts in the page that are parsed on first use. */
export interface PageTexts {
  readonly value: (group: number, number: number) => unknown;
  /** For the filter: in small letters. */
  readonly lower: (group: number, number: number) => string;
}

/** More entries than a user reads in one list. */
const MOST_NUMBERS = 100_000;

export function pageTexts(element: Element): PageTexts {
  let groups: readonly (readonly unknown[])[] | undefined;
  const lowered = new Map<unknown, string>();
  const value = (group: number, number: number): unknown => {
    groups ??= JSON.parse(element.textContent ?? '[]') as readonly (readonly unknown[])[];
    return groups[group]?.[number - 1] ?? null;
  };
  const lower = (group: number, number: number): string => {
    const key = group * 2 ** 32 + number;
    const known = lowered.get(key);
    if (known !== undefined) return known;
    const found = value(group, number);
    const text = (typeof found === 'string' ? found : JSON.stringify(found)).toLowerCase();
    lowered.set(key, text);
    return text;
  };
  return { value, lower };
}

/** Returns the numbers of a span within bounds. */
export function numbersOf(span: Span, first = 1, last = Number.MAX_SAFE_INTEGER): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < span.length; at += 2) {
    const to = Math.min(span[at + 1] ?? 0, last);
    for (let number = Math.max(span[at] ?? 0, first); number <= to && numbers.length < MOST_NUMBERS; number += 1)
      numbers.push(number);
  }
  return numbers;
}
