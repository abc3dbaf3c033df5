import { excerpt } from '../../util/excerpt.js';
import { isRecord } from '../../util/guards.js';

const MAX_VALUE_CHARS = 60;
const MAX_DEPTH = 64;
/** More than a user reads about one tool. */
const MAX_CHANGES = 200;

/**
 * What was changed in a schema to make it acceptable, in words, by place.
 *
 * @example
 * schemaChanges({ properties: { x: { type: 'string', pattern: '^a' } } }, { properties: { x: { type: 'string' } } })
 * // ['removed pattern from parameters.x']
 */
export function schemaChanges(published: unknown, offered: unknown): readonly string[] {
  const changes: string[] = [];
  compare(published, offered, { path: 'parameters', depth: 0, changes });
  return changes;
}

interface Walk {
  readonly path: string;
  readonly depth: number;
  readonly changes: string[];
  /** The members are names of parameters, not keywords. */
  readonly areNames?: boolean;
}

function compare(before: unknown, after: unknown, walk: Walk): void {
  const { path, depth, changes } = walk;
  if (depth > MAX_DEPTH || changes.length >= MAX_CHANGES) return;
  if (isRecord(before) && isRecord(after)) return compareMembers(before, after, walk);
  if (isListOfSchemas(before) && isListOfSchemas(after) && before.length === after.length) {
    for (const [index, entry] of before.entries())
      compare(entry, after[index], { path: `${path}[${index}]`, depth: depth + 1, changes });
    return;
  }
  if (show(before) !== show(after)) changes.push(`changed ${path} from ${cut(show(before))} to ${cut(show(after))}`);
}

function compareMembers(before: Record<string, unknown>, after: Record<string, unknown>, walk: Walk): void {
  const { path, depth, changes, areNames = false } = walk;
  const place = areNames ? `${path}.properties` : path;
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  if (gone.length > 0) changes.push(`removed ${gone.join(', ')} from ${place}`);
  if (added.length > 0)
    changes.push(`added ${added.map((key) => `${key} ${cut(show(after[key]))}`).join(', ')} to ${place}`);
  for (const [key, value] of Object.entries(before)) {
    if (!Object.hasOwn(after, key)) continue;
    // Users know parameters by their names, so `properties` is omitted.
    const isMap = key === 'properties' && !areNames;
    compare(value, after[key], { path: isMap ? path : `${path}.${key}`, depth: depth + 1, changes, areNames: isMap });
  }
}

function isListOfSchemas(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

function cut(text: string): string {
  return excerpt(text, MAX_VALUE_CHARS);
}
