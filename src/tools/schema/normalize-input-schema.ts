import type { JsonObject } from '../../core/json.js';
import { errorText } from '../../util/error-text.js';
import { asArray, isRecord } from '../../util/guards.js';
import { cleanSchema } from './clean-schema.js';
import { referencesIn } from './keywords.js';
import { mayBeObject, mergeRoot } from './merge-root.js';
import { plainJson } from './plain-json.js';
import { References } from './references.js';

export type NormalizedSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  /** `reason` continues a sentence: "left out: its input schema …". */
  | { readonly ok: false; readonly reason: string };

/**
 * A tool's input schema the way hosts take it: an object with `properties` at the root, no combinators there, references
 * only to `$defs`, where each leads somewhere, JSON and nothing else. What was open stays open, and no parameter is lost,
 * apart from those that only a `not` or a branch for another type speaks of. The result keeps the rules that hosts are
 * known to enforce; fails if the arguments cannot be an object at all. Doing it twice changes nothing. Fails beyond twice
 * `maxChars` of JSON.
 */
export function normalizeInputSchema(schema: unknown, maxChars = Number.POSITIVE_INFINITY): NormalizedSchema {
  if (schema === undefined || schema === null || schema === true)
    return { ok: true, schema: { type: 'object', properties: {} } };
  if (!isRecord(schema)) return fail(`is ${Array.isArray(schema) ? 'an array' : `a ${typeof schema}`}`);
  try {
    const plain = plainJson(schema);
    if (!isRecord(plain)) return fail('is too large, or holds itself without end');
    const normalized = normalize(withoutItself(plain));
    const isTooLong = normalized.ok && JSON.stringify(normalized.schema).length > 2 * maxChars;
    return isTooLong ? fail('grows too long when it is mended') : normalized;
  } catch (error) {
    return fail(`cannot be read: ${errorText(error)}`);
  }
}

function normalize(document: Record<string, unknown>): NormalizedSchema {
  const references = new References(document);
  const cleaned = cleanSchema(document, references, { depth: 0, root: ['#'] });
  if (references.areTooMany) return fail('has too many alternatives at its root to be merged into one');
  const flat = cleaned['$ref'] === undefined ? cleaned : {};
  if (!mayBeObject(flat)) return fail(`is of type ${JSON.stringify(flat['type'])}, but arguments are an object`);
  if (hasOnlyForeignBranches(flat)) return { ok: false, reason: 'no branch of its input schema is an object' };
  return { ok: true, schema: withDefinitions(mergeRoot(flat), references) };
}

/** Adds the definitions that references need: all of them under `$defs`, wherever they stood before. */
function withDefinitions(result: JsonObject, references: References): JsonObject {
  const definitions = new Map<string, JsonObject>();
  const open = [...referencesIn(result)].toReversed();
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    const name = ref.slice('#/$defs/'.length);
    const source = references.sourceOf(ref);
    if (source === undefined || definitions.has(name)) continue;
    const definition = cleanSchema(source, references, { depth: 1 });
    definitions.set(name, definition);
    open.push(...referencesIn(definition));
  }
  return definitions.size === 0 ? result : { ...result, $defs: Object.fromEntries(definitions) };
}

/** That the root is the root says nothing, and would make every other reference to it endless. */
function withoutItself(document: Record<string, unknown>): Record<string, unknown> {
  const { $ref: ref, ...rest } = document;
  return ref === '#' ? rest : document;
}

function fail(reason: string): NormalizedSchema {
  return { ok: false, reason: `its input schema ${reason}` };
}

function hasOnlyForeignBranches(schema: JsonObject): boolean {
  return (['anyOf', 'oneOf'] as const).some((key) => {
    const list = asArray(schema[key]);
    return list.length > 0 && !list.some((branch) => isRecord(branch) && mayBeObject(branch));
  });
}
