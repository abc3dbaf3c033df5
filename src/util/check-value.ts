import { isRecord } from './guards.js';

/** The form of an option, as data, so that a list of options is readable. */
export type Shape =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'object'
  | 'any'
  /** An enumeration of strings. */
  | { readonly oneOf: readonly string[] }
  /** A whole number from the first to the second; with `fraction` any number between them. */
  | { readonly between: readonly [number, number]; readonly fraction?: boolean }
  | { readonly listOf: Shape }
  /** An object; other members may have any value. */
  | { readonly members: Readonly<Record<string, Shape>>; readonly required?: readonly string[] }
  /** The first with the right JSON type counts. */
  | { readonly either: readonly Shape[] };

/** The fault of a value. */
export interface Misfit {
  /** `type`: no server could read it; `value`: the type is right, but the value unknown. */
  readonly kind: 'type' | 'value';
  /** "textFormat.name". */
  readonly path: string;
  readonly value: unknown;
  /** "true or false". */
  readonly allowed: string;
}

/** Returns the first fault of a value; a wrong type precedes an unknown value. */
export function checkValue(value: unknown, shape: Shape, path: string): Misfit | undefined {
  const misfits = misfitsOf(value, shape, path);
  return misfits.find(({ kind }) => kind === 'type') ?? misfits[0];
}

function misfitsOf(value: unknown, shape: Shape, path: string): Misfit[] {
  const wrong = (kind: Misfit['kind']): Misfit[] => [{ kind, path, value, allowed: inWords(shape) }];
  if (!hasType(value, shape)) return wrong('type');
  if (typeof shape === 'string') return isWhole(value, shape) ? [] : wrong('value');
  if ('oneOf' in shape) return shape.oneOf.includes(value as string) ? [] : wrong('value');
  if ('between' in shape) return isBetween(value as number, shape) ? [] : wrong('value');
  if ('listOf' in shape)
    return (value as unknown[]).flatMap((entry, index) => misfitsOf(entry, shape.listOf, `${path}[${index}]`));
  if ('members' in shape) return misfitsOfMembers(value as Record<string, unknown>, shape, path);
  const fitting = shape.either.filter((option) => hasType(value, option));
  const found = fitting.map((option) => misfitsOf(value, option, path));
  return found.some((misfits) => misfits.length === 0) ? [] : (found[0] ?? []);
}

/** Whole numbers need more than the JSON type. */
const isWhole = (value: unknown, shape: string): boolean => shape !== 'integer' || Number.isInteger(value);

function misfitsOfMembers(
  value: Readonly<Record<string, unknown>>,
  { members, required = [] }: Extract<Shape, { members: unknown }>,
  path: string,
): Misfit[] {
  return Object.entries(members).flatMap(([name, shape]) => {
    const member = value[name];
    const isMissing = member === undefined || member === null;
    return isMissing && !required.includes(name) ? [] : misfitsOf(member, shape, `${path}.${name}`);
  });
}

/** Whether the JSON type is right; the content is checked later. */
function hasType(value: unknown, shape: Shape): boolean {
  if (shape === 'any') return true;
  if (shape === 'integer') return typeof value === 'number';
  if (typeof shape === 'string') return shape === 'object' ? isRecord(value) : typeof value === shape;
  if ('oneOf' in shape) return typeof value === 'string';
  if ('between' in shape) return typeof value === 'number';
  if ('listOf' in shape) return Array.isArray(value);
  return 'members' in shape ? isRecord(value) : shape.either.some((option) => hasType(value, option));
}

function isBetween(
  value: number,
  { between: [least, most], fraction = false }: Extract<Shape, { between: unknown }>,
): boolean {
  return value >= least && value <= most && (fraction || Number.isInteger(value));
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  any: 'anything',
};

function inWords(shape: Shape): string {
  if (typeof shape === 'string') return WORDS[shape] ?? shape;
  if ('oneOf' in shape) return shape.oneOf.map((text) => JSON.stringify(text)).join(', ');
  if ('between' in shape)
    return `a ${shape.fraction === true ? '' : 'whole '}number from ${shape.between.join(' to ')}`;
  if ('listOf' in shape) return `a list (each entry: ${inWords(shape.listOf)})`;
  if ('members' in shape) return `an object with ${Object.keys(shape.members).join(', ')}`;
  return shape.either.map(inWords).join(', or ');
}
