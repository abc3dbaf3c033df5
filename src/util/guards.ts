/** Questions asked of wire input, which is `unknown` until one of these has looked at it. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Also promises that are not the platform's own: zone.js replaces those, and async functions go on giving the native ones. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return isRecord(value) && typeof value['then'] === 'function';
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; anything else in it is passed over. */
export function asRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A string that says something: servers send `""` and `null` for "no id". */
export function asId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The row of a table under a name that was not chosen by us; what every object inherits (`constructor`) does not count. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
