import { asArray, isRecord } from '../../util/guards.js';
import { typesOf } from './keywords.js';
import { resolvePointer } from './pointer.js';

/** One thing that does not fit, in the form Standard Schema reports it. */
export interface ArgumentIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** Alternatives of alternatives grow exponentially; past this many looks nothing is complained about. */
const MAX_LOOKS = 20_000;

interface Check {
  readonly document: unknown;
  looksLeft: number;
}

/** A value at its place, and the references that led to the schema it is held against. */
interface Spot {
  readonly value: unknown;
  readonly path: Path;
  readonly open: readonly string[];
}

/**
 * What in a call's arguments does not fit a JSON schema; nothing if they fit. Lenient: a keyword it does not know, a
 * pattern that does not compile, a reference that leads nowhere are passed over, so that what it complains about is
 * wrong for every validator. Compiles nothing, so it works where `eval` is forbidden.
 *
 * @param document where `#/…` starts; the schema itself unless it is a part of one
 * @example
 * checkArguments({ type: 'object', required: ['city'] }, {})  // [{ path: [], message: 'needs "city"' }]
 */
export function checkArguments(schema: unknown, value: unknown, document = schema): readonly ArgumentIssue[] {
  if (!isRecord(schema)) return [];
  const check: Check = { document, looksLeft: MAX_LOOKS };
  const issues = issuesAt(schema, { value, path: [], open: [] }, check);
  return check.looksLeft < 0 ? [] : issues;
}

function issuesAt(schema: unknown, spot: Spot, check: Check): readonly ArgumentIssue[] {
  if (schema === false) return [issue(spot, 'is not allowed')];
  if (!isRecord(schema)) return [];
  check.looksLeft -= 1;
  if (check.looksLeft < 0) return [];
  // OpenAPI's word for it; with it null fits whatever else is said.
  if (schema['nullable'] === true && spot.value === null) return [];
  const messages = CHECKS.flatMap((find) => find(schema, spot.value) ?? []).map((message) => issue(spot, message));
  return [...messages, ...NESTED.flatMap((find) => find(schema, spot, check))];
}

function issue({ path }: Spot, message: string): ArgumentIssue {
  return { path, message };
}

type FindMessages = (schema: Schema, value: unknown) => readonly string[] | string | undefined;

const CHECKS: readonly FindMessages[] = [
  (schema, value) => {
    const types = typesOf(schema);
    const isFine = types.length === 0 || types.some((type) => isOfType(value, type));
    return isFine
      ? undefined
      : `has to be ${types.map((type) => article(String(type))).join(' or ')}, not ${kindOf(value)}`;
  },
  ({ enum: values }, value) =>
    !Array.isArray(values) || values.some((allowed) => isSame(allowed, value))
      ? undefined
      : `has to be one of ${short(values.map((allowed) => JSON.stringify(allowed)).join(', '))}`,
  (schema, value) =>
    !Object.hasOwn(schema, 'const') || isSame(schema['const'], value)
      ? undefined
      : `has to be ${short(JSON.stringify(schema['const']) ?? '')}`,
  ({ required }, value) =>
    isRecord(value)
      ? asArray(required).flatMap((name) =>
          typeof name === 'string' && !Object.hasOwn(value, name) ? [`needs "${name}"`] : [],
        )
      : undefined,
  ({ minimum }, value) => limit(value, minimum, (number, least) => number < least, 'has to be at least'),
  ({ maximum }, value) => limit(value, maximum, (number, most) => number > most, 'has to be at most'),
  ({ minLength }, value) =>
    limit(lengthOf(value, minLength), minLength, (length, least) => length < least, 'needs a length of at least'),
  ({ maxLength }, value) =>
    limit(lengthOf(value, maxLength), maxLength, (length, most) => length > most, 'may have a length of at most'),
  ({ pattern }, value) =>
    typeof pattern === 'string' && typeof value === 'string' && matches(pattern, value) === false
      ? `has to match ${pattern}`
      : undefined,
];

type FindIssues = (schema: Schema, spot: Spot, check: Check) => readonly ArgumentIssue[];

const NESTED: readonly FindIssues[] = [
  ({ $ref: ref }, spot, check) =>
    typeof ref !== 'string' || spot.open.includes(ref)
      ? []
      : issuesAt(resolvePointer(check.document, ref), { ...spot, open: [...spot.open, ref] }, check),
  ({ allOf }, spot, check) => asArray(allOf).flatMap((schema) => issuesAt(schema, spot, check)),
  ({ anyOf }, spot, check) => fitsOne(anyOf, spot, check),
  // That more than one fits is the schema's affair more often than the model's.
  ({ oneOf }, spot, check) => fitsOne(oneOf, spot, check),
  (schema, { value, path }, check) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([name, member]) =>
          memberIssues(schema, name, { value: member, path: [...path, name], open: [] }, check),
        )
      : [],
  ({ items, prefixItems }, { value, path }, check) => {
    const first = asArray(Array.isArray(items) ? items : prefixItems);
    return asArray(value).flatMap((member, index) => {
      const schema = index < first.length ? first[index] : Array.isArray(items) ? undefined : items;
      return issuesAt(schema, { value: member, path: [...path, index], open: [] }, check);
    });
  },
];

function memberIssues(schema: Schema, name: string, spot: Spot, check: Check): readonly ArgumentIssue[] {
  const { properties, patternProperties, additionalProperties } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name)) return issuesAt(properties[name], spot, check);
  // A pattern that does not compile may have meant this name.
  const isMeant =
    isRecord(patternProperties) && Object.keys(patternProperties).some((pattern) => matches(pattern, name) !== false);
  if (isMeant) return [];
  return additionalProperties === false
    ? [issue(spot, 'is not a parameter of this tool')]
    : issuesAt(additionalProperties, spot, check);
}

/** Complains where no alternative fits, about the one that came nearest. */
function fitsOne(schemas: unknown, spot: Spot, check: Check): readonly ArgumentIssue[] {
  if (!Array.isArray(schemas) || schemas.length === 0) return [];
  const attempts: (readonly ArgumentIssue[])[] = [];
  for (const schema of schemas as unknown[]) {
    const issues = issuesAt(schema, spot, check);
    if (issues.length === 0) return [];
    attempts.push(issues);
  }
  if (attempts.length === 1) return attempts[0] ?? [];
  const depth = (issues: readonly ArgumentIssue[]): number => Math.max(...issues.map(({ path }) => path.length));
  const [nearest = []] = attempts.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
  return depth(nearest) > spot.path.length
    ? nearest
    : [issue(spot, [...new Set(attempts.flatMap((issues) => issues.map(({ message }) => message)))].join(', or '))];
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return isRecord(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  // A type nobody knows is none.
  return type === 'string' || type === 'number' || type === 'boolean' ? typeof value === type : true;
}

function limit(
  value: unknown,
  bound: unknown,
  isBeyond: (value: number, bound: number) => boolean,
  words: string,
): string | undefined {
  if (typeof value !== 'number' || typeof bound !== 'number') return undefined;
  return isBeyond(value, bound) ? `${words} ${bound}` : undefined;
}

/** In characters, as JSON schema counts them, not in UTF-16 units. */
function lengthOf(value: unknown, bound: unknown): number | undefined {
  return typeof value === 'string' && bound !== undefined ? [...value].length : undefined;
}

/** `undefined`: the pattern does not compile here. */
function matches(pattern: string, text: string): boolean | undefined {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((member, i) => isSame(member, b[i]))
    );
  }
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return article(Array.isArray(value) ? 'array' : typeof value);
}

function article(type: string): string {
  if (type === 'null') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
