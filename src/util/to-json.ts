/** More values than anyone reads of an endless source. */
const MAX_ITEMS = 10_000;

/**
 * JSON text of anything a function may return: big integers as decimal strings, a reference back to an enclosing object
 * as `"[circular]"`, errors with their message, collections as lists, headers and forms by their names, binary data and
 * streams as a note. `undefined` if JSON has no form for it.
 */
export function toJsonText(value: unknown, space?: number): string | undefined {
  const enclosing: { readonly plain: unknown; readonly source: unknown }[] = [];
  function replace(this: unknown, _key: string, member: unknown): unknown {
    const plain = flatten(member);
    if (typeof plain !== 'object' || plain === null) return plain;
    // `this` is the object that holds the member: everything opened after it is closed.
    while (enclosing.length > 0 && enclosing.at(-1)?.plain !== this) enclosing.pop();
    if (enclosing.some((outer) => outer.plain === plain || outer.source === member)) return '[circular]';
    enclosing.push({ plain, source: member });
    return plain;
  }
  return JSON.stringify(value, replace, space);
}

/** The values of an iterable, up to a large number. */
function listOf(values: Iterable<unknown>): unknown[] {
  const list: unknown[] = [];
  for (const value of values) {
    if (list.length === MAX_ITEMS) return [...list, '[more]'];
    list.push(value);
  }
  return list;
}

function flatten(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) return flattenMap(value);
  if (value instanceof RegExp) return String(value);
  return noteOf(value) ?? flattenIterable(value);
}

function flattenMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const isNamed = [...map.keys()].every((key) => typeof key !== 'object' || key === null);
  return isNamed ? Object.fromEntries(map as ReadonlyMap<string, unknown>) : [...map];
}

/** A note for values that cannot be read here without waiting. */
function noteOf(value: object): string | undefined {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return binaryNote(value.byteLength);
  if (value instanceof Blob) return blobNote(value);
  if (value instanceof Response) return `[response, HTTP ${value.status}]`;
  if (Symbol.asyncIterator in value || value instanceof ReadableStream) return '[stream]';
  // Node's `toJSON` has already converted buffers to this.
  const isBuffer = 'type' in value && value.type === 'Buffer' && 'data' in value && Array.isArray(value.data);
  return isBuffer ? binaryNote((value.data as unknown[]).length) : undefined;
}

function blobNote(blob: Blob): string {
  const name = 'name' in blob ? `file ${String(blob.name)}` : 'binary data';
  return `[${[name, blob.type, `${blob.size} bytes`].filter((word) => word !== '').join(', ')}]`;
}

function binaryNote(bytes: number): string {
  return `[binary data, ${bytes} bytes]`;
}

const NAMED: ReadonlySet<string> = new Set(['Headers', 'FormData', 'URLSearchParams']);

function flattenIterable(value: object): unknown {
  if (!(Symbol.iterator in value) || typeof value[Symbol.iterator] !== 'function') return value;
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind === 'String') return value;
  // These yield pairs of name and value.
  return NAMED.has(kind) ? byName(value as Iterable<readonly [string, unknown]>) : listOf(value as Iterable<unknown>);
}

/** A name may occur more than once. */
function byName(entries: Iterable<readonly [string, unknown]>): unknown {
  const all = new Map<string, unknown[]>();
  for (const [name, value] of entries) all.set(name, [...(all.get(name) ?? []), value]);
  return Object.fromEntries([...all].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}
