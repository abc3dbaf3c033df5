import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, httpLog, type ObserverEvent, observers } from '../../src/index.js';
import type { McpServerConfig } from '../../src/tools/mcp/server-config.js';
import type { ResponsesProviderSettings } from '../../src/settings/settings.js';
import { encodeEvents, responseEvents } from '../../src/testing.js';
import { HELLO } from '../provider/support/talk.js';
import { anyKey, expectNothingOf, print } from './support/pieces.js';

type Events = Parameters<typeof encodeEvents>[0];
const answer = (events: unknown): Response => new Response(encodeEvents(events as Events) as BodyInit);
const HOST = 'mcp.example.com';

interface Message {
  readonly id?: number;
  readonly method: string;
}

/** A server with one tool, as far as a client asks for it. */
function answerOf({ method }: Message, result: unknown, name = 'look'): unknown {
  if (method === 'initialize')
    return { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
  const task = { name: `${name}-task`, inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } };
  if (method === 'tools/list') return { tools: [{ name: 'look', inputSchema: { type: 'object' } }, task] };
  return result;
}

const isForServer = (url: unknown): boolean => new Request(url as string).url.includes(HOST);
// The MCP client sends texts.
const messageIn = (init: RequestInit): Message => JSON.parse(init.body as string) as Message;

type Ways = Readonly<
  Record<string, (message: Message, echo: { readonly text: string; readonly cut: string }) => Response>
>;
const rpc = (message: Message, rest: object): Response => Response.json({ jsonrpc: '2.0', id: message.id, ...rest });
const only = (method: string, wanted: string, response: () => Response, other: () => Response): Response =>
  method === wanted ? response() : other();
const fine = (message: Message, output: unknown): Response => rpc(message, { result: answerOf(message, output) });
const says = (text: string): object => ({ content: [{ type: 'text', text }] });

/** Where a server repeats what it was sent, whole or with its end gone. */
const WAYS: Ways = {
  'an error status': (_message, { text }) => new Response(text, { status: 500 }),
  'an error status that was cut': (_message, { cut }) => new Response(cut, { status: 500 }),
  'a refusal': (_message, { text }) => Response.json({ error: text }, { status: 401 }),
  'an error of the first request': (message, { cut }) => rpc(message, { error: { code: -32_603, message: cut } }),
  'an error of a listing': (message, { text, cut }) =>
    only(
      message.method,
      'tools/list',
      () => rpc(message, { error: { code: -32_603, message: `${text} ${cut}` } }),
      () => fine(message, {}),
    ),
  'the name of a tool that is left out': (message, { text }) => rpc(message, { result: answerOf(message, {}, text) }),
  'an error of a call': (message, { text, cut }) =>
    only(
      message.method,
      'tools/call',
      () => rpc(message, { error: { code: -32_000, message: `${text} ${cut}` } }),
      () => fine(message, {}),
    ),
  'an output': (message, { text }) => fine(message, says(text)),
  'an output that was cut': (message, { cut }) => fine(message, says(cut)),
  'an output that is an error': (message, { text }) => fine(message, { ...says(text), isError: true }),
  'a network error': (_message, { text, cut }) => {
    throw new TypeError(text, { cause: new Error(cut) });
  },
};

/** Everything that comes of a call that uses the server, but for the results that the model is given. */
async function outcomeOf(
  servers: NonNullable<ResponsesProviderSettings['mcpServers']>,
  respond: (message: Message) => Response,
): Promise<string> {
  const seen: unknown[] = [];
  let rounds = 0;
  const provider = createResponsesProvider({
    baseURL: 'https://relay.example.com/v1',
    toolParts: 'all',
    mcpServers: servers,
    onEvent: observers(
      (event: ObserverEvent) => void seen.push(event),
      httpLog((entry) => void seen.push(entry)),
    ),
    fetch: async (url, init) => {
      if (isForServer(url)) {
        if (init?.method !== 'POST') return new Response(null, { status: 405 });
        const message = messageIn(init);
        return message.id === undefined ? new Response(null, { status: 202 }) : respond(message);
      }
      rounds += 1;
      if (rounds > 1) return Response.json({ error: { message: 'No more.' } }, { status: 400 });
      const call = { type: 'call', name: 'look', arguments: {}, callId: 'c1' } as const;
      return answer(responseEvents({ id: 'r1', output: [call] }));
    },
  });
  try {
    const { stream } = await provider('m').doStream(HELLO);
    for await (const part of stream as AsyncIterable<{ readonly type: string }>) {
      if (part.type !== 'tool-result') seen.push(part);
    }
  } catch (error) {
    seen.push(error, (error as Error).stack);
  }
  await provider.close();
  return print(seen);
}

/** Around the 500 and 2,000 characters that messages and events are cut to. */
const anyOffset = fc.oneof(fc.integer({ min: 0, max: 520 }), fc.integer({ min: 1_950, max: 2_020 }));

describe('no eight characters of what an MCP server was given in confidence come out', () => {
  it.each(Object.entries(WAYS))('%s', async (_name, way) => {
    const how = fc.constantFrom('authorization', 'x-api-key', 'x-gate', 'function', 'authProvider');
    await fc.assert(
      fc.asyncProperty(
        anyKey,
        how,
        anyOffset,
        fc.integer({ min: 8, max: 40 }),
        async ({ key, secret }, name, offset, kept) => {
          const text = `${'x'.repeat(offset)} ${key} and so on`;
          const cut = `${'x'.repeat(offset)} ${key.slice(0, kept)}`;
          const url = `https://${HOST}/mcp`;
          const entries: Readonly<Record<string, McpServerConfig>> = {
            authorization: { url, headers: { authorization: `Bearer ${key}` } },
            function: { url, headers: async () => ({ 'x-gate': key }) },
            authProvider: { url, authProvider: providerOf(key) },
          };
          const entry = entries[name] ?? { url, headers: { [name]: key } };
          const printed = await outcomeOf({ docs: entry }, (message) => way(message, { text, cut }));
          expectNothingOf(secret, printed);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('an output that is cut for the model, and so in the next request', async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, fc.integer({ min: 8, max: 40 }), async ({ key, secret }, kept) => {
        const text = `${'x'.repeat(200_000 - kept)}${key}`;
        const entry = { url: `https://${HOST}/mcp`, headers: { 'x-api-key': key } };
        expectNothingOf(secret, await outcomeOf({ docs: entry }, (message) => fine(message, says(text))));
      }),
      { numRuns: 5 },
    );
  });

  it('what a process that does not start writes, wherever its end and its beginning are', async () => {
    const [{ key, secret }] = fc.sample(anyKey, 1) as [{ key: string; secret: string }];
    const script = `
      const key = process.env.API_TOKEN;
      process.stderr.write('x'.repeat(Number(process.argv[1])) + key + 'y'.repeat(Number(process.argv[2])) + key.slice(0, Number(process.argv[3])), () => process.exit(1));
    `;
    // The last 16,000 characters are kept, of which 1,000 may be shown, and 500 are.
    const places = [
      [0, 0, 20],
      [470, 0, 0],
      [0, 975, 0],
      [0, 15_975, 30],
      [3_000, 990, 12],
    ];
    const servers = Object.fromEntries(
      places.map((place, at) => [
        `s${at}`,
        { command: process.execPath, args: ['-e', script, ...place.map(String)], env: { API_TOKEN: key } },
      ]),
    );
    const printed = await outcomeOf(servers, () => new Response());
    expect(printed).toContain('It wrote: ');
    expectNothingOf(secret, printed);
  });

  it('the model is given an output as it is, since it may be what was asked for', async () => {
    const key = 'sk-proj-AbCdEfGhIjKlMnOpQrStUv';
    const bodies: unknown[] = [];
    const provider = createResponsesProvider({
      baseURL: 'https://relay.example.com/v1',
      mcpServers: { docs: { url: `https://${HOST}/mcp`, headers: { 'x-api-key': key } } },
      fetch: async (url, init) => {
        if (!isForServer(url)) {
          bodies.push(JSON.parse(init?.body as string));
          const call = { type: 'call', name: 'look', arguments: {}, callId: 'c1' } as const;
          return answer(responseEvents({ output: bodies.length === 1 ? [call] : [{ type: 'text', text: 'Ok.' }] }));
        }
        if (init?.method !== 'POST') return new Response(null, { status: 405 });
        const message = messageIn(init);
        return message.id === undefined ? new Response(null, { status: 202 }) : fine(message, says(`It is ${key}.`));
      },
    });
    await provider('m').doGenerate(HELLO);
    await provider.close();
    expect(JSON.stringify(bodies[1])).toContain(`It is ${key}.`);
  });
});

/** Somebody who has signed in already. */
function providerOf(token: string) {
  return {
    redirectUrl: 'https://app.example.com/back',
    clientMetadata: { redirect_uris: ['https://app.example.com/back'] },
    clientInformation: () => ({ client_id: 'app' }),
    tokens: () => ({ access_token: token, token_type: 'Bearer' }),
    saveTokens: () => {},
    redirectToAuthorization: () => {},
    saveCodeVerifier: () => {},
    codeVerifier: () => 'verifier',
  };
}
