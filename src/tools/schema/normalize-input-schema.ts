import type { JsonObject } from '../../core/json.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { schemaProblem } from './check-schema.js';
import { cleanSchema, type CleanContext } from './clean-schema.js';
import { keepDefinitions } from './keep-definitions.js';
import { mayBeObject, mergeRoot } from './merge-root.js';
import { plainJson } from './plain-json.js';
import { createReferences } from './references.js';

export type NormalizedSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  /** `reason` continues a sentence: "left out: its input schema …". */
  | { readonly ok: false; readonly reason: string };

/** All schemas seen so far had settled after one. */
const MAX_ROUNDS = 4;

/**
 * A tool's input schema the way hosts take it: an object with `properties` at the root, no combinators there, local
 * references inlined unless they are cyclic, JSON and nothing else. What was open stays open, and no parameter is lost,
 * apart from those that only a `not` or a branch for another type speaks of. The result is checked against the rules
 * hosts are known to enforce; fails where it breaks one, or where the arguments cannot be an object at all. Doing it
 * twice changes nothing. Beyond `maxChars` of JSON references stay references; what is then still twice as long fails.
 */
export function normalizeInputSchema(schema: unknown, maxChars = Number.POSITIVE_INFINITY): NormalizedSchema {
  if (schema === undefined || schema === null || schema === true) return checked({ type: 'object', properties: {} });
  if (!isRecord(schema)) return fail(`is ${Array.isArray(schema) ? 'an array' : `a ${typeof schema}`}`);
  try {
    const plain = plainJson(schema);
    if (!isRecord(plain)) return fail('is too large, or holds itself without end');
    const settled = settle(normalize(withoutItself(plain), maxChars), maxChars);
    return settled.ok && isLonger(settled.schema, 2 * maxChars) ? fail('grows too long when it is mended') : settled;
  } catch (error) {
    return fail(`cannot be read: ${errorText(error)}`);
  }
}

function isLonger(schema: JsonObject, chars: number): boolean {
  return Number.isFinite(chars) && JSON.stringify(schema).length > chars;
}

function normalize(document: Record<string, unknown>, maxChars: number): NormalizedSchema {
  const { cleaned, context } = cleanDocument(document, maxChars);
  if (context.references.isTooManyAtRoot()) return fail('has too many alternatives at its root to be merged into one');
  const flat = cleaned['$ref'] === undefined ? cleaned : {};
  if (!mayBeObject(flat)) return fail(`is of type ${JSON.stringify(flat['type'])}, but arguments are an object`);
  if (hasOnlyForeignBranches(flat)) return { ok: false, reason: 'no branch of its input schema is an object' };
  return checked(keepDefinitions(mergeRoot(flat), context));
}

/**
 * References that stay are followed anew when the result is read as a schema of its own: a root that leads back to itself
 * through its definitions, or one that was too large before its branches were merged, is done the second time.
 */
function settle(first: NormalizedSchema, maxChars: number): NormalizedSchema {
  let settled = first;
  for (let round = 0; round < MAX_ROUNDS && settled.ok && '$defs' in settled.schema; round += 1) {
    const next = normalize(settled.schema, maxChars);
    if (!next.ok || JSON.stringify(next.schema) === JSON.stringify(settled.schema)) return settled;
    settled = next;
  }
  return settled;
}

/** That the root is the root says nothing, and would make every other reference to it endless. */
function withoutItself(document: Record<string, unknown>): Record<string, unknown> {
  const { $ref: ref, ...rest } = document;
  return ref === '#' ? rest : document;
}

function cleanDocument(
  document: Record<string, unknown>,
  maxChars: number,
): { cleaned: JsonObject; context: CleanContext } {
  const clean = (inline: boolean): { cleaned: JsonObject; context: CleanContext } => {
    const context: CleanContext = { document, references: createReferences(document, inline) };
    return { cleaned: cleanSchema(document, context, { depth: 0, root: ['#'] }), context };
  };
  const inlined = clean(true);
  const isTooLong = inlined.context.references.isTooMany() || isLonger(inlined.cleaned, maxChars);
  return isTooLong ? clean(false) : inlined;
}

function checked(schema: JsonObject): NormalizedSchema {
  const problem = schemaProblem(schema);
  return problem === undefined ? { ok: true, schema } : fail(`cannot be made acceptable (${problem})`);
}

function fail(reason: string): NormalizedSchema {
  return { ok: false, reason: `its input schema ${reason}` };
}

function hasOnlyForeignBranches(schema: JsonObject): boolean {
  return (['anyOf', 'oneOf'] as const).some((key) => {
    const list = schema[key];
    return Array.isArray(list) && list.length > 0 && !list.some((branch) => isRecord(branch) && mayBeObject(branch));
  });
}
