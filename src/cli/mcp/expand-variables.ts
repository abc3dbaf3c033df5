import { isTellingSetting, looksSecret } from '../../observe/secret-names.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The spelling of Claude Code (`${NAME}`, `${NAME:-default}`), and of VS Code and Cursor (`${env:NAME}`). */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w{0,199})(?::-([^{}]*))?\}/g;

/** A variable in a string, and the place of the string in the value: `headers.authorization`. */
export interface UsedVariable {
  readonly name: string;
  readonly place: string;
}

/** Returns the variables that the texts of a value use. */
export function variablesIn(value: unknown, place = ''): readonly UsedVariable[] {
  if (typeof value === 'string') return [...value.matchAll(VARIABLE)].map(([, name = '']) => ({ name, place }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    variablesIn(member, place === '' ? name : `${place}.${name}`),
  );
}

export interface Expanded {
  readonly value: unknown;
  /** Variables that the environment does not have. */
  readonly missing: readonly string[];
  /** Values that are secrets by the name of their variable or by their look. */
  readonly secrets: readonly string[];
}

/** Replaces variables in all texts of a JSON value, so that a file needs no keys. */
export function expandVariables(value: unknown, env: Environment): Expanded {
  const missing = new Set<string>();
  const secrets = new Set<string>();
  const expandText = (text: string): string =>
    text.replaceAll(VARIABLE, (whole, name: string, fallback: string | undefined) => {
      // As in a shell, `:-` also replaces an empty value.
      const found = fallback === undefined ? env[name] : env[name] || fallback;
      if (found === undefined) missing.add(name);
      else if (found !== fallback && (isTellingSetting(name) || looksSecret(found))) secrets.add(found);
      return found ?? whole;
    });
  const expand = (part: unknown): unknown => {
    if (typeof part === 'string') return expandText(part);
    if (Array.isArray(part)) return part.map(expand);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, expand(member)]));
  };
  return { value: expand(value), missing: [...missing], secrets: [...secrets] };
}
