import { amount as full, count as plural } from '../../words.js';
import type { Size } from '../model.js';

export { full, plural };

export function duration(ms: number | undefined): string {
  if (ms === undefined) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}h ${two(minutes)}m` : `${minutes}m ${two(seconds % 60)}s`;
}

const two = (count: number): string => String(count).padStart(2, '0');

/** Writes 1,234 in full, and 12.3k and 4.56M shortened. */
export function amount(count: number | undefined): string {
  if (count === undefined) return '';
  if (count < 10_000) return count.toLocaleString('en');
  const [unit, by] = count < 1_000_000 ? ['k', 1000] : ['M', 1_000_000];
  const value = count / by;
  return `${value.toFixed(value < 100 ? 1 : 0)}${unit}`;
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

const SECOND = 1000;
const STEPS = [10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400].map((seconds) => seconds * SECOND);

/**
 * Returns a round number of milliseconds, at least this many: 1, 2 or 5 times a power of ten, from ten seconds on in
 * clock steps.
 */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)));
  const decimal = ([1, 2, 5, 10].find((step) => step * power >= least) ?? 10) * power;
  return decimal < 10 * SECOND ? decimal : (STEPS.find((step) => step >= least) ?? decimal);
}

/** Labels an axis with no more digits than the step has. */
export function tickLabel(ms: number, step: number): string {
  if (ms === 0) return '0';
  if (step >= 60 * SECOND && ms < 3600 * SECOND) return `${Math.round(ms / (60 * SECOND))} min`;
  return ms < 60 * SECOND && step >= SECOND ? `${Math.round(ms / SECOND)} s` : duration(ms);
}
