import type { Size } from '../model.js';

export function duration(ms: number | undefined): string {
  if (ms === undefined) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}

/** 1,234 in full, 12.3k and 4.56M shortened. */
export function amount(count: number | undefined): string {
  if (count === undefined) return '';
  if (count < 10_000) return count.toLocaleString('en');
  const [unit, by] = count < 1_000_000 ? ['k', 1000] : ['M', 1_000_000];
  const value = count / by;
  return `${value.toFixed(value < 100 ? 1 : 0)}${unit}`;
}

export const full = (count: number): string => count.toLocaleString('en');

export function plural(count: number, one: string): string {
  return `${full(count)} ${one}${count === 1 ? '' : 's'}`;
}

export function share(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || !whole ? undefined : part / whole;
}

export const percent = (value: number | undefined): string =>
  value === undefined ? '' : `${Math.round(value * 100)}%`;

export function size({ items, chars }: Size): string {
  return items === 0 ? '' : `${amount(items)} · ${amount(chars)}`;
}

export const clock = (at: number): string => new Date(at).toLocaleTimeString([], { hour12: false });

export const dateTime = (at: number): string => new Date(at).toLocaleString();

/** 1, 2 or 5 of a power of ten, at least so many. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)));
  return ([1, 2, 5, 10].find((step) => step * power >= least) ?? 10) * power;
}
