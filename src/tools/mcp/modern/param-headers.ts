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

/** Why a tool cannot be called over HTTP; the specification wants it left out. */
export class HeaderFault extends Error {}

/**
 * The arguments of a tool that also go into headers (`x-mcp-header`, for what stands between us and the server).
 *
 * @throws HeaderFault
 */
export function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] {
  const found = new Map<string, ParamHeader>();
  visit(inputSchema, [], found);
  return [...found.values()];
}

/** Members whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

/** `path` leads to the argument that a schema is for, where it is for one. */
function visit(schema: unknown, path: readonly string[] | undefined, found: Map<string, ParamHeader>): void {
  for (const [member, value] of membersOf(schema)) {
    if (member === KEYWORD) note(schema as Record<string, unknown>, path ?? [], found);
    else if (member === 'properties')
      for (const [name, property] of membersOf(value)) visit(property, path && [...path, name], found);
    else if (!DATA.has(member)) visit(value, undefined, found);
  }
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function note(
  { [KEYWORD]: name, type }: Record<string, unknown>,
  path: readonly string[],
  found: Map<string, ParamHeader>,
): void {
  if (path.length === 0) throw new HeaderFault('it stands where no argument is');
  const place = path.join('.');
  if (typeof name !== 'string' || !TOKEN.test(name))
    throw new HeaderFault(`${place} has a name that no header can have`);
  if (!TYPES.has(type)) throw new HeaderFault(`${place} is neither a string nor an integer nor a boolean`);
  if (found.has(name.toLowerCase())) throw new HeaderFault(`two arguments go into ${PREFIX}${name}`);
  found.set(name.toLowerCase(), { path, name });
}

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
