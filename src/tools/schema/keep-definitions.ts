import type { JsonObject } from '../../core/json.js';
import { cleanSchema, type CleanContext } from './clean-schema.js';
import { referencesIn } from './keywords.js';
import { resolvePointer } from './pointer.js';

const PREFIX = '#/$defs/';

/** Adds the definitions that references still need: all of them under `$defs`, wherever they stood before. */
export function keepDefinitions(result: JsonObject, context: CleanContext): JsonObject {
  const definitions = new Map<string, JsonObject>();
  const open = [...referencesIn(result)].toReversed();
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    const name = ref.slice(PREFIX.length);
    const source = ref.startsWith(PREFIX) ? context.references.source(name) : undefined;
    if (source === undefined || definitions.has(name)) continue;
    const definition = cleanSchema(resolvePointer(context.document, source), context, { depth: 1 });
    definitions.set(name, definition);
    open.push(...referencesIn(definition));
  }
  if (definitions.size === 0) return result;
  return { ...result, $defs: Object.fromEntries(definitions) };
}
