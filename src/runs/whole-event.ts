import type { EventLine, Ranges } from '../node/event-format.js';
import { asRecord } from '../util/guards.js';

/** The parts of one recorder, by number. */
type Parts = ReadonlyMap<number, unknown>;

/** Returns the event of a line with its parts in place; `undefined` if the file lost one. */
export function wholeEvent({ event, lists, values }: EventLine, parts: Parts): Record<string, unknown> | undefined {
  const whole: Record<string, unknown> = { ...event };
  for (const [path, number] of Object.entries(values)) {
    if (!parts.has(number)) return undefined;
    put(whole, path, parts.get(number));
  }
  for (const [path, ranges] of Object.entries(lists)) {
    const list = partsIn(ranges, parts);
    if (list === undefined) return undefined;
    put(whole, path, list);
  }
  return whole;
}

/** `path`: a member, or a member of a member. */
function put(whole: Record<string, unknown>, path: string, value: unknown): void {
  const dot = path.indexOf('.');
  if (dot < 0) whole[path] = value;
  else {
    const outer = path.slice(0, dot);
    // A copy, because the line keeps its own.
    whole[outer] = { ...asRecord(whole[outer]), [path.slice(dot + 1)]: value };
  }
}

/** Ends at the first part that is missing, because a range of a broken file may have any length. */
function partsIn(ranges: Ranges, parts: Parts): unknown[] | undefined {
  const found: unknown[] = [];
  for (let at = 0; at < ranges.length; at += 2)
    for (let number = ranges[at] ?? 0; number <= (ranges[at + 1] ?? 0); number += 1) {
      if (!parts.has(number)) return undefined;
      found.push(parts.get(number));
    }
  return found;
}
