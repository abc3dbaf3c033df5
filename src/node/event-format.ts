import { isRecord } from '../util/guards.js';
import { parseJson } from '../util/json.js';

/*
 * The file of `recordEvents`: one JSON object a line, of three kinds.
 *
 *   {"format":"responses-loop events","version":1,"run":"k3…","at":1760000000000}
 *   {"run":"k3…","part":7,"value":{"type":"message",…}}
 *   {"run":"k3…","at":1760000000012,"event":{"type":"request",…},"lists":{"body.input":[1,7]},"values":{"headers":8}}
 *
 * What rounds repeat (items, tools, headers) is a part: written once for each run and named by its number from then on.
 * `lists` names the parts of a list as ranges, so that a list that only grows stays as short as the first one. A run is one
 * recorder: several may append to a file at the same time.
 */

export const FORMAT = 'responses-loop events';
export const VERSION = 1;

export interface HeadLine {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly run: string;
  readonly at: number;
}

/** `[from, to, from, to, …]`, both included. */
export type Ranges = readonly number[];

export interface PartLine {
  readonly run: string;
  readonly part: number;
  readonly value: unknown;
}

export interface EventLine {
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The event without the fields stored in `parts`. May be of an unknown type. */
  readonly event: { readonly type: string; readonly [member: string]: unknown };
  /** Ranges of parts by the member that they replace: `headers`, or `body.input` for a member of the body. */
  readonly lists: Readonly<Record<string, Ranges>>;
  readonly values: Readonly<Record<string, number>>;
}

export type FileLine = HeadLine | PartLine | EventLine;

/** Turns mostly consecutive numbers into ranges. */
export function rangesOf(numbers: readonly number[]): number[] {
  const ranges: number[] = [];
  for (const number of numbers) {
    if (ranges.length > 0 && ranges.at(-1) === number - 1) ranges[ranges.length - 1] = number;
    else ranges.push(number, number);
  }
  return ranges;
}

/** Parses one line of such a file; `undefined` for a torn line or a line of another program. */
export function readLine(line: string): FileLine | undefined {
  const read = parseJson(line);
  if (!isRecord(read) || typeof read['run'] !== 'string') return undefined;
  const { run, at, part, event } = read;
  if (isIndex(part) && 'value' in read) return { run, part, value: read['value'] };
  if (typeof at !== 'number') return undefined;
  if (read['format'] === FORMAT && typeof read['version'] === 'number')
    return { format: FORMAT, version: read['version'], run, at };
  if (!isRecord(event) || typeof event['type'] !== 'string') return undefined;
  return {
    run,
    at,
    event: { ...event, type: event['type'] },
    lists: membersOf(read['lists'], isRanges),
    values: membersOf(read['values'], isIndex),
  };
}

function membersOf<T>(value: unknown, isOne: (member: unknown) => member is T): Record<string, T> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => isOne(entry[1])));
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isRanges(value: unknown): value is Ranges {
  return (
    Array.isArray(value) &&
    value.length % 2 === 0 &&
    value.every((number, at) => isIndex(number) && (at % 2 === 0 || number >= Number(value[at - 1])))
  );
}
