import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ObserverEvent } from '../../src/index.js';
import { encodeEvents, errorReply, responseEvents } from '../../src/testing.js';
import { HELLO } from '../provider/support/talk.js';

const secret = fc.stringMatching(/^[A-Za-z0-9_-]{24}$/);
const print = (value: unknown): string => inspect(value, { depth: 20, maxStringLength: null, showHidden: true });
const answer = (): Response =>
  new Response(encodeEvents(responseEvents({ output: [{ type: 'text', text: 'Hi.' }] })) as BodyInit);

async function partsOf(provider: ReturnType<typeof createResponsesProvider>): Promise<unknown[]> {
  const parts: unknown[] = [];
  try {
    const { stream } = await provider('m').doStream(HELLO);
    for await (const part of stream as AsyncIterable<unknown>) parts.push(part);
  } catch (error) {
    parts.push(error, (error as Error).stack);
  }
  return parts;
}

/** MCP servers that repeat all they were sent. */
const ECHOES: Readonly<Record<string, (echo: string, id: unknown) => Response>> = {
  'an error status': (echo) => new Response(echo, { status: 500 }),
  'a refusal': (echo) => Response.json({ error: echo }, { status: 401 }),
  'a JSON-RPC error': (echo, id) => Response.json({ jsonrpc: '2.0', id, error: { code: -32_603, message: echo } }),
  'a fetch that fails': (echo) => {
    throw new TypeError(`Failed to send ${echo}`, { cause: new Error(echo) });
  },
};

describe('secrets of MCP servers never come out', () => {
  it.each(Object.entries(ECHOES))('of warnings, events and errors: %s', async (_name, echo) => {
    await fc.assert(
      fc.asyncProperty(secret, secret, secret, async (header, query, given) => {
        const events: ObserverEvent[] = [];
        const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
          if (!String(url).includes('mcp.example.com')) return answer();
          const headers = [...new Headers(init?.headers).entries()];
          const { id } = JSON.parse((init?.body as string | undefined) ?? '{}') as { id?: unknown };
          return echo(`${String(url)} ${JSON.stringify(headers)} ${init?.body as string}`, id);
        };
        const provider = createResponsesProvider({
          baseURL: 'https://relay.example.com/v1',
          fetch,
          mcpServers: {
            plain: {
              url: `https://mcp.example.com/mcp?token=${query}`,
              headers: { authorization: `Bearer ${header}` },
            },
            asked: { url: 'https://mcp.example.com/other', headers: async () => ({ 'x-api-key': given }) },
          },
          onEvent: (event) => events.push(event),
        });
        const printed = print([await partsOf(provider), events, await provider.listTools()]);
        await provider.close();
        for (const value of [header, query, given]) expect(printed).not.toContain(value);
        expect(printed).toContain('plain');
      }),
      { numRuns: 5 },
    );
  });
});

describe('what functions of the settings give never comes out', () => {
  it('of auth and headers, however a server repeats it', async () => {
    await fc.assert(
      fc.asyncProperty(secret, secret, async (signature, token) => {
        const events: ObserverEvent[] = [];
        const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> =>
          Response.json({ error: { message: JSON.stringify(init?.headers) } }, { status: 403 });
        const provider = createResponsesProvider({
          baseURL: 'https://relay.example.com/v1',
          fetch,
          headers: () => ({ 'x-gateway-token': token }),
          auth: () => ({ 'x-anything': signature }),
          onEvent: (event) => events.push(event),
        });
        const printed = print([await partsOf(provider), events]);
        expect(printed).not.toContain(signature);
        expect(printed).not.toContain(token);
      }),
      { numRuns: 20 },
    );
  });

  it('of keys that took turns', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(secret, { minLength: 2, maxLength: 4 }), async (keys) => {
        const events: ObserverEvent[] = [];
        const refuse = errorReply({ status: 401, message: keys.join(' ') });
        const provider = createResponsesProvider({
          baseURL: 'https://relay.example.com/v1',
          apiKey: keys,
          fetch: async () => Response.json(refuse.json, { status: 401 }),
          onEvent: (event) => events.push(event),
        });
        const printed = print([await partsOf(provider), events]);
        for (const key of keys) expect(printed).not.toContain(key);
      }),
      { numRuns: 20 },
    );
  });
});
