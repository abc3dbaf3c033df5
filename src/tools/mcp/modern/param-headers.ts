import { asRecord, asString } from '../../../util/guards.js';

const KEYWORD = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Printable ASCII that HTTP leaves as it is. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/s;

interface ParamHeader {
  readonly path: readonly string[];
  readonly name: string;
}

/**
 * The arguments of a tool that also go into headers (`x-mcp-header`, for what stands between us and the server); what is
 * wrong with them as a sentence, with which the specification wants the tool left out.
 */
export function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] | string {
  const found: ParamHeader[] = [];
  const names = new Set<string>();
  const visit = (node: unknown, path: readonly string[]): string | undefined => {
    const schema = asRecord(node) ?? {};
    if (KEYWORD in schema && path.length > 0) {
      const name = schema[KEYWORD];
      if (typeof name !== 'string' || !TOKEN.test(name)) return `${path.join('.')} has a name that no header can have`;
      if (!TYPES.has(schema['type'])) return `${path.join('.')} is neither a string nor an integer nor a boolean`;
      if (names.has(name.toLowerCase())) return `two arguments go into ${PREFIX}${name}`;
      names.add(name.toLowerCase());
      found.push({ path, name });
    }
    for (const [member, child] of Object.entries(asRecord(schema['properties']) ?? {})) {
      const fault = visit(child, [...path, member]);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const fault = visit(inputSchema, []);
  if (fault !== undefined) return fault;
  return count(inputSchema) === found.length ? found : 'it stands where no argument is';
}

/** How often the keyword stands in a schema, properties that have its name left out. */
function count(node: unknown, isProperties = false): number {
  if (Array.isArray(node)) return node.reduce((sum: number, member) => sum + count(member), 0);
  const record = asRecord(node);
  if (record === undefined) return 0;
  let sum = 0;
  for (const [member, value] of Object.entries(record)) {
    if (member === KEYWORD && !isProperties) sum += 1;
    else if (!DATA.has(member) || isProperties) sum += count(value, member === 'properties' && !isProperties);
  }
  return sum;
}

/** Members whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

export function paramHeaders(declared: readonly ParamHeader[], args: Record<string, unknown>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, name } of declared) {
    let value: unknown = args;
    for (const member of path) value = asRecord(value)?.[member];
    const text = typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : asString(value);
    if (text !== undefined) headers[`${PREFIX}${name}`] = encode(text);
  }
  return headers;
}

function encode(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}
