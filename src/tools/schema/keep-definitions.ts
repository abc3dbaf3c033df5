import type { JsonObject } from '../../core/json.js';
import { isRecord } from '../../util/guards.js';
import { cleanSchema, type CleanContext } from './clean-schema.js';
import { pointerTokens, resolvePointer } from './pointer.js';

const DEFINITIONS: readonly string[] = ['$defs', 'definitions'];

/** The document without its definitions: the ones that are needed come back at the end. */
export function withoutDefinitions(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !DEFINITIONS.includes(key)));
}

/** Adds the definitions that references still need, and opens references that lead nowhere any more. */
export function keepDefinitions(
  result: JsonObject,
  source: Record<string, unknown>,
  context: CleanContext,
): JsonObject {
  const kept = new Map<string, Map<string, JsonObject>>();
  const open = referencesIn(result);
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    const [group, name] = pointerTokens(ref) ?? [];
    if (group === undefined || name === undefined || !DEFINITIONS.includes(group)) continue;
    const definitions = source[group];
    if (!isRecord(definitions) || !Object.hasOwn(definitions, name) || kept.get(group)?.has(name) === true) continue;
    const definition = cleanSchema(definitions[name], context, { open: [ref], depth: 1 });
    kept.set(group, (kept.get(group) ?? new Map<string, JsonObject>()).set(name, definition));
    open.push(...referencesIn(definition));
  }
  const groups = [...kept].map(([group, definitions]): [string, JsonObject] => [
    group,
    Object.fromEntries(definitions),
  ]);
  const complete: JsonObject = { ...result, ...Object.fromEntries(groups) };
  return openDangling(complete, complete);
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : referencesIn(member),
  );
}

/** A cyclic reference to a place that moved when the root was merged would dangle now. */
function openDangling(schema: JsonObject, document: JsonObject): JsonObject {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isRecord(value)) return value;
    if (typeof value['$ref'] === 'string' && !isRecord(resolvePointer(document, value['$ref']))) return {};
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]));
  };
  // The copy has the shape of its original.
  return walk(schema) as JsonObject;
}
