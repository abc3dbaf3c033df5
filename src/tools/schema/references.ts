import { isRecord } from '../../util/guards.js';
import type { Schema } from './keywords.js';
import { pointerTokens, resolvePointer } from './pointer.js';

/** Following references can grow a root exponentially; one that needs more is left out. */
const MAX_FOLLOWED = 200;
/** The same for the schemas visited by then, when what is referred to is large. */
const MAX_VISITED = 5_000;

/** Annotations, not constraints: beside a `$ref` they replace those of the schema it refers to. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/** The references of one document: how many were followed at its root, and what those elsewhere are called. */
export class References {
  /** Schemas that were looked at. */
  visited = 0;
  /** Asked to follow more than is allowed. */
  areTooMany = false;
  readonly #document: unknown;
  #followed = 0;
  /** The references to write, by the steps of those that were there. */
  readonly #kept = new Map<string, string>();
  /** The references as they were, by those written instead. */
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

  /** What a reference stands for in the end; `undefined` where references only lead to each other, or out of the document. */
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

  /** The reference to write instead: `#`, or one into `$defs`. */
  keep(ref: string): string {
    const tokens = pointerTokens(ref) ?? [];
    if (tokens.length === 0) return '#';
    const key = JSON.stringify(tokens);
    const kept = this.#kept.get(key) ?? freeName(`#/$defs/${nameFor(tokens)}`, this.#sources);
    this.#kept.set(key, kept);
    this.#sources.set(kept, ref);
    return kept;
  }

  /** What the definition that such a reference leads to is made from; `undefined` for `#`. */
  sourceOf(kept: string): unknown {
    const source = this.#sources.get(kept);
    return source === undefined ? undefined : resolvePointer(this.#document, source);
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
export function joinReference(target: Schema, siblings: Schema): Schema {
  const isSafe = Object.keys(siblings).every((key) => ANNOTATIONS.has(key) || !Object.hasOwn(target, key));
  if (isSafe && target['$ref'] === undefined) return { ...target, ...siblings };
  const entries = Object.entries(siblings);
  const words = Object.fromEntries(entries.filter(([key]) => ANNOTATIONS.has(key)));
  const rest = Object.fromEntries(entries.filter(([key]) => !ANNOTATIONS.has(key)));
  if (Object.keys(rest).length === 0) return { ...target, ...words };
  return { ...words, allOf: [target, rest] };
}
