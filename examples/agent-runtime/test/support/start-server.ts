import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { hostGuard } from 'responses-loop-example-shared/loopback-guard.js';
import { createScriptedServer, type ScriptedServer, type ScriptedServerOptions } from 'responses-loop/testing';
import { createHandler } from '../../src/http/handler.js';
import {
  type Agent,
  type AgentConfig,
  type AgentPersister,
  createAgent,
  createMemoryPersister,
} from '../../src/index.js';

export const TOKEN = 'a-token-for-tests-only';

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly agent: Agent;
  readonly model: ScriptedServer;
  /** With the token, and JSON for a body that is not a text. */
  ask(path: string, init?: AskOptions): Promise<Response>;
  /** What a request is answered with, its body read as JSON. */
  json(path: string, init?: AskOptions): Promise<JsonAnswer>;
  newSession(body?: object): Promise<string>;
}

export interface JsonAnswer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- what it holds is what the tests are about
  readonly body: any;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The handler of a real agent behind a real server on loopback; only the model is played. */
export async function startServer(
  script: ScriptedServerOptions = { otherwise: 'Hello there.' },
  config: Partial<AgentConfig> = {},
  persister: AgentPersister = createMemoryPersister(),
): Promise<TestServer> {
  const model = await createScriptedServer(script);
  const agent = createAgent(
    {
      workspace: '/tmp',
      model: 'test-model',
      driver: 'mono',
      baseUrl: model.baseURL,
      apiKey: 'sk-for-tests',
      ...config,
    },
    { persister },
  );
  await agent.initialize();
  let port = 0;
  const guard = hostGuard({ hostname: '127.0.0.1', port: () => port });
  const handler = createHandler({ agent, driver: 'mono', model: 'test-model', token: TOKEN, guard });
  const server = createAdaptorServer({ fetch: (request) => handler(request) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  const url = `http://127.0.0.1:${port}`;

  const ask = (path: string, { headers, body, ...init }: AskOptions = {}): Promise<Response> => {
    const type = body === undefined ? undefined : { 'content-type': 'application/json' };
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${TOKEN}`, ...type, ...headers },
      ...(text !== undefined && { body: text }),
    });
  };
  const json: TestServer['json'] = async (path, init) => {
    const response = await ask(path, init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    url,
    agent,
    model,
    ask,
    json,
    newSession: async (body = {}) => (await json('/sessions', { method: 'POST', body })).body.id,
    [Symbol.asyncDispose]: async () => {
      await agent.destroy();
      await model.close();
      await new Promise((resolve) => {
        server.close(resolve);
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
    },
  };
}

export interface ReceivedEvent {
  readonly event: string;
  readonly id: number;
  readonly data: { readonly type: string; readonly timestamp: number; readonly data: Record<string, unknown> };
}

/** Server-sent events, as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<ReceivedEvent> {
  if (response.body === null) throw new Error(`There are no events: ${response.status}`);
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks.filter((one) => !one.startsWith(':'))) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      );
      yield { event: fields['event'] ?? '', id: Number(fields['id']), data: JSON.parse(fields['data'] ?? '{}') };
    }
  }
}

export async function allEventsOf(response: Response): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}
