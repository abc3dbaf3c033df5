import type { JsonObject } from '../../../src/core/json.js';
import { parseJson } from '../../../src/util/json.js';
import { asRecord } from '../../../src/util/guards.js';
import { CALLS, LISTS, type McpReply } from './mcp-modes.js';
import type { McpRequest } from './observation.js';
import type { McpAttack } from './scenario.js';
import { plain } from '../plain.js';

export const MCP_URL = 'http://mcp.test/mcp';

/** An MCP server over streamable HTTP, in the place of `fetch`. */
export class HostileMcpServer {
  readonly requests: McpRequest[] = [];
  readonly #attack: McpAttack;
  #page = 0;

  constructor(attack: McpAttack) {
    this.#attack = attack;
  }

  /** Follows redirects as `fetch` does, if it may. */
  answer(url: URL, init: RequestInit | undefined): Response {
    const response = this.#answerOne(url, init);
    const location = response.headers.get('location');
    if (location === null || init?.redirect === 'manual') return response;
    if (init?.redirect === 'error') throw new TypeError('fetch failed');
    return this.answer(new URL(location, url), { ...init, redirect: 'manual' });
  }

  #answerOne(url: URL, init: RequestInit | undefined): Response {
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    this.requests.push({ host: url.hostname, method: init?.method ?? 'GET', headers });
    if (init?.method !== 'POST') return new Response(null, { status: 405 });
    const message = asRecord(parseJson(plain(init.body))) ?? {};
    if (message['id'] === undefined) return new Response(null, { status: 202 });
    return toResponse(this.#reply(String(message['method']), headers), message['id']);
  }

  #reply(method: string, headers: Readonly<Record<string, string>>): McpReply {
    const asked = { headers, page: this.#page };
    if (method === 'tools/list') {
      this.#page += 1;
      return LISTS[this.#attack.list](asked);
    }
    if (method === 'tools/call') return CALLS[this.#attack.call](asked);
    return { result: method === 'initialize' ? HELLO : {} };
  }
}

const HELLO: JsonObject = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'hostile', version: '1' },
};

function toResponse(reply: McpReply, id: unknown): Response {
  if ('response' in reply) return reply.response();
  const text =
    'raw' in reply
      ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${reply.raw}}`
      : JSON.stringify({ jsonrpc: '2.0', id, ...reply });
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}
