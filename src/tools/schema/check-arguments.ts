import { asArray, isRecord } from '../../util/guards.js';
import { itemSchema, type Schema } from './keywords.js';
import { resolvePointer } from './pointer.js';
import { messagesFor, Patterns } from './value-keywords.js';

/** A fault in the form of Standard Schema. */
interface ArgumentIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Issues = readonly ArgumentIssue[];
type Path = ArgumentIssue['path'];

/**
 * The most comparisons of values with schemas: in total, and more for each value. No schema written by a person needs
 * as many. Beyond it the check ends, and the arguments count as unfit.
 */
const LOOKS = 100_000;
const LOOKS_PER_VALUE = 200;

/** A value at its place. It is compared with a schema once, although several alternatives may lead there. */
interface Place {
  readonly value: unknown;
  readonly path: Path;
  /** The result; empty during the check, so that a schema which refers to itself adds no fault. */
  readonly found: Map<object, Issues>;
  /** Its members, by name or index. */
  readonly members: Map<string | number, Place>;
}

/**
 * Returns the faults of a call's arguments by a JSON schema. It ignores unknown keywords, invalid patterns and
 * references without a target, so that every validator would report the same faults. It refuses values that are too
 * large to check. It compiles nothing, because some platforms forbid `eval`.
 *
 * @param document the target of `#`; the schema itself unless it is part of another
 * @example
 * checkArguments({ type: 'object', required: ['city'] }, {})  // [{ path: [], message: 'needs "city"' }]
 */
export function checkArguments(schema: unknown, value: unknown, document = schema): Issues {
  return new ArgumentCheck(document, value).issues(schema);
}

class ArgumentCheck {
  readonly #document: unknown;
  readonly #patterns = new Patterns();
  /** For objects, which have one place. */
  readonly #places = new WeakMap<object, Place>();
  readonly #root: unknown;
  #looks = 0;
  #mostLooks = LOOKS;

  constructor(document: unknown, root: unknown) {
    this.#document = document;
    this.#root = root;
  }

  issues(schema: unknown): Issues {
    try {
      return this.#issuesAt(schema, this.#placeOf(this.#root, []));
    } catch (error) {
      if (error instanceof TooLarge) return [{ path: [], message: error.message }];
      // A stack overflow, because each level of the arguments may pass many references.
      if (error instanceof RangeError) return [{ path: [], message: 'are nested too deep to check' }];
      throw error;
    }
  }

  #issuesAt(schema: unknown, place: Place): Issues {
    if (schema === false) return [issue(place, 'is not allowed')];
    if (!isRecord(schema)) return [];
    const known = place.found.get(schema);
    if (known !== undefined) return known;
    this.#look();
    place.found.set(schema, []);
    const issues = this.#find(schema, place);
    place.found.set(schema, issues);
    return issues;
  }

  #look(): void {
    this.#looks += 1;
    if (this.#looks <= this.#mostLooks) return;
    // Counted late, because most arguments are small.
    const most = LOOKS + LOOKS_PER_VALUE * countValues(this.#root);
    if (this.#looks > most) throw new TooLarge(`are too large to check: that took more than ${most} comparisons`);
    this.#mostLooks = most;
  }

  #find(schema: Schema, place: Place): Issues {
    const { value } = place;
    // OpenAPI's keyword, with which null always fits.
    if (schema['nullable'] === true && value === null) return [];
    const { $ref: ref, allOf, anyOf, oneOf } = schema;
    const referred = typeof ref === 'string' ? this.#issuesAt(resolvePointer(this.#document, ref), place) : [];
    return [
      ...messagesFor(schema, value, this.#patterns).map((message) => issue(place, message)),
      ...referred,
      ...asArray(allOf).flatMap((inner) => this.#issuesAt(inner, place)),
      ...this.#fitsOne(anyOf, place),
      // Several matches are more often a fault of the schema than of the model.
      ...this.#fitsOne(oneOf, place),
      ...(isRecord(value) ? this.#membersOf(schema, place) : this.#itemsOf(schema, place)),
    ];
  }

  #membersOf(schema: Schema, place: Place): Issues {
    return Object.entries(place.value as Schema).flatMap(([name, member]) =>
      this.#memberIssues(schema, name, this.#memberPlace(place, name, member)),
    );
  }

  #memberIssues(schema: Schema, name: string, place: Place): Issues {
    const { properties, patternProperties, additionalProperties } = schema;
    if (isRecord(properties) && Object.hasOwn(properties, name)) return this.#issuesAt(properties[name], place);
    const patterns = Object.keys(isRecord(patternProperties) ? patternProperties : {});
    const answers = patterns.map((pattern) => this.#patterns.fits(pattern, name));
    if (answers.includes('too long')) return [issue(place, 'has a name that is too long to check')];
    // An invalid pattern may have meant this name.
    if (answers.some((fits) => fits !== false)) return [];
    return additionalProperties === false
      ? [issue(place, 'is not a parameter of this tool')]
      : this.#issuesAt(additionalProperties, place);
  }

  #itemsOf(schema: Schema, place: Place): Issues {
    return asArray(place.value).flatMap((member, index) =>
      this.#issuesAt(itemSchema(schema, index), this.#memberPlace(place, index, member)),
    );
  }

  /** If no alternative fits, reports the faults of the nearest. */
  #fitsOne(schemas: unknown, place: Place): Issues {
    if (!Array.isArray(schemas) || schemas.length === 0) return [];
    const attempts: Issues[] = [];
    for (const schema of schemas as unknown[]) {
      const issues = this.#issuesAt(schema, place);
      if (issues.length === 0) return [];
      attempts.push(issues);
    }
    if (attempts.length === 1) return attempts[0] ?? [];
    const [nearest = []] = attempts.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length);
    return depthOf(nearest) > place.path.length
      ? nearest
      : [issue(place, [...new Set(attempts.flatMap((issues) => issues.map(({ message }) => message)))].join(', or '))];
  }

  #memberPlace(place: Place, name: string | number, value: unknown): Place {
    const known = place.members.get(name) ?? this.#placeOf(value, [...place.path, name]);
    place.members.set(name, known);
    return known;
  }

  #placeOf(value: unknown, path: Path): Place {
    const isObject = typeof value === 'object' && value !== null;
    const known = isObject ? this.#places.get(value) : undefined;
    if (known !== undefined) return known;
    const place: Place = { value, path, found: new Map(), members: new Map() };
    if (isObject) this.#places.set(value, place);
    return place;
  }
}

/** Ends a check that takes too long. */
class TooLarge extends Error {}

function issue({ path }: Place, message: string): ArgumentIssue {
  return { path, message };
}

function depthOf(issues: Issues): number {
  return issues.reduce((deepest, { path }) => Math.max(deepest, path.length), 0);
}

/** Counts the values in a value, at any depth, and the value itself. */
function countValues(value: unknown): number {
  let count = 0;
  const open = [value];
  for (; open.length > 0; count += 1) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return count;
}
