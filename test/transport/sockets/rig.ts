import { createResponsesProvider, type ObserverEvent, type ResponsesProviderV2 } from '../../../src/index.js';
import type { ResponsesProviderSettings } from '../../../src/settings/settings.js';
import type { OutputDescription } from '../../../src/testing.js';
import { type SeenRequest, type SocketServer, type SocketServerOptions, startSocketServer } from './socket-server.js';

export interface Rig extends AsyncDisposable {
  readonly server: SocketServer;
  readonly provider: ResponsesProviderV2;
  readonly events: readonly ObserverEvent[];
  /** How often the tool ran. */
  readonly runs: number;
}

/** Calls the tool `step` so many times, one round each, then says how many outputs it has seen. */
export const steps =
  (count: number) =>
  (context: SeenRequest['context']): readonly OutputDescription[] => {
    const since = context.slice(context.findLastIndex(({ role }) => role === 'user'));
    const done = since.filter(({ type }) => type === 'function_call_output').length;
    const all = context.filter(({ type }) => type === 'function_call').length;
    return done < count
      ? [{ type: 'call', name: 'step', arguments: { n: done }, callId: `call_${all}` }]
      : [{ type: 'text', text: `Done after ${done}.` }];
  };

/** A server with sockets, and a provider that uses them unless the settings say otherwise. */
export async function rig(
  server: Partial<SocketServerOptions> = {},
  settings: ResponsesProviderSettings = {},
): Promise<Rig> {
  const started = await startSocketServer({ model: steps(3), ...server });
  const events: ObserverEvent[] = [];
  let runs = 0;
  const provider = createResponsesProvider({
    baseURL: started.baseURL,
    apiKey: 'test-key',
    transport: 'websocket',
    maxRounds: 1_000,
    maxRepeatedRounds: 1_000,
    retry: { initialDelayMs: 1 },
    tools: {
      step: {
        inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
        execute: ({ n }: Readonly<Record<string, unknown>>) => {
          runs += 1;
          return `step ${String(n)}`;
        },
      },
    },
    onEvent: (event) => events.push(event),
    ...settings,
  });
  return {
    server: started,
    provider,
    events,
    get runs() {
      return runs;
    },
    [Symbol.asyncDispose]: async () => {
      await provider.close();
      await started[Symbol.asyncDispose]();
    },
  };
}

/** `http whole`, `socket whole`, `socket +1` (one new item): how each request came. */
export function waysOf({ server }: Rig): string[] {
  return server.requests.map(({ via, body }) =>
    body['previous_response_id'] == null ? `${via} whole` : `${via} +${(body['input'] as unknown[]).length}`,
  );
}
