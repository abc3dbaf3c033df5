import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import { endlessJson } from './bodies.js';
import type { McpCallMode, McpListMode } from './scenario.js';

/** How a server answers a request: a result or an error of JSON-RPC, or something that is no JSON-RPC at all. */
export type McpReply =
  | { readonly result: JsonValue }
  | { readonly error: JsonValue }
  | { readonly response: () => Response }
  | { readonly raw: string };

export interface McpAsked {
  readonly headers: Readonly<Record<string, string>>;
  /** Counted from 0. */
  readonly page: number;
}

const ESCAPES = '\u001b[2J\u001b]0;pwned\u0007\u0085';
/** A host that must never see a secret of this one. */
export const OTHER_HOST = 'other-host.test';

const text = (value: string): JsonObject => ({ type: 'text', text: value });
const says = (value: string): McpReply => ({ result: { content: [text(value)] } });
const failed = (message: string): McpReply => ({ error: { code: -32_603, message } });
const redirect = (): McpReply => ({
  response: () => new Response(null, { status: 307, headers: { location: `http://${OTHER_HOST}/steal` } }),
});
const page = (status: number): McpReply => ({
  response: () => new Response('<!doctype html><h1>no</h1>', { status, headers: { 'content-type': 'text/html' } }),
});
const hi = (rest: JsonObject = {}): JsonObject => ({
  name: 'hi',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  ...rest,
});
const offers = (...tools: readonly JsonValue[]): McpReply => ({ result: { tools: [...tools] } });
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
type Mode = (asked: McpAsked) => McpReply;

export const LISTS: { readonly [K in McpListMode]: Mode } = {
  plain: () => offers(hi()),
  many: () => offers(...times(200, (at) => hi({ name: `hi${at}` }))),
  'endless-pages': ({ page: at }) => ({
    result: { tools: times(50, (n) => hi({ name: `t${at}_${n}` })), nextCursor: `c${at}` },
  }),
  'repeated-pages': () => ({ result: { tools: [hi()], nextCursor: 'again' } }),
  'long-description': () => offers(hi({ description: 'd'.repeat(100_000), title: 't'.repeat(100_000) })),
  'long-schema': () =>
    offers(
      hi(),
      hi({
        name: 'wide',
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(times(1_000, (at) => [`p${at}`, { type: 'string', description: 'w' }])),
        },
      }),
    ),
  'deep-schema': () => ({ raw: `{"tools":[{"name":"deep","inputSchema":${nested(3_000)}},${JSON.stringify(hi())}]}` }),
  'odd-names': () =>
    offers(
      ...[
        'a b',
        'ä€',
        'n'.repeat(300),
        '__proto__',
        'constructor',
        'toString',
        `e${ESCAPES}`,
        'x\ud800',
        'hi',
        'hi',
      ].map((name) => hi({ name })),
    ),
  'odd-shapes': () =>
    offers(hi(), null, 7, [], { name: 7 }, {}, hi({ name: 'a', inputSchema: 1 }), hi({ name: 'b', annotations: 'x' })),
  'no-list': () => ({ result: { tools: 'none' } }),
  escapes: () =>
    offers(
      hi({ description: `d${ESCAPES}` }),
      hi({ name: `n${ESCAPES}`, inputSchema: 1 }),
      hi({ name: `t${ESCAPES}`, execution: { taskSupport: 'required' } }),
    ),
  surrogates: () =>
    offers(
      hi({ description: 'd\udc00', inputSchema: { type: 'object', properties: { 'p\ud83d': { enum: ['\ud800'] } } } }),
    ),
  patterns: () =>
    offers(
      hi({
        inputSchema: { type: 'object', properties: { m: { type: 'string', pattern: '^(a+)+$' } } },
        outputSchema: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } },
      }),
    ),
  error: () => failed(`boom ${ESCAPES} ${'e'.repeat(20_000)}`),
  redirect,
  html: () => page(200),
  echo: ({ headers }) => failed(`no: ${JSON.stringify(headers)}`),
};

export const CALLS: { readonly [K in McpCallMode]: Mode } = {
  plain: () => says('hi there'),
  'many-blocks': () => ({ result: { content: times(20_000, () => text('')) } }),
  string: () => ({ result: { content: 'the answer' } }),
  null: () => ({ result: null }),
  surrogate: () => ({ result: { content: [text('x\ud800')], structuredContent: { 'k\ud800': 'v\udfff' } } }),
  escapes: () => failed(`boom ${ESCAPES}`),
  huge: () => says('w'.repeat(2_000_000)),
  'long-error': () => failed('e'.repeat(100_000)),
  'is-error': () => ({ result: { isError: true, content: [text(`e${ESCAPES}`.repeat(5_000))] } }),
  echo: ({ headers }) => says(JSON.stringify(headers)),
  'echo-error': ({ headers }) => failed(`no: ${JSON.stringify(headers)}`),
  deep: () => ({ raw: `{"content":[],"structuredContent":${nested(3_000)}}` }),
  'odd-structure': () => ({
    result: { structuredContent: { s: `${'a'.repeat(40)}!` }, ['__proto__']: { polluted: 1 } },
  }),
  redirect,
  'status-401': () => page(401),
  html: () => page(200),
  endless: () => ({ response: endlessJson }),
};
