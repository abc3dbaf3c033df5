import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { withSignal } from '../../../util/abort.js';
import { defined } from '../../../util/defined.js';
import { asId, asRecord, asString } from '../../../util/guards.js';
import type { McpConnection } from '../connect/connection.js';
import { inOlderWords } from './errors.js';
import { AS_IT_CAME, OURS } from './transport-view.js';

type Params = Record<string, unknown>;

/** Accepts every result, because the SDK's own schemas are closed. */
const ANY_RESULT: StandardSchemaV1<unknown, Params> = {
  '~standard': { version: 1, vendor: 'responses-loop', validate: (value) => ({ value: value as Params }) },
};

interface ModernRequestOptions {
  /** Over HTTP some arguments also travel in headers, and a server may refuse calls without them. */
  readonly isHttp: boolean;
  /** Whether the transport is wrapped by `viewOf`. */
  readonly isOurs: boolean;
}

/** Sends requests over a client for revision 2026-07-28; results are raw and errors have the older form. */
export function modernRequests(
  client: Client,
  { isHttp, isOurs }: ModernRequestOptions,
): Required<Pick<McpConnection, 'request' | 'admit'>> {
  const declared = new Map<string, ReturnType<typeof readParamHeaders>>();
  return {
    async request(method, params, options) {
      const name = method === 'tools/call' ? asId(params['name']) : undefined;
      const ownHeaders = declared.get(name ?? '');
      const headers = ownHeaders && paramHeaders(ownHeaders, asRecord(params['arguments']) ?? {});
      const meta = isOurs ? { _meta: { ...asRecord(params['_meta']), [OURS]: true } } : {};
      const sent = { method, params: { ...params, ...meta } };
      try {
        const result = await withSignal([options?.signal], (signal) =>
          client.request(sent, ANY_RESULT, { ...options, signal, ...defined({ headers }) } as object),
        );
        return asRecord(result[AS_IT_CAME]) ?? result;
      } catch (error) {
        throw inOlderWords(error);
      }
    },
    admit(tool) {
      const { name, inputSchema } = asRecord(tool) ?? {};
      try {
        declared.set(String(name), isHttp ? readParamHeaders(inputSchema) : []);
        return undefined;
      } catch (error) {
        // The reader of the schema finds and drops one that is too deep.
        return error instanceof HeaderFault ? `its \`x-mcp-header\` cannot be followed: ${error.message}` : undefined;
      }
    },
  };
}

const KEYWORD = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Printable ASCII that HTTP does not change. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/s;

interface ParamHeader {
  readonly path: readonly string[];
  readonly name: string;
}

/** Why a tool cannot be called over HTTP; the specification demands that it is dropped. */
class HeaderFault extends Error {}

/**
 * Returns the arguments of a tool that also travel in headers (`x-mcp-header`, for gateways in between).
 *
 * @throws HeaderFault
 */
function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] {
  const found = new Map<string, ParamHeader>();
  visit(inputSchema, [], found);
  return [...found.values()];
}

/** Members whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

/** `path` leads to the argument of a schema, if it has one. */
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

function paramHeaders(declared: readonly ParamHeader[], args: Record<string, unknown>): Record<string, string> {
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
