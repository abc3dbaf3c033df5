import { isRecord } from '../../util/guards.js';
import { referencesIn } from './keywords.js';
import { pointerTokens, resolvePointer } from './pointer.js';

/** Inlining can grow a schema exponentially; past this many copies references are better left where they are. */
const MAX_INLINED = 200;
/** The same for the schemas visited by then, when what is copied is large. */
const MAX_VISITED = 5_000;

/** What is said about a schema, not by it: a reference may have its own words for these. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/** The references of one document: which are followed, and what those that stay are called. */
export interface References {
  /** One more schema was looked at. */
  visit(): void;
  /** `true`: put what it refers to in its place. Counts. */
  mayFollow(ref: string): boolean;
  /** The same at the root, where nothing may stay a reference. Counts too. */
  mayFollowAtRoot(): boolean;
  /** The reference to write instead: `#`, or one into `$defs`. */
  keep(ref: string): string;
  /** What the definition of that name in `$defs` is made from. */
  source(name: string): string | undefined;
  /** Inlining got out of hand: what was made so far is the worst of both, halfway inlined. */
  isTooMany(): boolean;
  isTooManyAtRoot(): boolean;
}

/** @param inline `false`: all references stay */
export function createReferences(document: unknown, inline: boolean): References {
  const cyclic = cyclicReferences(document);
  const byName = new Map<string, string>();
  const names = new Map<string, string>();
  let followed = 0;
  let followedAtRoot = 0;
  let visited = 0;
  const next = (count: number): number => (visited > MAX_VISITED ? MAX_INLINED : count) + 1;
  return {
    visit: () => void (visited += 1),
    mayFollow(ref) {
      if (!inline || cyclic.has(ref) || followed > MAX_INLINED) return false;
      followed = next(followed);
      return followed <= MAX_INLINED;
    },
    mayFollowAtRoot() {
      followedAtRoot = next(followedAtRoot);
      return followedAtRoot <= MAX_INLINED;
    },
    keep(ref) {
      const tokens = pointerTokens(ref) ?? [];
      if (tokens.length === 0) return '#';
      const key = JSON.stringify(tokens);
      const name = names.get(key) ?? freeName(nameFor(tokens), byName);
      names.set(key, name);
      byName.set(name, ref);
      return `#/$defs/${name}`;
    },
    source: (name) => byName.get(name),
    isTooMany: () => followed > MAX_INLINED,
    isTooManyAtRoot: () => followedAtRoot > MAX_INLINED,
  };
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

/** References that lead back to themselves: there is no end to putting them in. */
function cyclicReferences(document: unknown): ReadonlySet<string> {
  const next = new Map<string, readonly string[]>();
  const open = [...referencesIn(document)];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (next.has(ref)) continue;
    const inner = [...new Set(referencesIn(resolvePointer(document, ref)))];
    next.set(ref, inner);
    open.push(...inner);
  }
  return new Set([...next.keys()].filter((ref) => reaches(ref, next)));
}

function reaches(start: string, next: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const open = [...(next.get(start) ?? [])];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (ref === start) return true;
    if (seen.has(ref)) continue;
    seen.add(ref);
    open.push(...(next.get(ref) ?? []));
  }
  return false;
}

/** What is referred to and what stands beside the reference hold together; only the words about it are replaced. */
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
