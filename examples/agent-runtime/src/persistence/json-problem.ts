import { MAX_LEVELS } from '../core/plain-json.js';

/** Levels of a row that hold its members. */
const OWN_LEVELS = 8;

/** Why JSON would not give the value back as it is; nothing, if it does. Members without a value do not count. */
export function jsonProblem(value: unknown, levels = MAX_LEVELS + OWN_LEVELS): string | undefined {
  if (typeof value === 'object' && value !== null) return objectProblem(value, levels);
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return 'contains the number -0, which JSON writes as 0';
    return Number.isFinite(value) ? undefined : `contains the number ${value}, which JSON cannot write`;
  }
  return value === null || typeof value === 'string' || typeof value === 'boolean'
    ? undefined
    : `contains a value of the type ${typeof value}, which JSON cannot write`;
}

function objectProblem(value: object, levels: number): string | undefined {
  if (levels <= 0) return `is nested more than ${MAX_LEVELS} levels deep`;
  if (Array.isArray(value)) return firstProblem(value, levels);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind !== 'Object') return `contains a value of the type ${kind}, which JSON cannot write`;
  return firstProblem(
    Object.values(value).filter((member) => member !== undefined),
    levels,
  );
}

/** Counts the gaps of a list, too, which JSON would fill. */
function firstProblem(members: readonly unknown[], levels: number): string | undefined {
  for (const member of members) {
    const problem = jsonProblem(member, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
