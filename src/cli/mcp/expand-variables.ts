import { isTellingSetting, looksSecret } from '../../observe/secret-names.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** As Claude Code has it (`${NAME}`, `${NAME:-default}`), and VS Code and Cursor (`${env:NAME}`). */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w{0,199})(?::-([^{}]*))?\}/g;

/** A variable that a text asks for, and where in the value the text stands: `headers.authorization`. */
export interface UsedVariable {
  readonly name: string;
  readonly place: string;
}

/** The variables that would be put into the texts of a value. */
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
  /** Values that open doors, by the names of their variables or by their looks: not to be shown. */
  readonly secrets: readonly string[];
}

/** Puts variables of the environment into all texts of a value out of JSON, so that no key has to stand in a file. */
export function expandVariables(value: unknown, env: Environment): Expanded {
  const missing = new Set<string>();
  const secrets = new Set<string>();
  const expandText = (text: string): string =>
    text.replaceAll(VARIABLE, (whole, name: string, fallback: string | undefined) => {
      // As in a shell, `:-` also stands in for what is empty.
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
