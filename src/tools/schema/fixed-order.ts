import type { JsonObject, JsonValue } from '../../core/json.js';
import { isText } from '../../util/check.js';
import { asArray, isRecord } from '../../util/guards.js';
import { KEYWORD_POSITION, type KeywordPosition } from './keywords.js';

/**
 * Returns the same schema in an order that depends on its meaning only. A server that shuffles members at every start
 * would otherwise invalidate the model's cache. Members are sorted by name, but required parameters come first, because
 * models write arguments in the order of parameters. Of lists only `required` is sorted.
 */
export function inFixedOrder(schema: JsonValue): JsonValue {
  return sortedValue(schema, 'schema');
}

function sortedSchema(schema: JsonObject): JsonObject {
  const required = new Set(asArray(schema['required']));
  return sorted(schema, (value, key) => {
    if (key === 'required' && Array.isArray(value) && value.every(isText)) return value.toSorted();
    if (key === 'properties' && isRecord(value)) return sorted(value, asSchema, (name) => !required.has(name));
    return sortedValue(value, KEYWORD_POSITION.get(key));
  });
}

/** `position`: the places of schemas in the value. Absent: it is data. */
function sortedValue(value: JsonValue, position: KeywordPosition | undefined): JsonValue {
  const member = position === undefined ? asData : asSchema;
  if (Array.isArray(value)) return value.map(member);
  if (!isRecord(value)) return value;
  return position === 'schema' ? sortedSchema(value) : sorted(value, member);
}

const asSchema = (value: JsonValue): JsonValue => sortedValue(value, 'schema');
const asData = (value: JsonValue): JsonValue => sortedValue(value, undefined);

/** Sorts members by name; those in `last` follow the others. */
function sorted(
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue,
  isLast: (key: string) => boolean = () => false,
): JsonObject {
  const entries = Object.entries(object).map(([key, value = null]) => ({ key, value, last: Number(isLast(key)) }));
  entries.sort((a, b) => a.last - b.last || (a.key < b.key ? -1 : 1));
  return Object.fromEntries(entries.map(({ key, value }) => [key, change(value, key)]));
}
