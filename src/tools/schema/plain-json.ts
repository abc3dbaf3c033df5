import type { JsonValue } from '../../core/json.js';

/** More objects and lists than any schema of a person; what other objects share is copied, which can grow without end. */
const MAX_NODES = 100_000;
/** Deeper than `cleanSchema` looks; below it nothing is kept. */
const MAX_DEPTH = 500;

/**
 * A copy that is JSON and nothing else: schemas written in a program hold `undefined`, functions, dates, or themselves.
 * What JSON has no word for is left out; if an object holds itself again, the copy stays open. `undefined` when there is
 * no end to it.
 *
 * @throws whatever a getter of the value throws
 */
export function plainJson(value: unknown): JsonValue | undefined {
  const budget = { left: MAX_NODES };
  const plain = copy(value, budget, []);
  return budget.left < 0 ? undefined : plain;
}

function copy(value: unknown, budget: { left: number }, enclosing: readonly object[]): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return scalar(value);
  budget.left -= 1;
  if (budget.left < 0 || enclosing.length > MAX_DEPTH) return undefined;
  if (enclosing.includes(value)) return Array.isArray(value) ? [] : {};
  const inside = [...enclosing, value];
  if (Array.isArray(value)) {
    return value.map((member) => copy(member, budget, inside)).filter((member) => member !== undefined);
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), budget, inside);
  const members = Object.entries(value).map(([key, member]): [string, JsonValue | undefined] => [
    key,
    copy(member, budget, inside),
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function scalar(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
