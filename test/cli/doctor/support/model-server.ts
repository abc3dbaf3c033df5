import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeEvents, type OutputDescription, responseBody, responseEvents } from 'responses-loop/testing';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { asArray, asRecord, asRecords, asString } from '../../../../src/util/guards.js';

/** What a server does, and what may be switched off in it. The defaults are a server that can do everything. */
export interface Behaviour {
  readonly path: string;
  /** Its text. */
  readonly says: string;
  /** A field that has to be there. */
  readonly wants: string | undefined;
  readonly streams: 'yes' | 'never' | 'always' | 'fails';
  readonly models: readonly Record<string, unknown>[] | 'none';
  readonly headers: Readonly<Record<string, string>>;
  /** Which header has to hold the key; `undefined`: none is wanted. */
  readonly keyIn: string | undefined;
  readonly key: string;
  /** Fields, kinds of tools and roles that are a 400. */
  readonly refuses: readonly string[];
  readonly refusesUnknown: boolean;
  readonly checksInput: boolean;
  readonly usage: boolean;
  readonly calls: 'auto' | 'forced-only' | 'never' | 'named-wrong' | 'always' | 'broken-arguments';
  readonly parallel: boolean;
  readonly parts: 'pictures' | 'texts' | 'none';
  readonly messageIds: 'any' | 'omit' | 'synthetic';
  readonly stores: 'yes' | 'refuses' | 'ignores';
  readonly reasoning: 'none' | 'sealed' | 'plain' | 'plain-sealed';
  readonly takesReasoning: boolean;
  readonly schema: boolean;
  readonly images: 'seen' | 'blind' | 'refused';
  readonly fetches: boolean;
  readonly files: boolean;
  readonly hosted: 'known' | 'none' | 'anything';
  readonly sockets: boolean;
  /** After an aborted stream the next answer waits as long. */
  readonly stuckMs: number;
}

const ABLE: Behaviour = {
  path: '/v1/responses',
  says: 'ok',
  wants: undefined,
  streams: 'yes',
  models: [{ id: 'able-1' }],
  headers: {},
  keyIn: undefined,
  key: 'sk-able-0123456789abcdef',
  refuses: [],
  refusesUnknown: true,
  checksInput: true,
  usage: true,
  calls: 'auto',
  parallel: true,
  parts: 'pictures',
  messageIds: 'any',
  stores: 'yes',
  reasoning: 'sealed',
  takesReasoning: true,
  schema: true,
  images: 'seen',
  fetches: true,
  files: true,
  hosted: 'known',
  sockets: true,
  stuckMs: 0,
};

const KNOWN = new Set(
  'model input stream store max_output_tokens tools tool_choice parallel_tool_calls temperature include reasoning text previous_response_id instructions'.split(
    ' ',
  ),
);

type Body = Record<string, unknown>;

class Refused extends Error {}

export interface ModelServer {
  readonly baseURL: string;
  readonly origin: string;
  /** Requests for a response, as they came. */
  readonly bodies: readonly Body[];
}

/** A server on loopback with these behaviours; it ends with the test. */
export async function modelServer(changes: Partial<Behaviour> = {}): Promise<ModelServer> {
  const behaviour = { ...ABLE, ...changes };
  const bodies: Body[] = [];
  let stuckUntil = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(behaviour.headers)) response.setHeader(name, value);
    const text = await readText(request);
    if (!hasKey(request, behaviour))
      return sendError(response, 401, `Wrong key: ${request.headers.authorization ?? ''}`);
    if (request.url?.endsWith('/models') && behaviour.models !== 'none')
      return sendJson(response, 200, { object: 'list', data: behaviour.models });
    if (request.url !== behaviour.path) return sendError(response, 404, 'no such route');
    const body = asRecord(JSON.parse(text)) ?? {};
    bodies.push(body);
    while (Date.now() < stuckUntil) await sleep(20);
    try {
      await check(body, behaviour);
    } catch (error) {
      return sendError(response, 400, error instanceof Error ? error.message : '');
    }
    if (isCounting(body) && body['stream'] === true) {
      stuckUntil = Number.POSITIVE_INFINITY;
      response.on('close', () => (stuckUntil = Date.now() + behaviour.stuckMs));
      return countSlowly(response);
    }
    reply(response, body, behaviour);
  }
  const baseURL = await listen(server);
  if (behaviour.sockets) openSockets(server);
  return { baseURL: `${baseURL}/v1`, origin: baseURL, bodies };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openSockets(server: Server): void {
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', () => {
      for (const event of responseEvents({ output: [{ type: 'text', text: 'ok' }] }))
        socket.send(JSON.stringify(event));
    });
  });
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function hasKey(request: IncomingMessage, { keyIn, key }: Behaviour): boolean {
  if (keyIn === undefined) return true;
  const sent = String(request.headers[keyIn]);
  return sent === key || sent === `Bearer ${key}`;
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error' } });
}

async function check(body: Body, behaviour: Behaviour): Promise<void> {
  const { refuses, wants } = behaviour;
  if (wants !== undefined && body[wants] === undefined) throw new Refused(`${wants} is required`);
  for (const name of Object.keys(body)) {
    const isUnknown = behaviour.refusesUnknown && !KNOWN.has(name) && name !== wants;
    if (refuses.includes(name) || isUnknown) throw new Refused(`Unknown parameter: ${name}`);
  }
  if (typeof body['input'] === 'number' && behaviour.checksInput) throw new Refused('input must be a list');
  if (body['previous_response_id'] !== undefined) checkPrevious(body, behaviour);
  for (const { type } of asRecords(body['tools'])) {
    if (type === 'function' || behaviour.hosted === 'anything') continue;
    if (behaviour.hosted === 'none' || type !== 'web_search') throw new Refused(`Unknown tool: ${String(type)}`);
  }
  for (const item of asRecords(body['input'])) await checkItem(item, behaviour);
}

function checkPrevious(body: Body, { stores }: Behaviour): void {
  if (stores === 'refuses' || (stores === 'yes' && body['previous_response_id'] !== 'resp_1'))
    throw new Refused('previous_response_id not found');
}

async function checkItem(item: Body, behaviour: Behaviour): Promise<void> {
  const { type, role } = item;
  if (behaviour.refuses.includes(`role ${String(role)}`)) throw new Refused(`role ${String(role)} is unknown`);
  if (role === 'assistant') {
    const mode = item['id'] === undefined ? 'omit' : 'synthetic';
    if (behaviour.messageIds !== 'any' && behaviour.messageIds !== mode) throw new Refused('id');
  }
  if (type === 'reasoning' && !behaviour.takesReasoning) throw new Refused('reasoning items are not taken');
  if (type === 'function_call_output' && Array.isArray(item['output']) && behaviour.parts === 'none')
    throw new Refused('output must be a string');
  for (const part of asRecords(item['content'] ?? item['output'])) await checkPart(part, type, behaviour);
}

async function checkPart(part: Body, holder: unknown, behaviour: Behaviour): Promise<void> {
  if (part['type'] === 'input_file' && !behaviour.files) throw new Refused('no files');
  if (part['type'] !== 'input_image') return;
  const isRefused = holder === 'message' ? behaviour.images === 'refused' : behaviour.parts !== 'pictures';
  if (isRefused) throw new Refused('no images');
  const url = String(part['image_url']);
  if (url.startsWith('http') && behaviour.fetches) await (await fetch(url)).arrayBuffer();
}

function outputOf(body: Body, behaviour: Behaviour): OutputDescription[] {
  const thought: OutputDescription[] =
    behaviour.reasoning === 'none' ? [] : [{ type: 'reasoning', ...THOUGHTS[behaviour.reasoning] }];
  const calls = callsFor(body, behaviour);
  return [...thought, ...(calls.length > 0 ? calls : [{ type: 'text' as const, text: textFor(body, behaviour) }])];
}

const THOUGHTS = {
  sealed: { encrypted: 'gAAAAsealed0123456789', summary: ['Thinking.'] },
  plain: { text: '7 times 13.' },
  'plain-sealed': { encrypted: '7 times 13, so no.', summary: ['7 times 13, so no.'] },
};

function callsFor(body: Body, { calls, parallel }: Behaviour): OutputDescription[] {
  const tools = asRecords(body['tools']).filter(({ type }) => type === 'function');
  const choice = body['tool_choice'];
  const isAnswered = asRecords(body['input']).some(({ type }) => type === 'function_call_output');
  const isForced = choice !== undefined && choice !== 'auto' && choice !== 'none';
  const isCalled = calls === 'always' || (choice !== 'none' && (isForced || calls !== 'forced-only'));
  if (tools.length === 0 || isAnswered || calls === 'never' || !isCalled) return [];
  const wanted = asString(asRecord(choice)?.['name']);
  const name = wanted === undefined || calls === 'named-wrong' ? 'add' : wanted;
  const args = calls === 'broken-arguments' ? '{"a":' : name === 'add' ? { a: 2, b: 3 } : { city: 'Paris' };
  const call: OutputDescription = { type: 'call', name, arguments: args };
  return parallel && body['parallel_tool_calls'] === true ? [call, call] : [call];
}

function textFor(body: Body, { schema, images, says }: Behaviour): string {
  if (asRecord(body['text'])?.['format'] !== undefined && schema) return '{"colour":"green"}';
  const hasImage = JSON.stringify(asArray(body['input'])).includes('input_image');
  return hasImage && images === 'seen' ? 'Red.' : says;
}

function reply(response: ServerResponse, body: Body, behaviour: Behaviour): void {
  const usage = behaviour.usage ? {} : { usage: undefined };
  const described = { output: outputOf(body, behaviour), ...(behaviour.usage ? {} : { fields: usage }) };
  const { streams } = behaviour;
  if (streams === 'fails' && body['stream'] === true) return sendError(response, 500, 'cannot stream');
  const isStream = streams === 'always' || (streams === 'yes' && body['stream'] === true);
  if (!isStream) return sendJson(response, 200, { ...responseBody(described), ...usage });
  const events = responseEvents(described).map((event) =>
    behaviour.usage ? event : { ...event, response: { ...asRecord(event['response']), usage: null } },
  );
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(encodeEvents(events));
}

function isCounting(body: Body): boolean {
  return JSON.stringify(body['input']).includes('Count from 1');
}

/** Without end: until the client leaves. */
function countSlowly(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write('data: {"type":"response.output_text.delta","delta":"1"}\n\n'), 5);
  response.on('close', () => clearInterval(timer));
}
