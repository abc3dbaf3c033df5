import type { JsonObject } from '../../core/json.js';
import { isRecord } from '../../util/guards.js';
import { cleanSchema, type CleanContext } from './clean-schema.js';
import { keepDefinitions, withoutDefinitions } from './keep-definitions.js';
import { mayBeObject, mergeRoot } from './merge-root.js';

export type NormalizedSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly reason: string };

/**
 * A tool's input schema the way hosts take it: an object with `properties` at the root, no combinators there, local
 * references inlined unless they are cyclic, nothing that is JSON null. What was open stays open. Fails only where the
 * arguments cannot be an object at all.
 */
export function normalizeInputSchema(schema: unknown): NormalizedSchema {
  if (schema === undefined || schema === null || schema === true) return ok({ type: 'object', properties: {} });
  if (!isRecord(schema))
    return { ok: false, reason: `its input schema is ${Array.isArray(schema) ? 'an array' : `a ${typeof schema}`}` };
  const context: CleanContext = { document: schema, inline: true, inlined: 0 };
  let cleaned = cleanSchema(withoutDefinitions(schema), context, { open: ['#'], depth: 0 });
  // Halfway inlined is the worst of both: start again and leave the references in place.
  if (!context.inline) cleaned = cleanSchema(withoutDefinitions(schema), context, { open: ['#'], depth: 0 });
  const flat = cleaned['$ref'] === undefined ? cleaned : {};
  if (!mayBeObject(flat)) {
    return {
      ok: false,
      reason: `its input schema is of type ${JSON.stringify(flat['type'])}, but arguments are an object`,
    };
  }
  if (hasOnlyForeignBranches(flat)) return { ok: false, reason: 'no branch of its input schema is an object' };
  return ok(keepDefinitions(mergeRoot(flat), schema, context));
}

function ok(schema: JsonObject): NormalizedSchema {
  return { ok: true, schema };
}

function hasOnlyForeignBranches(schema: JsonObject): boolean {
  return (['anyOf', 'oneOf'] as const).some((key) => {
    const list = schema[key];
    return Array.isArray(list) && list.length > 0 && !list.some((branch) => isRecord(branch) && mayBeObject(branch));
  });
}
