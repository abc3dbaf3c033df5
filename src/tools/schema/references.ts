import { isRecord } from '../../util/guards.js';
import { pointerTokens, resolvePointer } from './pointer.js';

/** Following references can grow a root exponentially; one that needs more is left out. */
const MAX_FOLLOWED = 200;
/** The same for the schemas visited by then, when what is referred to is large. */
const MAX_VISITED = 5_000;

/** Annotations, not constraints: beside a `$ref` they replace those of the schema it refers to. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/** The references of one document: how many were followed at its root, and what those elsewhere are called. */
export class References {
  #followed = 0;
  #visited = 0;
  readonly #names = new Map<string, string>();
  /** The references as they were, by the names of their definitions. */
  readonly #sources = new Map<string, string>();

  /** One more schema was looked at. */
  visit(): void {
    this.#visited += 1;
  }

  /** Whether one more may be followed. */
  follow(): boolean {
    this.#followed = this.#visited > MAX_VISITED ? Number.POSITIVE_INFINITY : this.#followed + 1;
    return !this.areTooMany;
  }

  get areTooMany(): boolean {
    return this.#followed > MAX_FOLLOWED;
  }

  /** The reference to write instead: `#`, or one into `$defs`. */
  keep(ref: string): string {
    const tokens = pointerTokens(ref) ?? [];
    if (tokens.length === 0) return '#';
    const key = JSON.stringify(tokens);
    const name = this.#names.get(key) ?? freeName(nameFor(tokens), this.#sources);
    this.#names.set(key, name);
    this.#sources.set(name, ref);
    return `#/$defs/${name}`;
  }

  /** What the definition of that name in `$defs` is made from. */
  sourceOf(name: string): string | undefined {
    return this.#sources.get(name);
  }
}

/** A definition keeps its name; a place anywhere else is called by the steps that lead there. */
function nameFor(tokens: readonly string[]): string {
  const isDefinition = tokens.length === 2 && (tokens[0] === '$defs' || tokens[0] === 'definitions');
  const name = (isDefinition ? tokens.slice(1) : tokens).join('_').replaceAll(/[^a-zA-Z0-9_.-]/g, '_');
  return name === '' ? 'definition' : name;
}

function freeName(wanted: string, taken: ReadonlyMap<string, string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  return name;
}

/** Constraints of both schemas apply; annotations beside the reference replace those of its target. */
export function joinReference(
  target: Readonly<Record<string, unknown>>,
  siblings: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isSafe = Object.keys(siblings).every((key) => ANNOTATIONS.has(key) || !Object.hasOwn(target, key));
  if (isSafe && target['$ref'] === undefined) return { ...target, ...siblings };
  const entries = Object.entries(siblings);
  const words = Object.fromEntries(entries.filter(([key]) => ANNOTATIONS.has(key)));
  const rest = Object.fromEntries(entries.filter(([key]) => !ANNOTATIONS.has(key)));
  if (Object.keys(rest).length === 0) return { ...target, ...words };
  return { ...words, allOf: [target, rest] };
}

/** What a reference stands for in the end; `undefined` where references only lead to each other, or out of the document. */
export function resolveReference(document: unknown, ref: string): Readonly<Record<string, unknown>> | undefined {
  const first = resolvePointer(document, ref);
  const seen = new Set<unknown>();
  for (let at = first; isRecord(at) && typeof at['$ref'] === 'string'; at = resolvePointer(document, at['$ref'])) {
    if (seen.has(at)) return undefined;
    seen.add(at);
  }
  return isRecord(first) ? first : undefined;
}
