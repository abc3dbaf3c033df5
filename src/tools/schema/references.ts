import { isRecord } from '../../util/guards.js';
import type { Schema } from './keywords.js';
import { pointerTokens, resolvePointer } from './pointer.js';

/** The most references that are followed at a root, because it can grow exponentially. */
const MAX_FOLLOWED = 200;
/** The most schemas that are visited, because targets may be large. */
const MAX_VISITED = 5_000;

/** Annotations, not constraints: next to a `$ref` they replace those of its target. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/** The references of one document: the number followed at its root, and the names of the others. */
export class References {
  /** The number of visited schemas. */
  visited = 0;
  /** More references were requested than allowed. */
  areTooMany = false;
  readonly #document: unknown;
  #followed = 0;
  /** The new references, by the steps of the old ones. */
  readonly #kept = new Map<string, string>();
  /** The old references, by the new ones. */
  readonly #sources = new Map<string, string>();

  constructor(document: unknown) {
    this.#document = document;
  }

  /** Whether one more may be followed. */
  follow(): boolean {
    this.#followed += 1;
    this.areTooMany ||= this.#followed > MAX_FOLLOWED || this.visited > MAX_VISITED;
    return !this.areTooMany;
  }

  /** Returns the final target of a reference; `undefined` if references lead in a circle, or out of the document. */
  resolve(ref: string): Schema | undefined {
    const first = resolvePointer(this.#document, ref);
    const seen = new Set<unknown>();
    let at = first;
    while (isRecord(at) && typeof at['$ref'] === 'string') {
      if (seen.has(at)) return undefined;
      seen.add(at);
      at = resolvePointer(this.#document, at['$ref']);
    }
    return isRecord(first) ? first : undefined;
  }

  /** Returns the new reference: `#`, or one into `$defs`. */
  keep(ref: string): string {
    const tokens = pointerTokens(ref) ?? [];
    if (tokens.length === 0) return '#';
    const key = JSON.stringify(tokens);
    const kept = this.#kept.get(key) ?? freeName(`#/$defs/${nameFor(tokens)}`, this.#sources);
    this.#kept.set(key, kept);
    this.#sources.set(kept, ref);
    return kept;
  }

  /** Returns the source of the definition for such a reference; `undefined` for `#`. */
  sourceOf(kept: string): unknown {
    const source = this.#sources.get(kept);
    return source === undefined ? undefined : resolvePointer(this.#document, source);
  }
}

/** A definition keeps its name; any other place is named by its steps. */
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

/** Constraints of both schemas apply; annotations next to the reference replace those of its target. */
export function joinReference(target: Schema, siblings: Schema): Schema {
  const isSafe = Object.keys(siblings).every((key) => ANNOTATIONS.has(key) || !Object.hasOwn(target, key));
  if (isSafe && target['$ref'] === undefined) return { ...target, ...siblings };
  const entries = Object.entries(siblings);
  const words = Object.fromEntries(entries.filter(([key]) => ANNOTATIONS.has(key)));
  const rest = Object.fromEntries(entries.filter(([key]) => !ANNOTATIONS.has(key)));
  if (Object.keys(rest).length === 0) return { ...target, ...words };
  return { ...words, allOf: [target, rest] };
}
