import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createResponsesProvider } from '../../../src/index.js';
import type { ResponsesProviderSettings } from '../../../src/settings/settings.js';
import { encodeEvents, type OutputDescription, responseEvents } from '../../../src/testing.js';
import { createResponsesProvider as createV3 } from '../../../src/v3.js';
import { createResponsesProvider as createV4 } from '../../../src/v4.js';
import { HELLO } from '../../provider/support/talk.js';
import { startSocketServer } from './socket-server.js';
import { steps } from './rig.js';

const tools = { step: { inputSchema: { type: 'object' }, execute: () => 'ok' } };
const spelled = (output: readonly OutputDescription[]) =>
  new TextDecoder().decode(encodeEvents(responseEvents({ output })));
const CALLS = spelled([{ type: 'call', name: 'step', arguments: {} }]);
const ENDS = spelled([{ type: 'text', text: 'Hi.' }]);
type Transport = NonNullable<ResponsesProviderSettings['transport']>;

/** How many turns of the microtask queue lie between a call and each of its first requests. */
async function turnsBeforeRequest(transport: Transport, open: () => Promise<never>) {
  const state = { wasSent: false, wasOpened: transport === 'sse' };
  const webSocket = () => {
    state.wasOpened = true;
    return open();
  };
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    state.wasSent = true;
    const isSecondRound = typeof init?.body === 'string' && init.body.includes('function_call_output');
    return new Response(isSecondRound ? ENDS : CALLS, { headers: { 'content-type': 'text/event-stream' } });
  };
  const settings = { baseURL: 'https://api.openai.com/v1', apiKey: 'k', fetch, tools, transport, webSocket };
  const provider = createResponsesProvider(settings);
  const counts: number[] = [];
  for (let call = 0; call < 4; call += 1) {
    state.wasSent = false;
    const started = provider('m').doStream(HELLO);
    let turns = 0;
    // A request behind a macrotask would never be seen: the first call of a provider loads its parts.
    for (; !state.wasSent && turns < 1_000; turns += 1) await Promise.resolve();
    const { stream } = await started;
    for await (const _part of stream as AsyncIterable<unknown>);
    counts.push(turns);
    // What sockets need was loaded.
    await expect.poll(() => state.wasOpened).toBe(true);
  }
  await provider.close();
  return counts.slice(1);
}

describe('with auto', () => {
  it('nothing is awaited before a request over HTTP that sse does not await', async () => {
    const never = () => new Promise<never>(() => {});
    const refused = () => {
      throw new Error('no sockets today');
    };
    const expected = await turnsBeforeRequest('sse', never);
    expect(Math.max(...expected)).toBeLessThan(1_000);
    expect(await turnsBeforeRequest('auto', never)).toEqual(expected);
    expect(await turnsBeforeRequest('auto', refused)).toEqual(expected);
  });
});

describe.each([
  ['V3', createV3],
  ['V4', createV4],
])('an entry of its own, %s', (_name, create) => {
  it('streams and generates over sockets as over HTTP', async () => {
    await using server = await startSocketServer({ model: steps(2) });
    const settings = { baseURL: server.baseURL, apiKey: 'k', tools, maxRepeatedRounds: 100 } as const;
    const texts: string[] = [];
    for (const transport of ['websocket', 'sse'] as const) {
      const provider = create({ ...settings, transport, webSocket: WebSocket });
      const { content } = await provider('m').doGenerate(HELLO);
      const { stream } = await provider('m').doStream(HELLO);
      let text = '';
      for await (const part of stream as AsyncIterable<{ type: string; delta?: string }>)
        if (part.type === 'text-delta') text += part.delta;
      texts.push(content.map((part) => (part.type === 'text' ? part.text : '')).join(''), text);
      await provider.close();
    }
    expect(texts).toEqual(Array(4).fill('Done after 2.'));
    expect(server.requests.filter(({ via }) => via === 'socket')).toHaveLength(6);
    await expect.poll(() => server.open).toBe(0);
  });
});
