/**
 * A raw MCP server that misbehaves in one way: `node hostile-mcp-server.mjs MODE` speaks over its standard streams,
 * `node hostile-mcp-server.mjs MODE http` over streamable HTTP on a free port, whose address it prints first.
 *
 * A mode says what differs from a well-behaved server with the one read-only tool `hi`: `tools` (of a page), `call` (the
 * result), `answer` (the whole message to a request, by method), `line` (raw text for an answer), `start` (before anything
 * was asked), `end` (instead of an answer). Every function gets the request.
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const text = (value) => ({ type: 'text', text: value });
const says = (value) => ({ content: [text(value)] });
const hi = (rest) => ({ name: 'hi', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true }, ...rest });
const failure = (id, code, message) => ({ id, error: { code, message } });
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const nested = (levels, inside = 1) => `${'{"a":'.repeat(levels)}${JSON.stringify(inside)}${'}'.repeat(levels)}`;
const notify = (method, params) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);

const ESCAPES = '\x1b[2J\x1b]0;pwned\x07';
const HIDDEN = times(16, (index) => String.fromCodePoint(0xe0041 + index)).join('');

let pages = 0;

export const MODES = {
  plain: {},

  // Quantities.
  many: { call: () => ({ content: [...times(1_000_000, () => text('')), text('x')] }) },
  lines: { call: () => ({ content: times(300_000, () => text('x')) }) },
  big: { call: () => says('x'.repeat(5e7)) },
  'big-start': { answer: { initialize: ({ id }) => ({ id, result: { big: 'x'.repeat(4e7) } }) } },
  'long-error': { answer: { 'tools/call': ({ id }) => failure(id, -32603, 'e'.repeat(200_000)) } },
  'long-is-error': { call: () => ({ isError: true, content: [text('e'.repeat(200_000))] }) },
  fat: {
    tools: () => {
      pages += 1;
      const page = times(5_000, (index) => hi({ name: `t${pages}_${index}`, description: 'x'.repeat(500) }));
      return { tools: page, nextCursor: `c${pages}` };
    },
  },
  'one-fat-page': { tools: () => ({ tools: times(5_000, (index) => hi({ name: `t${index}` })) }) },
  'endless-pages': { tools: () => ({ tools: [hi({ name: `t${(pages += 1)}` })], nextCursor: `c${pages}` }) },
  'empty-pages': { tools: () => ({ tools: [], nextCursor: `c${(pages += 1)}` }) },
  'repeated-pages': { tools: () => ({ tools: [hi()], nextCursor: 'again' }) },
  'long-description': { tools: () => ({ tools: [hi({ description: 'd'.repeat(5_000_000) })] }) },
  'long-schema': {
    tools: () => {
      const properties = Object.fromEntries(times(10_000, (index) => [`p${index}`, { type: 'string' }]));
      return { tools: [hi(), hi({ name: 'wide', inputSchema: { type: 'object', properties } })] };
    },
  },
  'deep-schema': {
    line: ({ id, method }) =>
      method === 'tools/list'
        ? `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"deep","inputSchema":${nested(4_000)}},${JSON.stringify(hi())}]}}`
        : undefined,
  },
  'growing-schema': {
    tools: () => {
      const node = { type: 'object', description: 'd'.repeat(2_000), properties: { a: { type: 'string' } } };
      const properties = Object.fromEntries(times(150, (index) => [`p${index}`, { $ref: '#/$defs/node' }]));
      return { tools: [hi({ inputSchema: { type: 'object', properties, $defs: { node } } })] };
    },
  },
  'deep-result': {
    line: ({ id, method }) =>
      method === 'tools/call'
        ? `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${nested(100_000)}}}`
        : undefined,
  },
  'long-names': { tools: () => ({ tools: [hi(), hi({ name: 'n'.repeat(1_000_000) })] }) },
  'long-title': { tools: () => ({ tools: [hi({ title: 't'.repeat(1_000_000) })] }) },

  // Shapes.
  str: { call: () => ({ content: 'the answer' }) },
  nul: { answer: { 'tools/call': ({ id }) => ({ id, result: null }) } },
  'wrong-id': { answer: { 'tools/call': () => ({ id: 987_654, result: says('x') }) } },
  'error-text': { answer: { 'tools/call': ({ id }) => ({ id, error: 'text' }) } },
  nameless: { tools: () => ({ tools: [...times(5, () => ({ inputSchema: { type: 'object' } })), hi()] }) },
  'odd-names': {
    tools: () => ({
      tools: [
        'a b',
        'ä€',
        'n'.repeat(200),
        '__proto__',
        'constructor',
        'toString',
        'esc\x1b[31m',
        'sur\ud800',
        'hi',
      ].map((name) => hi({ name })),
    }),
  },
  twice: { call: () => (notify('notifications/message', { level: 'info', data: 'x' }), says('once')), repeats: true },

  // Characters.
  sur: { call: () => says('x\ud800') },
  'sur-everywhere': {
    tools: () => ({
      tools: [
        hi({
          description: 'd\udc00',
          inputSchema: { type: 'object', properties: { 'p\ud83d': { enum: ['\ud800'] } } },
        }),
      ],
    }),
    call: () => ({ content: [], structuredContent: { 'k\ud800': 'v\udfff' } }),
  },
  ansi: { answer: { 'tools/list': ({ id }) => failure(id, -32603, `boom ${ESCAPES}`) } },
  'ansi-call': { answer: { 'tools/call': ({ id }) => failure(id, -32603, `boom ${ESCAPES}`) } },
  'ansi-start': { answer: { initialize: ({ id }) => failure(id, -32603, `boom ${ESCAPES}`) } },
  'ansi-names': {
    tools: () => ({
      tools: [
        hi(),
        hi({ name: `n${ESCAPES}`, inputSchema: 1 }),
        hi({ name: `t${ESCAPES}`, execution: { taskSupport: 'required' } }),
      ],
    }),
  },
  'ansi-stderr': { start: () => process.stderr.write(`${ESCAPES}no licence\n`), end: { initialize: 1 } },
  'hidden-text': {
    tools: () => {
      const who = { type: 'string', description: `Whom to greet.${HIDDEN}` };
      const inputSchema = { type: 'object', properties: { who } };
      return { tools: [hi({ description: `Says hi.${HIDDEN}\u202e\u2066 Twice.`, inputSchema })] };
    },
  },

  // Patterns.
  redos: {
    tools: () => ({
      tools: [
        hi({
          inputSchema: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } },
          outputSchema: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } },
        }),
      ],
    }),
    call: () => ({ ...says('x'), structuredContent: { s: `${'a'.repeat(40)}!` } }),
  },

  // Noise and endings.
  noise: { start: () => process.stdout.write('Listening on nothing\n[]\nnull\n{"a":1}\n') },
  storm: { start: () => setInterval(() => times(20, () => notify('notifications/tools/list_changed')), 1).unref() },
  'stderr-long': {
    start: () =>
      process.stderr.write(`Error: no licence\n${times(400, (n) => `    at frame ${n}\n`).join('')}Node.js v0\n`),
    end: { initialize: 1 },
  },
  exits: { end: { 'tools/call': 3 } },
  'exits-at-start': { end: { initialize: 3 } },
  silent: { answer: { 'tools/call': () => undefined } },
};

const PLAIN = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'hostile', version: '1' },
  }),
  'tools/list': (mode, request) => mode.tools?.(request) ?? { tools: [hi()] },
  'tools/call': (mode, request) => mode.call?.(request) ?? says('hi there'),
};

/** The lines that answer a request; none where the mode keeps silent. */
export function answerOf(mode, request) {
  if (request.id === undefined) return [];
  if (mode.end?.[request.method] !== undefined) process.exit(mode.end[request.method]);
  const raw = mode.line?.(request);
  if (raw !== undefined) return [raw];
  const odd = mode.answer?.[request.method];
  const message =
    odd === undefined ? { id: request.id, result: PLAIN[request.method]?.(mode, request) ?? {} } : odd(request);
  if (message === undefined) return [];
  const line = JSON.stringify({ jsonrpc: '2.0', ...message });
  return mode.repeats === true ? [line, line] : [line];
}

function speakOverStreams(mode) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    for (const answer of answerOf(mode, JSON.parse(line))) process.stdout.write(`${answer}\n`);
  });
}

function speakOverHttp(mode) {
  const server = createServer((request, response) => void answerOverHttp(mode, request, response));
  server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
}

async function answerOverHttp(mode, request, response) {
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const message = JSON.parse(body);
  if (message.id === undefined) return response.writeHead(202).end();
  const [answer] = answerOf(mode, message);
  // Silent modes never answer.
  if (answer !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  return undefined;
}

const [, program, name, way] = process.argv;
if (import.meta.url === new URL(program, 'file:').href) {
  const mode = MODES[name];
  if (mode === undefined) throw new Error(`no mode ${name}; there are ${Object.keys(MODES).join(', ')}`);
  mode.start?.();
  if (way === 'http') speakOverHttp(mode);
  else speakOverStreams(mode);
}
