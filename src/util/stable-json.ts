import { isRecord } from './guards.js';

/** The same text for the same JSON value, whatever the order of its keys; `change` evens out what else says nothing. */
export function stableJson(value: unknown, change: (key: string, member: unknown) => unknown = unchanged): string {
  const even = (key: string, member: unknown): unknown => {
    const changed = change(key, member);
    return isRecord(changed) ? sorted(changed) : changed;
  };
  return JSON.stringify(value, even) ?? 'undefined';
}

function unchanged(_key: string, member: unknown): unknown {
  return member;
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
